package walk

import (
	"errors"
	"os"
	"path"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"patina/scrape/openat"
	"patina/store/doc"
)

// A Look compares a tree with the files that an index knows, by the times of files and folders
// alone. It starts no program. In a tree of many folders, folders without any indexed file are not
// watched.
type Look struct {
	Root, StoreDir string
	Known          []doc.Seen  // must be sorted by path
	Part           bool        // the index knows more; a name not in Known may not be new
	Listed         time.Time   // when the whole tree was last listed
	Over           func() bool // whether time is up; must not be nil; called concurrently
}

// A Glance is the result of a Look. All names are sorted.
type Glance struct {
	Looked  int      // number of known files that were looked at
	Changed []string // the content may differ, or the name is no longer a regular file
	Removed []string
	Unsure  []string // read too soon after they were written; usually unchanged
	New     []string // files and folders that the index does not know; git may ignore them
	Folders bool     // every folder was looked at, so New is complete
	Still   bool     // every folder was looked at, and none has changed since the tree was listed
	Size    int64    // total of Changed, Unsure and the files of New, in bytes
}

// Files returns the number of differences, without Unsure.
func (g Glance) Files() int { return len(g.Changed) + len(g.Removed) + len(g.New) }

// Names returns all names that may differ from the index.
func (g Glance) Names() []string { return slices.Concat(g.Changed, g.Removed, g.New, g.Unsure) }

const (
	// fineLag is how far the time of a file may be behind the process's clock. A time in whole
	// seconds may come from a file system without finer ones, so coarseLag applies to it.
	fineLag   = 20 * time.Millisecond
	coarseLag = 2 * time.Second

	maxNames   = 10_000 // names of one folder that are compared
	fewFolders = 64     // up to so many folders are all read, and so many without an indexed file
	maxBare    = 1000   // names read in folders without an indexed file
)

// A looking is a Look in progress.
type looking struct {
	Look
	at      *openat.Folder
	late    atomic.Bool
	folders []string       // of known files, parents first
	known   map[string]int // the index of each in folders and state
	state   []folderState

	mu   sync.Mutex
	g    Glance
	bare []string // unchanged folders without an indexed file
}

// A folderState is the result of looking at a folder.
type folderState struct {
	above             int // index of its parent
	real, seen, moved bool
}

// Glance compares the tree with l.Known. If the time is up, it leaves out the rest, files first. It
// returns an error only if Root cannot be opened.
func (l Look) Glance() (Glance, error) {
	at, err := openat.Open(l.Root)
	if err != nil {
		return Glance{}, err
	}
	defer at.Close()
	k := &looking{Look: l, at: at, known: map[string]int{".": 0}, folders: []string{"."}, state: make([]folderState, 1)}
	in := make([]int32, len(l.Known)) // the folder of each file
	for i, f := range l.Known {
		if dir := openat.Parent(f.Path); i > 0 && dir == openat.Parent(l.Known[i-1].Path) {
			in[i] = in[i-1]
		} else {
			in[i] = int32(k.addFolder(dir))
		}
	}
	eachParallel(len(k.folders), k.lookAtFolder)
	for i := range k.state {
		s := &k.state[i]
		s.real = s.real && k.state[s.above].real
	}
	k.entries()
	k.g.Still = !l.Part && !slices.ContainsFunc(k.state, func(s folderState) bool {
		return !s.seen || s.moved || !s.real
	})
	var looked atomic.Int64
	eachParallel(len(l.Known), func(i int) {
		if k.isOver(i) {
			return
		}
		looked.Add(1)
		k.lookAtFile(&l.Known[i], k.state[in[i]].real)
	})
	k.g.Looked = int(looked.Load())
	for _, names := range [][]string{k.g.Changed, k.g.Removed, k.g.Unsure, k.g.New} {
		slices.Sort(names)
	}
	return k.g, nil
}

// addFolder adds a folder and its parents if they are new. It returns the folder's index.
func (k *looking) addFolder(dir string) int {
	n, ok := k.known[dir]
	if !ok {
		above := k.addFolder(openat.Parent(dir))
		n = len(k.folders)
		k.known[dir] = n
		k.folders = append(k.folders, dir)
		k.state = append(k.state, folderState{above: above})
	}
	return n
}

// isOver reports whether the time is up. It calls Over only once in statRun numbers, because Over
// may be slow.
func (k *looking) isOver(i int) bool {
	if i%statRun == 0 && k.Over() {
		k.late.Store(true)
	}
	return k.late.Load()
}

func (k *looking) lookAtFolder(i int) {
	if k.isOver(i) {
		k.state[i].real = true // unknown, so its files must say
		return
	}
	info, err := k.at.Lstat(k.folders[i])
	s := &k.state[i]
	s.seen = true
	s.real = err != nil && errors.Is(err, os.ErrPermission) || err == nil && info.Mode&unix.S_IFMT == unix.S_IFDIR
	s.moved = err == nil && s.real && k.since(&info)
}

// since reports whether something changed after the tree was listed, or may have.
func (k *looking) since(info *unix.Stat_t) bool {
	last := max(info.Mtim.Nano(), info.Ctim.Nano())
	lag := fineLag
	if last%int64(time.Second) == 0 {
		lag = coarseLag
	}
	return last > k.Listed.Add(-lag).UnixNano()
}

func (k *looking) lookAtFile(f *doc.Seen, real bool) {
	info, err := k.at.Lstat(f.Path)
	if !real {
		err = os.ErrNotExist
	}
	now := openat.StatOf(&info)
	switch {
	case errors.Is(err, os.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		k.noteName(&k.g.Removed, f.Path, 0)
	case err == nil && info.Mode&unix.S_IFMT == unix.S_IFREG && now == f.Stat:
	case err == nil && info.Mode&unix.S_IFMT == unix.S_IFREG && f.Stat.Inode == 0 && now.Size == f.Stat.Size &&
		now.ModTime == f.Stat.ModTime && now.ChangeTime == f.Stat.ChangeTime:
		k.noteName(&k.g.Unsure, f.Path, now.Size)
	default:
		k.noteName(&k.g.Changed, f.Path, now.Size)
	}
}

func (k *looking) noteName(to *[]string, name string, size int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	*to = append(*to, name)
	k.g.Size += size
}

// entries looks for new names in the folders that changed.
func (k *looking) entries() {
	var moved []string
	k.g.Folders = !k.late.Load() && !k.Part
	for i, dir := range k.folders {
		if k.state[i].real && (k.state[i].moved || len(k.folders) <= fewFolders) {
			moved = append(moved, dir)
		}
	}
	if len(moved) == 0 || k.Part {
		return
	}
	own := ownFolder(k.Root, k.StoreDir)
	var full atomic.Bool
	for i, dir := range moved {
		if k.isOver(i * statRun) {
			break
		}
		names, whole, err := k.at.Names(dir, maxNames)
		if !whole || err != nil {
			full.Store(true)
		}
		names = slices.DeleteFunc(names, func(n string) bool {
			n = path.Join(dir, n)
			_, known := k.known[n]
			return known || isStrange(n) || neverCounts(n+"/x", own) || k.has(n)
		})
		eachParallel(len(names), func(i int) {
			if !k.isOver(i) {
				k.entry(path.Join(dir, names[i]))
			}
		})
	}
	if len(k.folders) <= fewFolders {
		k.lookForNew(own)
	}
	k.g.Folders = !k.late.Load() && !full.Load()
}

// lookForNew looks for new names in folders without an indexed file, breadth first. It is needed
// because no time of a folder above says that a file was written there. Git may ignore most of
// them.
func (k *looking) lookForNew(own string) {
	slices.Sort(k.bare)
	looked := 0
	for n := 0; n < min(len(k.bare), fewFolders) && looked < maxBare; n++ {
		names, _, _ := k.at.Names(k.bare[n], maxBare-looked)
		for _, name := range names {
			name = path.Join(k.bare[n], name)
			if looked++; !k.isOver(looked) && !isStrange(name) && !neverCounts(name+"/x", own) {
				k.entry(name)
			}
		}
	}
}

func (k *looking) has(name string) bool {
	_, ok := slices.BinarySearchFunc(k.Known, name, func(f doc.Seen, n string) int {
		switch {
		case f.Path < n:
			return -1
		case f.Path > n:
			return 1
		}
		return 0
	})
	return ok
}

// entry adds an unknown name to the new ones. A name that has not changed since the tree was listed
// is left out, because the listing did not count it.
func (k *looking) entry(name string) {
	info, err := k.at.Lstat(name)
	if err != nil {
		return
	}
	if !k.since(&info) {
		if info.Mode&unix.S_IFMT == unix.S_IFDIR {
			k.mu.Lock()
			k.bare = append(k.bare, name)
			k.mu.Unlock()
		}
		return
	}
	switch info.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		k.noteName(&k.g.New, name, info.Size)
	case unix.S_IFDIR:
		k.noteName(&k.g.New, name, 0)
	}
}

// Nested reports whether one of the names is in another repository inside the tree, such as a
// submodule. It returns true if root cannot be opened.
func Nested(root string, names []string) bool {
	at, err := openat.Open(root)
	if err != nil {
		return true
	}
	defer at.Close()
	asked := map[string]bool{".": true}
	for _, n := range names {
		for dir := openat.Parent(n); !asked[dir]; dir = openat.Parent(dir) {
			asked[dir] = true
			if _, err := at.Lstat(dir + "/.git"); err == nil {
				return true
			}
		}
	}
	return false
}
