// Package folder manages the folder of one repository's index: its files, their owner, and the lock
// for writing.
//
// A folder is opened once, as an os.Root, and every entry is checked before one is used: it must be
// a regular file of this user with one name. One process writes at a time, under a lock that ends
// with the process. The file current names the published database and is replaced by a rename.
//
// Packages store and build read and write the content of the files.
package folder

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"patina/internal/safeio"
)

// ErrUnsafe is returned if a store's folder or an entry is a link, not a regular file, or another
// user's, because its content could then be meant for somebody else. The error names the entry.
var ErrUnsafe = errors.New("not safe to use")

// ErrNotStore is returned if a folder contains files but is not a store.
var ErrNotStore = errors.New("not the folder of an index")

// ErrNoIndex is returned if a folder has no published index.
var ErrNoIndex = errors.New("no index")

// ErrLocked is returned if another process is writing.
var ErrLocked = errors.New("another scrape holds the store")

// Indexed files may be readable for their owner alone, so the store is too.
const (
	folderMode fs.FileMode = 0o700
	fileMode   fs.FileMode = 0o600
)

const (
	maxEntries = 4096 // in a folder; a store has a dozen
	maxSmall   = 4096 // bytes in a small file
)

// A Folder is a store's folder, opened once. Its methods read and write inside it, even if its name
// changes.
type Folder struct {
	path string
	root *os.Root
	info os.FileInfo
	any  bool // accept files of any owner
}

// Open opens a store's folder. The error wraps ErrUnsafe if the folder or an entry is a link
// or another user's. An entry must also be a regular file with only one name. With anyone, it
// accepts other users' files.
func Open(dir string, anyone bool) (*Folder, error) {
	f, err := openDir(dir, anyone)
	if err != nil {
		return nil, err
	}
	if err := f.Check(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// openDir is Open without a look at the entries.
func openDir(dir string, anyone bool) (*Folder, error) {
	info, err := os.Lstat(dir)
	switch {
	case err != nil:
		return nil, err
	case info.Mode().Type() == fs.ModeSymlink:
		return nil, fmt.Errorf("open %q: it is a symbolic link: %w", dir, ErrUnsafe)
	case !info.IsDir():
		return nil, fmt.Errorf("open %q: it is no folder: %w", dir, ErrUnsafe)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	f := &Folder{path: dir, root: root, info: info, any: anyone}
	opened, err := root.Stat(".")
	if err == nil && !os.SameFile(info, opened) {
		err = fmt.Errorf("open %q: it was replaced meanwhile: %w", dir, ErrUnsafe)
	}
	if err == nil {
		err = f.accept("", info)
	}
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return f, nil
}

// Make is Open for a writer. It makes a missing folder, with its .gitignore, and
// removes other users' access. The error wraps ErrNotStore if the folder holds foreign files.
func Make(dir string, anyone bool) (*Folder, error) {
	err := os.Mkdir(dir, folderMode)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(dir), 0o755); err == nil {
			err = os.Mkdir(dir, folderMode)
		}
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("make store %s: %w", dir, err)
	}
	f, err := Open(dir, anyone)
	if err != nil {
		return nil, err
	}
	if err := f.prepareStore(); err != nil {
		return nil, errors.Join(fmt.Errorf("make store %s: %w", dir, err), f.Close())
	}
	return f, nil
}

// prepareStore makes the folder a store.
func (f *Folder) prepareStore() error {
	foreign, err := f.foreignEntry()
	if err != nil {
		return err
	}
	if foreign != "" {
		return fmt.Errorf("it holds %q: %w", foreign, ErrNotStore)
	}
	if owner, mine := uidOf(f.info); mine && owner == os.Geteuid() && f.info.Mode().Perm() != folderMode && !f.any {
		if err := f.root.Chmod(".", folderMode); err != nil {
			return err
		}
	}
	file, err := f.root.OpenFile(ignoreFile, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = io.WriteString(file, ignoreContent)
	return errors.Join(err, file.Close())
}

// foreignEntry returns the name of an entry that no store has. It returns "" if there is no such
// entry or the folder is known to be a store.
func (f *Folder) foreignEntry() (string, error) {
	names, err := f.Names()
	if err != nil {
		return "", err
	}
	for _, name := range []string{currentFile, ProjectFile} {
		if b, err := f.Read(name); err == nil &&
			(isDatabase(trimmed(b)) || name == ProjectFile && IsProjectID(trimmed(b))) {
			return "", nil
		}
	}
	if b, err := f.Read(ignoreFile); len(names) > 0 && (err != nil || string(b) != ignoreContent) {
		return names[0], nil
	}
	for _, name := range names {
		if !Owns(name) {
			return name, nil
		}
	}
	return "", nil
}

// Clear removes a store's files from dir, and dir if nothing else is in it. kept are the names of
// the other entries. The error wraps ErrLocked during a scrape, and ErrNotStore if the folder is
// not a store. A folder named .patina always counts as a store.
func Clear(dir string, anyone bool) (kept []string, err error) {
	f, err := openDir(dir, anyone)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	foreign, err := f.foreignEntry()
	if err == nil && foreign != "" && filepath.Base(dir) != DefaultName {
		err = fmt.Errorf("clean %q: it holds %q: %w", dir, foreign, ErrNotStore)
	}
	if err != nil {
		return nil, err
	}
	if l, err := f.openLock(lockFile, 0); err == nil {
		defer func() { _ = l.Close() }()
		if err := syscall.Flock(int(l.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
			return nil, fmt.Errorf("clean %q: %w", dir, ErrLocked)
		}
	}
	names, err := f.Names()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		info, err := f.root.Lstat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		case !Owns(name) || info.IsDir():
			kept = append(kept, name)
		default: // removes a link, not its target
			if err := f.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
		}
	}
	if len(kept) == 0 {
		err = os.Remove(dir)
	}
	slices.Sort(kept)
	return kept, err
}

// Close closes the folder.
func (f *Folder) Close() error { return f.root.Close() }

// Path returns the name used to open the folder.
func (f *Folder) Path() string { return f.path }

// Inode identifies the folder in its file system.
func (f *Folder) Inode() uint64 { return inodeOf(f.info) }

// IsMoved reports whether the folder's name no longer means this folder.
func (f *Folder) IsMoved() bool {
	info, err := os.Lstat(f.path)
	return err != nil || !os.SameFile(info, f.info)
}

// Names lists the folder's entries.
func (f *Folder) Names() ([]string, error) {
	d, err := f.root.Open(".")
	if err != nil {
		return nil, err
	}
	names, err := d.Readdirnames(maxEntries + 1)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if err == nil && len(names) > maxEntries {
		err = fmt.Errorf("open %q: more than %d files: %w", f.path, maxEntries, ErrNotStore)
	}
	return names, errors.Join(err, d.Close())
}

// Check checks every entry again, as Open did.
func (f *Folder) Check() error {
	names, err := f.Names()
	if err != nil {
		return err
	}
	for _, name := range names {
		info, err := f.root.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) { // SQLite removes its log
			continue
		}
		if err == nil {
			err = f.accept(name, info)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// accept refuses an entry, or the folder itself, if it is not ours to use.
func (f *Folder) accept(name string, info os.FileInfo) error {
	refuse := func(why string) error {
		return fmt.Errorf("open %q: it is %s: %w", filepath.Join(f.path, name), why, ErrUnsafe)
	}
	switch {
	case info.Mode().Type() == fs.ModeSymlink:
		return refuse("a symbolic link")
	case name != "" && !info.Mode().IsRegular():
		return refuse("no regular file")
	case name != "" && countLinks(info) > 1: // SQLite would write to all of them
		return refuse("known by other names as well")
	}
	if owner, mine := uidOf(info); !mine && !f.any {
		return refuse("of another user (uid " + strconv.Itoa(owner) + ")")
	}
	return nil
}

// uidOf returns a file's uid, and whether it is this user's: the process's own uid, or the caller's
// under sudo.
func uidOf(info os.FileInfo) (uid int, mine bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return -1, false
	}
	uid = int(st.Uid)
	caller, err := strconv.Atoi(os.Getenv("SUDO_UID"))
	return uid, uid == os.Geteuid() || os.Geteuid() == 0 && err == nil && uid == caller
}

// OwnedByUser reports whether a file belongs to this user, as a store's files must.
func OwnedByUser(info os.FileInfo) bool {
	_, mine := uidOf(info)
	return mine
}

// Owner returns a file's uid, or -1 if the system has no uids.
func Owner(info os.FileInfo) int {
	uid, _ := uidOf(info)
	return uid
}

// countLinks counts a file's hard links.
func countLinks(info os.FileInfo) int {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(st.Nlink)
	}
	return 1
}

func inodeOf(info os.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Ino
	}
	return 0
}

// Read returns a small file's content.
func (f *Folder) Read(name string) ([]byte, error) { return safeio.ReadIn(f.root, name, maxSmall) }

// ReadUpTo returns the content of a file with at most so many bytes.
func (f *Folder) ReadUpTo(name string, limit int64) ([]byte, error) {
	return safeio.ReadIn(f.root, name, limit)
}

// Replace writes a small file whole. Readers see the old content or the new, even after a power
// loss.
func (f *Folder) Replace(name string, content []byte) error {
	if err := f.putFile(name, content, true); err != nil {
		return fmt.Errorf("write %q: %w", filepath.Join(f.path, name), err)
	}
	return SyncDir(f.path)
}

// Write is Replace for a file that may be lost in a power loss.
func (f *Folder) Write(name string, content []byte) error { return f.putFile(name, content, false) }

// Create makes an empty file. The error wraps fs.ErrExist if there is one of the name.
func (f *Folder) Create(name string) error {
	file, err := f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	return file.Close()
}

// Remove removes a file. The error wraps fs.ErrNotExist if there is no such file.
func (f *Folder) Remove(name string) error { return f.root.Remove(name) }

// Size returns the bytes of all entries together.
func (f *Folder) Size() (n int64, err error) {
	names, err := f.Names()
	for _, name := range names {
		if info, err := f.root.Lstat(name); err == nil {
			n += info.Size()
		}
	}
	return n, err
}

// putFile writes a file beside the one to replace, under a name that nobody can have created.
func (f *Folder) putFile(name string, content []byte, sync bool) error {
	tmp := name + ".new"
	if err := f.root.Remove(tmp); err != nil && !errors.Is(err, fs.ErrNotExist) { // left by a crash
		return err
	}
	file, err := f.root.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err == nil && sync {
		err = file.Sync()
	}
	err = errors.Join(err, file.Close())
	if err == nil {
		err = f.root.Rename(tmp, name)
	}
	if err != nil {
		return errors.Join(err, f.root.Remove(tmp))
	}
	return nil
}

// Settle gives every store file to the folder's owner alone. Under sudo they would be root's.
func (f *Folder) Settle() {
	owner, ok := f.info.Sys().(*syscall.Stat_t)
	names, err := f.Names()
	if !ok || err != nil {
		return
	}
	for _, name := range names {
		info, err := f.root.Lstat(name)
		if err != nil || !info.Mode().IsRegular() || !Owns(name) {
			continue
		}
		if uid, _ := uidOf(info); os.Geteuid() == 0 && uid == 0 && owner.Uid != 0 {
			_ = f.root.Lchown(name, int(owner.Uid), int(owner.Gid))
		}
		if info.Mode().Perm() != fileMode && !f.any {
			_ = f.root.Chmod(name, fileMode)
		}
	}
}

// IsProjectID reports whether a text is a project's id, 16 hexadecimal digits. The id becomes part
// of a path under the user's home, so nothing else may pass.
func IsProjectID(s string) bool { return len(s) == 16 && strings.Trim(s, "0123456789abcdef") == "" }
