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
	"patina/store/sqlite"
)

// A Project is a repository indexed for this user, with the one index asked for.
//
// An index is believed only where it agrees with the user's record: in the folder's path, its
// inode, and the secret in both. So an index that came with a clone, or was swapped in by somebody,
// is not taken for the user's own.
type Project struct {
	ID     string // random, 16 hex digits: the same for ever, also when the folder moves
	Name   string // for display: the root's last part
	Root   string // absolute
	Store  string // absolute folder for the index
	Secret string // as the index keeps it: store.Seal
	Anyone bool   // adopted from another user
	// Why the index is not believed; empty where it is, or there is none.
	Doubt string
}

// A record holds everything known about a project. Its file is projects/<id>/project.json.
type record struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Root string `json:"root"`
	// As written by versions that knew neither inode nor secret.
	Older  string `json:"store,omitempty"`
	Stores []kept `json:"stores"`

	// ^ The file's state as mother.db last saw it; empty: not the present one.
	copied string
}

// A kept is an index for a project: the one beside the code, and the ones for --store.
type kept struct {
	Path   string `json:"path"`
	Inode  uint64 `json:"inode"`  // the folder's
	Secret string `json:"secret"` // empty: from a version without secrets
	Anyone bool   `json:"anyone,omitempty"`
}

// indexAt is the index in a folder, or nil.
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
	// DoubtOlder ends with the next scrape, which builds the index anew.
	DoubtOlder = "it was made by an older patina"
)

// Seal is the proof by which the store believes the project's index.
func (p Project) Seal() store.Seal { return store.Seal{Secret: p.Secret, Anyone: p.Anyone} }

// Lookup describes the project in a store folder without writing anything. The ID is empty if none
// was given yet. Where mother.db cannot be read, the records beside it are.
func Lookup(home, root, storeDir string) (p Project) {
	if p, ok := byRecord(home, root, storeDir); ok {
		return p
	}
	_ = withBook(home, func(b *book) { p = b.lookup(root, storeDir) })
	return p
}

// byRecord describes a project by the one record named in its folder, without mother.db. That is
// enough for most commands, in a tenth of the time. A record is written before its row and counts
// where the two differ, so the answer is the same. It is not ok unless the record knows the index.
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
		// The next index bears the same secret, so that a running engine knows it.
		if k != nil {
			p.Secret = k.Secret
		}
	}
	return p
}

// lookAtStore returns the inode of a store's folder, and whether an index is published in it.
func lookAtStore(storeDir string) (inode uint64, indexed bool) {
	info, err := os.Lstat(storeDir)
	if err != nil {
		return 0, false
	}
	return inodeOf(info), store.Published(storeDir)
}

func inodeOf(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Ino
	}
	return 0
}

// recorded finds the record for a store folder: by the id in the folder, or any that names the
// folder.
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

// idIn is the id in a store folder, or empty.
func idIn(storeDir string) string {
	b, err := safeio.ReadFile(filepath.Join(storeDir, store.ProjectFile), maxRecord)
	if id := strings.TrimSpace(string(b)); err == nil && store.IsProjectID(id) {
		return id
	}
	return ""
}

// movedHere returns the id of a project whose store was moved. The folder is the same, and gone
// from its old place.
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

// Whereabouts returns the project registered for a store folder, wherever the caller is.
func Whereabouts(home, storeDir string) (p Project, ok bool) {
	_ = withBook(home, func(b *book) {
		var r record
		if r, ok = b.recorded(storeDir); ok {
			p = b.lookup(r.Root, storeDir)
		}
	})
	return p, ok
}

// remembered finds the id of a root before its store was removed: a user's texts are kept under
// that id.
func (b *book) remembered(root string) string {
	for _, r := range b.allRecords() {
		if r.Root == root {
			return r.ID
		}
	}
	return ""
}

// Register gives a project its id on the first call. It notes in both places, store and home, where
// the project lies now. The store folder is made. An unbelieved index keeps its Doubt: it is to be
// built anew, and the secret is another one. If only the home cannot be written, the project is
// valid for this process and the error says so.
func Register(home, root, storeDir string) (Project, error) {
	unlock := lockRecords(home) // two first scrapes of one folder agree on one record
	defer unlock()
	p := Lookup(home, root, storeDir)
	f, err := store.MakeFolder(storeDir, p.Anyone)
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
	if old, _ := f.Read(store.ProjectFile); strings.TrimSpace(string(old)) != p.ID {
		if err := f.Replace(store.ProjectFile, []byte(p.ID+"\n")); err != nil {
			return p, fmt.Errorf("write project id: %w", err)
		}
	}
	return p, noteProject(home, p, f.Inode())
}

// Adopt notes that the index in a folder is to be believed as it is, whoever has made it.
func Adopt(home, root, storeDir string) (Project, error) {
	unlock := lockRecords(home)
	defer unlock()
	p := Lookup(home, root, storeDir)
	f, err := store.OpenFolder(storeDir, true)
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

// ErrNotNoted means a project could not be noted in the home. The next process will not know its
// index.
var ErrNotNoted = errors.New("the home of patina cannot be written")

// isTaken reports whether a project has this id.
func isTaken(home, id string) (taken bool) {
	_ = withBook(home, func(b *book) { _, taken = b.readRecord(id) })
	return taken
}

// noteProject enters a project, unless everything is known already. Indexes in missing folders are
// forgotten. If mother.db cannot be used, the record beside it is written alone. That is enough,
// and is reported only where somebody must act: mother.db is damaged.
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
		return nil // the record counts, and is taken over once possible
	}
	if !errors.Is(unused, ErrUnused) {
		unused = fmt.Errorf("%w: %w", ErrUnused, unused)
	}
	return fmt.Errorf("note project %q: %w", p.Name, unused)
}

// lockRecords waits until no other process writes a record, even an older patina. A home that
// cannot be written needs no lock; whoever holds it for seconds has stopped.
func lockRecords(home string) (unlock func()) {
	dir := filepath.Join(home, "projects")
	if os.MkdirAll(dir, folderMode) != nil {
		return func() {}
	}
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, fileMode)
	if err != nil {
		return func() {}
	}
	_ = safeio.Lock(context.Background(), f, lockWait)
	return func() { _ = f.Close() }
}

// lockWait is how long a writer waits for others, each of which takes milliseconds.
const lockWait = 5 * time.Second
