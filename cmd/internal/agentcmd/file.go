package agentcmd

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"patina/internal/safeio"
)

// The bounds of files that are read. A user's settings may be large, because some clients keep
// whole conversations in them. A project may be a stranger's.
const (
	maxFile        = 32 << 20
	maxProjectFile = 1 << 20
)

func (d *draft) limit() int64 {
	if d.scope == Project {
		return maxProjectFile
	}
	return maxFile
}

// backupSuffix names the copy of a file from before the first change.
const backupSuffix = ".patina-backup"

// A draft is one file while a plan is made.
type draft struct {
	path   string // as named by the client
	real   string // after following all links
	scope  Scope
	base   string // the folder that is never removed
	exists bool
	mode   fs.FileMode
	owner  *syscall.Stat_t // of the existing file
	before []byte
	now    []byte
	origin []byte // content before ours; nil if there was no file or it is not known
	backed bool   // a backup exists
	stale  bool   // the backup is all that is left of ours

	wrote    written // our texts in the file
	recorded bool    // the record lists the file
	unknown  bool    // it is not known which texts are ours
	err      error
}

// loadDraft reads a file for a plan. A missing file is not an error. Other faults are in the
// draft's err.
func loadDraft(path, base string, scope Scope) *draft {
	if real, err := filepath.EvalSymlinks(base); err == nil {
		base = real
	}
	d := &draft{path: path, real: path, scope: scope, base: base, mode: 0o644}
	if scope == User {
		d.mode = 0o600
	}
	d.err = d.readFile()
	return d
}

func (d *draft) readFile() error {
	_, err := os.Lstat(d.path)
	if errors.Is(err, fs.ErrNotExist) {
		return d.checkInside(filepath.Dir(d.path))
	}
	if err != nil {
		return err
	}
	if d.real, err = filepath.EvalSymlinks(d.path); err != nil {
		return err
	}
	if err := d.checkInside(d.real); err != nil {
		return err
	}
	if d.before, err = safeio.ReadFile(d.real, d.limit()); err != nil {
		return err
	}
	info, err := os.Stat(d.real)
	if err != nil {
		return err
	}
	d.owner, _ = info.Sys().(*syscall.Stat_t)
	d.before = append([]byte{}, d.before...) // not nil, which means that there is no file
	d.exists, d.mode, d.now = true, info.Mode().Perm(), d.before
	switch d.origin, err = safeio.ReadFile(d.real+backupSuffix, d.limit()); {
	case err == nil:
		d.backed, d.origin = true, append([]byte{}, d.origin...)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return nil
}

// checkInside returns an error for a link that leads out of a project, because the author of the
// repository would choose the file. path need not exist.
func (d *draft) checkInside(path string) error {
	if d.scope != Project {
		return nil
	}
	for { // the nearest folder that exists
		real, err := filepath.EvalSymlinks(path)
		if errors.Is(err, fs.ErrNotExist) && filepath.Dir(path) != path {
			path = filepath.Dir(path)
			continue
		}
		if err != nil {
			return err
		}
		if real != d.base && !strings.HasPrefix(real, d.base+string(filepath.Separator)) {
			return errors.New("it is a link that leads out of the project")
		}
		return nil
	}
}

// readOnly reports whether the mode of a file forbids writing.
func (d *draft) readOnly() bool { return d.exists && d.mode&0o200 == 0 }

// writeFile writes a draft to disk. If adds is set, a copy is kept first. Otherwise the copy is
// removed, unless something of ours is left.
func (d *draft) writeFile(adds, left bool) error {
	if d.stale {
		return os.Remove(d.real + backupSuffix)
	}
	if bytes.Equal(d.before, d.now) && d.exists == (d.now != nil) {
		return nil
	}
	is, err := safeio.ReadFile(d.real, d.limit())
	if errors.Is(err, fs.ErrNotExist) == d.exists || !bytes.Equal(is, d.before) {
		return fmt.Errorf("write %q: it has changed meanwhile", d.path)
	}
	if d.now == nil {
		if err := os.Remove(d.real); err != nil {
			return err
		}
		if d.backed {
			if err := os.Remove(d.real + backupSuffix); err != nil {
				return err
			}
		}
		d.prune()
		return nil
	}
	if err := d.secure(adds); err != nil {
		return err
	}
	if err := replaceFile(d.real, d.now, d.mode, d.owner); err != nil {
		return err
	}
	if d.backed && !adds && !left {
		return os.Remove(d.real + backupSuffix)
	}
	return nil
}

// secure keeps a copy of a file before the first thing is added to it, and makes its folder.
func (d *draft) secure(adds bool) error {
	if d.exists {
		if !adds || d.backed || d.wrote.Created { // there was no file before ours
			return nil
		}
		return replaceFile(d.real+backupSuffix, d.before, d.mode, d.owner)
	}
	mode := fs.FileMode(0o755)
	if d.scope == User {
		mode = 0o700
	}
	dir := filepath.Dir(d.real)
	if err := makeFolders(dir, mode); err != nil || os.Geteuid() != 0 {
		return err
	}
	d.owner, _ = ownerOf(dir) // root must leave files to the owner of the folder
	return nil
}

// makeFolders makes a folder and its parents. A folder made by root gets the owner of its parent.
func makeFolders(dir string, mode fs.FileMode) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	if up := filepath.Dir(dir); up != dir {
		if err := makeFolders(up, mode); err != nil {
			return err
		}
	}
	err := os.Mkdir(dir, mode)
	if info, statErr := os.Stat(dir); errors.Is(err, fs.ErrExist) && statErr == nil && info.IsDir() {
		return nil // another process was faster
	}
	if err != nil || os.Geteuid() != 0 {
		return err
	}
	owner, err := ownerOf(filepath.Dir(dir))
	if err != nil || owner == nil {
		return err
	}
	return os.Lchown(dir, int(owner.Uid), int(owner.Gid))
}

func ownerOf(path string) (*syscall.Stat_t, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	owner, _ := info.Sys().(*syscall.Stat_t)
	return owner, nil
}

// prune removes folders of the file that are now empty.
func (d *draft) prune() {
	for dir := filepath.Dir(d.real); strings.HasPrefix(dir,
		d.base+string(filepath.Separator)); dir = filepath.Dir(dir) {
		if os.Remove(dir) != nil { // Remove fails for a folder that is not empty
			return
		}
	}
}

// keepOwner gives a new file the owner and the group of the replaced one. A nil owner changes
// nothing.
func keepOwner(f *os.File, owner *syscall.Stat_t) error {
	if owner == nil {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if is, ok := info.Sys().(*syscall.Stat_t); ok && is.Uid == owner.Uid && is.Gid == owner.Gid {
		return nil
	}
	return f.Chown(int(owner.Uid), int(owner.Gid))
}

// replaceFile writes a file whole or not at all, with a mode. If owner is not nil, the file gets
// that owner.
func replaceFile(path string, content []byte, mode fs.FileMode, owner *syscall.Stat_t) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".patina-*")
	if err != nil {
		return fmt.Errorf("write %q: %w", path, err)
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
			err = fmt.Errorf("write %q: %w", path, err)
		}
	}()
	if _, err = f.Write(content); err != nil {
		return err
	}
	if err = keepOwner(f, owner); err != nil {
		return err
	}
	if err = f.Chmod(mode); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	if err = os.Rename(f.Name(), path); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil // the rename itself was successful
	}
	_ = dir.Sync()
	return dir.Close()
}
