package fresh

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"patina/actors/actor"
	"patina/actors/api"
	"patina/ask/project"
	"patina/scrape"
	"patina/scrape/git"
	"patina/store"
	"patina/store/build"
	"patina/store/doc"
)

const (
	// mostKnown bounds the work of a look: the number of files that are examined. 15,000 take 30 ms
	// on two cores.
	mostKnown = 50_000

	// The cost of reading a change, on two cores, rounded up.
	aRun      = 60 * time.Millisecond // git, the lock and the publication
	aWholeRun = 12 * time.Microsecond // in addition, for each file of the tree: 110 ms for 10,000
	aFile     = 2 * time.Millisecond
	aByte     = 500 * time.Nanosecond
	aHead     = 60 * time.Millisecond // git's list of new commits
	aCommit   = time.Millisecond
)

// A Sight is the result of a look at a tree.
type Sight struct {
	scrape.Glance
	Known int  // number of files of the index
	Head  bool // HEAD is at another commit than the index
	Quiet bool // HEAD, git's index and the times of all folders are unchanged
	at    time.Time
	index doc.Generation
	anew  time.Duration // estimated cost of building the index anew
}

// Look compares the tree with its index: HEAD and folders first, then files. The work is bounded.
// The bound within, measured by a stopwatch, is needed because a disk may hang.
func Look(
	ctx context.Context, p project.Place, e api.Service, within time.Duration, w actor.Stopwatch,
) (Sight, error) {
	at, end := time.Now(), w.Elapsed()+within
	tree, err := e.Tree(ctx, api.TreeRequest{
		ReadOptions: api.ReadOptions{Timeout: max(within, time.Second)}, Limit: mostKnown,
	})
	if err != nil {
		return Sight{}, err
	}
	s := Sight{Known: tree.Index.Generation.Files, at: at, index: tree.Index.Generation}
	s.anew = aRun + aHead + time.Duration(s.Known)*aFile + time.Duration(s.index.Commits)*aCommit
	for _, f := range tree.Files {
		s.anew += time.Duration(f.Size) * aByte
	}
	staged := false // without a repository the folders show it
	if t, err := git.Find(p.Root); err == nil {
		staged = stagedSince(t, tree.Listed)
		head, _, err := t.Head()
		if s.Head = err == nil && head != s.index.Head; t.Root == "" { // a bare repository has no files
			s.Folders = true
			return s, nil
		}
	}
	look := scrape.Look{
		Root: p.Root, StoreDir: p.Store, Known: tree.Files, Part: len(tree.Files) < s.Known,
		Listed: tree.Listed, Over: func() bool { return w.Elapsed() > end },
	}
	s.Glance, err = look.Glance()
	s.Quiet = err == nil && s.Still && !s.Head && !staged && !s.Moved()
	return s, err
}

// stagedSince reports whether git's index was, or may have been, written after a time.
func stagedSince(t git.Tree, last time.Time) bool {
	info, err := os.Lstat(filepath.Join(t.GitDir, "index"))
	return err != nil || !info.ModTime().Before(last)
}

// Moved reports whether there are changes to read.
func (s Sight) Moved() bool { return s.Head || len(s.Names()) > 0 }

// whole reports whether, once all names are read, the index is as the tree was when the look began.
func (s Sight) whole() bool { return s.Folders && s.Looked == s.Known }

// options returns the options of the scrape that reads the found changes, and its estimated cost.
func (s Sight) options(p project.Place) (o scrape.Options, cost time.Duration) {
	names := s.Names()
	cost = aRun + time.Duration(len(names))*aFile + time.Duration(s.Size)*aByte
	o.Update = true
	if s.Head {
		cost += aHead
	}
	switch {
	case len(names) == 0:
		o.Only = "git"
	case scrape.Alone(p.Root, names):
		o.Files, o.History = names, s.Head
	default:
		cost += time.Duration(s.Known) * aWholeRun
	}
	if s.whole() {
		o.Looked = s.at
	}
	return o, cost
}

// Errors of Refresh, if a question does not read the changes.
var (
	ErrForbidden = errors.New("--no-refresh")
	ErrSlow      = errors.New("too much for a question to read")
	ErrStrange   = errors.New("the index is another user's")
)

// Refresh reads the changes that a look found, if their estimated cost is at most within. It
// returns the number of files and commits read. It returns ErrForbidden if within is not positive,
// ErrStrange for another user's index, and ErrSlow if the changes are too many. A change is read
// completely or not at all.
func Refresh(ctx context.Context, p project.Place, s Sight, within time.Duration) (int, error) {
	if within <= 0 {
		return 0, ErrForbidden
	}
	if p.Anyone || p.Doubt != "" {
		return 0, ErrStrange
	}
	o, cost := s.options(p)
	if s.Head && cost <= within {
		behind, _ := project.Behind(ctx, p.Root, s.index)
		cost += time.Duration(max(behind, 0)) * aCommit
	}
	if cost > within {
		return 0, ErrSlow
	}
	// The estimate has decided. If it was too low, reading may take twice the time.
	inner, cancel := context.WithTimeout(ctx, 2*within)
	defer cancel()
	sum, err := project.Scrape(inner, p, o, func(error) {})
	if errors.Is(err, build.ErrRebuild) && s.anew <= within { // a tiny index
		sum, err = project.Scrape(inner, p, scrape.Options{}, func(error) {})
	}
	if err != nil && ctx.Err() == nil && inner.Err() != nil && !errors.Is(err, store.ErrLocked) {
		return 0, ErrSlow
	}
	return sum.Added + sum.Changed + sum.Removed + sum.Commits, err
}

// A Reason is the reason for which another process could not read changes, as Unread returned it
// there.
type Reason string

// Error implements error.
func (r Reason) Error() string { return string(r) }

// Unread returns in a few words why a refresh failed. It returns "" for ErrForbidden. err must not
// be nil.
func Unread(err error) string {
	_, told := errors.AsType[Reason](err)
	switch {
	case errors.Is(err, ErrForbidden):
		return ""
	case told, errors.Is(err, ErrSlow), errors.Is(err, ErrStrange):
		return err.Error()
	case errors.Is(err, store.ErrLocked):
		return "another scrape is at work"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return "the index cannot be written"
	case errors.Is(err, store.ErrOlder), errors.Is(err, build.ErrRebuild):
		return "the index is better built anew"
	}
	return fmt.Sprintf("not read: %v", err)
}
