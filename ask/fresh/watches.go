package fresh

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/fsnotify/fsnotify"
)

const (
	// mostFolders bounds the folders that are watched, whatever the system allows, because a watch
	// takes a kilobyte of the kernel's memory.
	mostFolders = 50_000
	// mostBranches bounds the folders of branches that are watched.
	mostBranches = 256
)

// limitFile holds the number of watches that Linux allows a user.
const limitFile = "/proc/sys/fs/inotify/max_user_watches"

// A system gets notifications from the operating system. It may be used concurrently.
type system struct {
	w    *Watcher
	lost chan struct{} // closed when notifications are no longer complete

	mu      sync.Mutex
	notify  *fsnotify.Watcher
	own     string // the folder of the barriers
	crossed map[string]chan struct{}
	watches map[string]bool // folders of the tree
	count   int
	cause   error
	tops    map[string]os.FileInfo // the root and the git folders, when begin was called
}

func newSystem(w *Watcher) *system {
	return &system{w: w, lost: make(chan struct{}), crossed: map[string]chan struct{}{}, watches: map[string]bool{}}
}

// limit returns the maximum number of folders that are watched.
func (s *system) limit() int {
	if s.w.o.Most > 0 {
		return s.w.o.Most
	}
	text, err := os.ReadFile(limitFile)
	if n, e := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && e == nil {
		return min(mostFolders, n/2)
	}
	return mostFolders
}

// begin watches the tree and its git folders. The error says why it cannot.
func (s *system) begin(ctx context.Context) error {
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("no notifications (fs.inotify.max_user_instances may be too low): %w", err)
	}
	own, err := os.MkdirTemp("", "patina-live-")
	if err == nil {
		err = notify.Add(own)
	}
	tops := map[string]os.FileInfo{}
	for _, dir := range append([]string{s.w.o.Root}, s.w.o.Git...) {
		if info, err := os.Stat(dir); err == nil {
			tops[dir] = info
		}
	}
	s.mu.Lock()
	s.notify, s.own, s.tops = notify, own, tops
	s.mu.Unlock()
	if err != nil {
		return fmt.Errorf("no notifications (fs.inotify.max_user_watches may be too low): %w", err)
	}
	for _, dir := range s.w.o.Git {
		s.git(dir)
	}
	return s.add(ctx, []string{"."})
}

// git watches the files of a git folder that change with commits or branches.
func (s *system) git(dir string) {
	_ = s.notify.Add(dir)
	s.branch(dir, "logs")
	s.branch(dir, "refs")
}

// branch watches a folder in a git folder, and the folders in it, if they change with branches. It
// reports whether they do.
func (s *system) branch(dir, name string) bool {
	if name != "logs" && name != "refs" && !strings.HasPrefix(name, "refs/") {
		return false
	}
	n := 0
	_ = filepath.WalkDir(filepath.Join(dir, filepath.FromSlash(name)), func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || n >= mostBranches:
			return fs.SkipAll
		case !d.IsDir():
			return nil
		case name == "logs" && n > 0: // the log of HEAD is enough
			return fs.SkipDir
		}
		n++
		_ = s.notify.Add(p)
		return nil
	})
	return n > 0
}

// forget removes the watches of a folder that was moved or removed, because they would go on under
// the old name.
func (s *system) forget(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.watches[name] {
		return
	}
	for watched := range s.watches {
		if watched == name || strings.HasPrefix(watched, name+"/") {
			delete(s.watches, watched)
			_ = s.notify.Remove(s.path(watched))
		}
	}
}

// path returns the path of a folder in the tree.
func (s *system) path(name string) string {
	return filepath.Join(s.w.o.Root, filepath.FromSlash(name))
}

// follow watches new folders. "." means the whole tree, which is listed again.
func (s *system) follow(ctx context.Context, folders []string) {
	if len(folders) == 0 || !s.w.isWatched() {
		return
	}
	if err := s.add(ctx, folders); err != nil && ctx.Err() == nil {
		s.lose(err)
	}
}

// lose records that notifications are no longer complete.
func (s *system) lose(why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cause == nil {
		s.cause = why
		close(s.lost)
	}
}

// stands reports whether the tree and its git folders are still the watched ones. If one was
// removed and made again, there are no notifications about the new one.
func (s *system) stands() bool {
	s.mu.Lock()
	tops := s.tops
	s.mu.Unlock()
	for dir, was := range tops {
		now, err := os.Stat(dir)
		if err != nil || !os.SameFile(now, was) {
			s.lose(fmt.Errorf("%q was removed or made again", dir))
			return false
		}
	}
	return true
}

// add watches the folders at and below some paths. It lists them until no folder is new, because a
// folder may be made in another one between listing and watching that.
func (s *system) add(ctx context.Context, below []string) error {
	most := s.limit()
	for more := true; more; {
		folders, whole, err := s.w.o.Folders(ctx, below, most)
		if err != nil {
			return err
		}
		if !whole {
			return tooMany(most)
		}
		if more, err = s.set(folders, most); err != nil {
			return err
		}
	}
	return nil
}

func tooMany(most int) error { return fmt.Errorf("the tree has more than %d folders", most) }

// set watches folders, and reports whether one of them is new. It ignores a folder that no longer
// exists.
func (s *system) set(folders []string, most int) (more bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range folders {
		if !s.watches[name] && len(s.watches) >= most {
			return false, tooMany(most)
		}
		err := s.notify.Add(s.path(name))
		switch {
		case err == nil && !s.watches[name]:
			s.watches[name], more = true, true
		case err == nil:
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.ENOTDIR):
		case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
			const full = "the system gives no more watches (fs.inotify.max_user_watches may be too low): %w"
			return false, fmt.Errorf(full, err)
		default:
			return false, fmt.Errorf("watch %q: %w", name, err)
		}
	}
	return more, nil
}

// why returns the reason why notifications are no longer complete, or nil.
func (s *system) why() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cause
}

func (s *system) events() <-chan fsnotify.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.notify == nil {
		return nil
	}
	return s.notify.Events
}

func (s *system) errors() <-chan error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.notify == nil {
		return nil
	}
	return s.notify.Errors
}

func (s *system) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.notify != nil {
		_ = s.notify.Close()
	}
	if s.own != "" {
		_ = os.RemoveAll(s.own)
	}
}

func isFolder(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}
