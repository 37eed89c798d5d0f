package registry

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"time"

	"patina/internal/safeio"
	"patina/store"
	"patina/store/folder"
	"patina/store/sqlite"
)

// A Project is a repository that this user has indexed, with one of its indexes.
//
// An index is trusted only if it agrees with the user's record in three things: the path and the
// inode of the folder, and the secret. So an index that came with a clone, or that another user has
// put in its place, is not used.
type Project struct {
	ID     string // random, 16 hex digits; it never changes, also if the folder moves
	Name   string // for display: the last part of the root
	Root   string // absolute folder
	Store  string // absolute folder of the index
	Secret string // as in the index; see store.Seal
	Anyone bool   // adopted from another user
	// Doubt is the reason why the index is not trusted. It is empty if the index is trusted or
	// missing.
	Doubt string
	// Far is the name on all machines of a repository that other machines answer for. It has no
	// root and no index here. Far is empty for a repository of this machine.
	Far string
}

// Locator returns the root of a project, or its name on all machines if it has no root. No two
// projects have the same.
func (p Project) Locator() string { return cmp.Or(p.Root, p.Far) }

// A record holds everything that is known about a project. Its file is projects/<id>/project.json.
type record struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Root string `json:"root"`
	// Older is set by versions without inodes and secrets.
	Older  string `json:"store,omitempty"`
	Stores []kept `json:"stores"`

	// copied is the state of the file when mother.db last read it. It is empty if the file has
	// another state.
	copied string
}

// A kept is an index of a project: the one beside the code, or one of --store.
type kept struct {
	Path   string `json:"path"`
	Inode  uint64 `json:"inode"`  // of the folder
	Secret string `json:"secret"` // empty if written by a version without secrets
	Anyone bool   `json:"anyone,omitempty"`
}

// indexAt returns the index in a folder, or nil.
func (r *record) indexAt(storeDir string) *kept {
	for i := range r.Stores {
		if r.Stores[i].Path == storeDir {
			return &r.Stores[i]
		}
	}
	return nil
}

// The reasons to doubt an index.
const (
	doubtUnknown = "no scrape of yours has made it"
	doubtMoved   = "its folder is not the one that was registered: it was moved or copied"
	// DoubtOlder ends with the next scrape, because that builds the index anew.
	DoubtOlder = "it was made by an older patina"
)

// Seal returns the proof by which the store trusts the project's index.
func (p Project) Seal() store.Seal { return store.Seal{Secret: p.Secret, Anyone: p.Anyone} }

// Lookup returns the project of a store folder without writing anything. The ID is empty if the
// project has no id yet. If mother.db cannot be read, the records beside it are.
func Lookup(home, root, storeDir string) (p Project) {
	if p, ok := byRecord(home, root, storeDir); ok {
		return p
	}
	_ = withBook(home, func(b *book) { p = b.lookup(root, storeDir) })
	return p
}

// byRecord returns a project from the one record that its folder names, without mother.db. That is
// enough for most commands and takes a tenth of the time. The answer is the same as from mother.db,
// because a record is written before its row and counts if they differ. It reports false unless the
// record knows the index.
func byRecord(home, root, storeDir string) (p Project, ok bool) {
	id := idIn(storeDir)
	if id == "" {
		return p, false
	}
	r, _ := changedCopy(home, id, "")
	k := r.indexAt(storeDir)
	inode, indexed := lookAtStore(storeDir)
	if k == nil || k.Secret == "" || k.Inode != inode || !indexed {
		return p, false
	}
	return Project{
		ID: id, Name: filepath.Base(root), Root: root, Store: storeDir, Secret: k.Secret, Anyone: k.Anyone,
	}, true
}

func (b *book) lookup(root, storeDir string) Project {
	p := Project{Name: filepath.Base(root), Root: root, Store: storeDir}
	inode, indexed := lookAtStore(storeDir)
	r, ok := b.recorded(storeDir)
	k := r.indexAt(storeDir)
	switch {
	case ok && k.Secret == "":
		p.ID, p.Doubt = r.ID, DoubtOlder
	case ok && k.Inode == inode:
		p.ID, p.Secret, p.Anyone = r.ID, k.Secret, k.Anyone
	case ok:
		p.ID, p.Doubt = r.ID, doubtMoved
	default:
		p.ID, p.Doubt = b.remembered(root), doubtUnknown
		if id, ok := b.movedHere(storeDir, inode); ok {
			p.ID, p.Doubt = id, doubtMoved
		}
	}
	if !indexed {
		p.Doubt = ""
		// The next index has the same secret, so that a running engine recognises it.
		if k != nil {
			p.Secret = k.Secret
		}
	}
	return p
}

// lookAtStore returns the inode of a store's folder, and whether the folder holds a published
// index. The inode is 0 if there is no folder.
func lookAtStore(storeDir string) (inode uint64, indexed bool) {
	info, err := os.Lstat(storeDir)
	if err != nil {
		return 0, false
	}
	return inodeOf(info), folder.Published(storeDir)
}

func inodeOf(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Ino
	}
	return 0
}

// recorded returns the record of a store folder: the one whose id is in the folder, or any that
// names the folder.
func (b *book) recorded(storeDir string) (record, bool) {
	found := b.matchingRecords(ofStore, storeDir)
	if len(found) != 1 || found[0].indexAt(storeDir) == nil {
		if r, ok := b.readRecord(idIn(storeDir)); ok {
			found = append([]record{r}, found...)
		}
		found = append(found, b.allRecords()...)
	}
	for _, r := range found {
		if r.indexAt(storeDir) != nil {
			return r, true
		}
	}
	return record{}, false
}

// idIn returns the id in a store folder, or "".
func idIn(storeDir string) string {
	b, err := safeio.ReadFile(filepath.Join(storeDir, folder.ProjectFile), maxRecord)
	if id := strings.TrimSpace(string(b)); err == nil && folder.IsProjectID(id) {
		return id
	}
	return ""
}

// movedHere returns the id of a project whose store was moved to a folder: the inode is the same,
// and the old path is gone.
func (b *book) movedHere(storeDir string, inode uint64) (id string, ok bool) {
	r, ok := b.readRecord(idIn(storeDir))
	if !ok || inode == 0 {
		return "", false
	}
	for _, k := range r.Stores {
		if _, err := os.Lstat(k.Path); k.Inode == inode && errors.Is(err, fs.ErrNotExist) {
			return r.ID, true
		}
	}
	return "", false
}

// Whereabouts returns the project registered for a store folder. It reports false if there is no
// such project.
func Whereabouts(home, storeDir string) (p Project, ok bool) {
	_ = withBook(home, func(b *book) {
		var r record
		if r, ok = b.recorded(storeDir); ok {
			p = b.lookup(r.Root, storeDir)
		}
	})
	return p, ok
}

// remembered returns the id that a root had before its store was removed, or "". The id must stay
// because the user's texts are kept under it.
func (b *book) remembered(root string) string {
	for _, r := range b.allRecords() {
		if r.Root == root {
			return r.ID
		}
	}
	return ""
}

// Register registers a project and writes its folders to the store and the home. It gives the
// project an id on the first call, and makes the store folder. If the index is not trusted, Doubt
// stays and Secret is new, so the caller must build the index anew. If only the home cannot be
// written, the error wraps ErrNotNoted or ErrUnused, and the project is still valid for this
// process.
func Register(home, root, storeDir string) (Project, error) {
	unlock := lockRecords(home) // so that two first scrapes of one folder agree on one record
	defer unlock()
	p := Lookup(home, root, storeDir)
	f, err := folder.Make(storeDir, p.Anyone)
	if err != nil {
		return p, err
	}
	defer func() { _ = f.Close() }()
	if p.ID == "" {
		p.ID = randomHex(8)
	}
	if p.Secret == "" || p.Doubt != "" {
		p.Secret = randomHex(16)
	}
	if old, _ := f.Read(folder.ProjectFile); strings.TrimSpace(string(old)) != p.ID {
		if err := f.Replace(folder.ProjectFile, []byte(p.ID+"\n")); err != nil {
			return p, fmt.Errorf("write project id: %w", err)
		}
	}
	return p, noteProject(home, p, f.Inode())
}

// Adopt records that the index in a folder is trusted as it is, whoever has made it. It returns
// store.ErrNoIndex if there is no index.
func Adopt(home, root, storeDir string) (Project, error) {
	unlock := lockRecords(home)
	defer unlock()
	p := Lookup(home, root, storeDir)
	f, err := folder.Open(storeDir, true)
	if errors.Is(err, fs.ErrNotExist) {
		err = store.ErrNoIndex
	}
	if err != nil {
		return p, err
	}
	defer func() { _ = f.Close() }()
	p.Secret, err = store.SecretOf(f)
	if err == nil && p.Secret == "" {
		err = fmt.Errorf("adopt %q: it bears no secret", storeDir)
	}
	if err != nil {
		return p, err
	}
	if p.ID == "" {
		p.ID = randomHex(8)
		if id := idIn(storeDir); id != "" {
			if !isTaken(home, id) {
				p.ID = id
			}
		}
	}
	p.Anyone, p.Doubt = true, ""
	return p, noteProject(home, p, f.Inode())
}

func randomHex(bytes int) string {
	b := make([]byte, bytes)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// ErrNotNoted means that a project could not be recorded in the home, so the next process will not
// know its index.
var ErrNotNoted = errors.New("the home of patina cannot be written")

// isTaken reports whether a project has this id.
func isTaken(home, id string) (taken bool) {
	_ = withBook(home, func(b *book) { _, taken = b.readRecord(id) })
	return taken
}

// noteProject records a project, unless it is recorded already. Indexes in missing folders are
// forgotten. If mother.db cannot be used, only the record beside it is written. That is enough, so
// it is an error only if the user must act: if mother.db is damaged or not a regular file.
func noteProject(home string, p Project, inode uint64) error {
	var known record
	unused := withBook(home, func(b *book) { known, _ = b.readRecord(p.ID) })
	r := record{ID: p.ID, Name: p.Name, Root: p.Root, copied: recordStamp(home, p.ID)}
	r.Stores = slices.DeleteFunc(slices.Clone(known.Stores), func(k kept) bool {
		_, err := os.Lstat(k.Path)
		return k.Path == p.Store || errors.Is(err, fs.ErrNotExist)
	})
	r.Stores = append(r.Stores, kept{p.Store, inode, p.Secret, p.Anyone})
	slices.SortFunc(r.Stores, func(a, b kept) int { return cmp.Compare(a.Path, b.Path) })
	if unused == nil {
		if r.copied != "" && reflect.DeepEqual(r, known) {
			return nil
		}
		unused = enterRecord(home, r)
	}
	if unused == nil {
		return nil
	}
	if err := writeCopy(home, r); err != nil {
		return fmt.Errorf("note project %q: %w: %w", p.Name, ErrNotNoted, err)
	}
	if !errors.Is(unused, sqlite.ErrDamaged) && !errors.Is(unused, safeio.ErrIrregular) {
		return nil // the record counts, and is copied once possible
	}
	if !errors.Is(unused, ErrUnused) {
		unused = fmt.Errorf("%w: %w", ErrUnused, unused)
	}
	return fmt.Errorf("note project %q: %w", p.Name, unused)
}

// lockRecords waits until no other process writes a record, even an older patina. It waits at most
// lockWait, because a process that holds the lock longer has stopped. The caller must call unlock.
// A home that cannot be written needs no lock.
func lockRecords(home string) (unlock func()) {
	dir := filepath.Join(home, "projects")
	if os.MkdirAll(dir, folderMode) != nil {
		return func() {}
	}
	const flags = os.O_CREATE | os.O_RDWR | syscall.O_NOFOLLOW | syscall.O_NONBLOCK
	f, err := os.OpenFile(filepath.Join(dir, "lock"), flags, fileMode)
	if err != nil {
		return func() {}
	}
	_ = safeio.Lock(context.Background(), f, lockWait)
	return func() { _ = f.Close() }
}

// lockWait is the longest wait for other writers, each of which takes milliseconds.
const lockWait = 5 * time.Second
