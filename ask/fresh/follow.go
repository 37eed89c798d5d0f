package fresh

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"time"

	"patina/actors/actor"
	"patina/actors/api"
	"patina/ask/project"
	"patina/scrape"
	"patina/scrape/git"
	"patina/store"
	"patina/store/build"
)

const (
	// lookWhole bounds a comparison for which no answer waits.
	lookWhole = time.Minute
	// lockedPause is the time between two attempts to write an index that another process writes.
	lockedPause = 50 * time.Millisecond
)

// Follow keeps the index of a place up to date with its tree. It calls changed after it has read
// something. The engine must stay open until the watcher is closed. log and changed may be nil.
func Follow(ctx context.Context, p project.Place, e api.Service, log *slog.Logger, changed func()) *Watcher {
	o := Options{Root: p.Root, Log: log}
	if t, err := git.Find(p.Root); err == nil {
		o.Git = slices.Compact([]string{t.GitDir, t.CommonDir})
		// The links are resolved, because notifications have the names by which folders are
		// watched.
		for i, dir := range o.Git {
			if real, err := filepath.EvalSymlinks(dir); err == nil {
				o.Git[i] = real
			}
		}
	}
	o.Folders = func(ctx context.Context, below []string, most int) ([]string, bool, error) {
		return scrape.Folders(ctx, p.Root, p.Store, below, most)
	}
	seen := generation(ctx, e)
	o.Read = func(ctx context.Context, c Change) (int, error) {
		n, err := read(ctx, p, e, c)
		was := seen
		if seen = generation(ctx, e); n == 0 && seen != was { // another process has read it
			n = 1
		}
		if n > 0 && changed != nil {
			changed()
		}
		return n, err
	}
	return Start(ctx, o)
}

// generation returns the number of the index's generation, or -1 if it is unknown.
func generation(ctx context.Context, e api.Service) int64 {
	t, err := e.Tree(ctx, api.TreeRequest{ReadOptions: api.ReadOptions{Timeout: lookWhole}, Limit: 1})
	if err != nil {
		return -1
	}
	return t.Index.Generation.Number
}

// read brings an index up to date with a change, and returns the number of files and commits read.
// If another process writes the index, read waits and then compares the whole tree. It returns 0 if
// the index was removed.
func read(ctx context.Context, p project.Place, e api.Service, c Change) (int, error) {
	for {
		n, err := readOnce(ctx, p, e, c)
		switch {
		case errors.Is(err, store.ErrNoIndex): // the next call makes one
			return 0, nil
		case !errors.Is(err, store.ErrLocked):
			return n, err
		}
		select {
		case <-time.After(lockedPause):
			c.All = true
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}

func readOnce(ctx context.Context, p project.Place, e api.Service, c Change) (int, error) {
	o, moved, err := scrapeFor(ctx, p, e, c)
	if err != nil || !moved {
		return 0, err
	}
	sum, err := project.Scrape(ctx, p, o, func(error) {})
	if errors.Is(err, build.ErrRebuild) || errors.Is(err, store.ErrOlder) {
		sum, err = project.Scrape(ctx, p, scrape.Options{}, func(error) {})
	}
	return sum.Added + sum.Changed + sum.Removed + sum.Commits, err
}

// scrapeFor returns the scrape that reads a change, and reports whether there is anything to read.
func scrapeFor(
	ctx context.Context, p project.Place, e api.Service, c Change,
) (o scrape.Options, moved bool, err error) {
	o.Update = true
	if c.Lost {
		return o, true, nil
	}
	if c.All {
		s, err := Look(ctx, p, e, lookWhole, actor.BeginStopwatch(nil, 0))
		// A look misses a file in a folder that had no files, so its name from the notification is
		// added.
		s.Unsure = union(s.Unsure, c.Names)
		if err != nil || !s.Moved() {
			return o, false, err
		}
		o, _ = s.options(p)
		o.Told = c.Names
		return o, true, nil
	}
	head, err := false, error(nil)
	if c.Head {
		head, err = headMoved(ctx, p, e)
	}
	switch {
	case err != nil:
		return o, false, err
	case len(c.Names) == 0:
		o.Only = "git"
		return o, head, nil
	case scrape.Alone(p.Root, c.Names):
		o.Files, o.History = c.Names, head
	default:
		o.Told = c.Names
	}
	return o, true, nil
}

// union returns the names of two lists, sorted and each once.
func union(a, b []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b))))
}

// headMoved reports whether HEAD is at another commit than the index.
func headMoved(ctx context.Context, p project.Place, e api.Service) (bool, error) {
	t, err := git.Find(p.Root)
	if err != nil {
		return false, nil // no longer a repository; its files are still there
	}
	head, _, err := t.Head()
	if err != nil {
		return false, nil // in the middle of a rebase, or without a commit
	}
	tree, err := e.Tree(ctx, api.TreeRequest{ReadOptions: api.ReadOptions{Timeout: lookWhole}, Limit: 1})
	if err != nil {
		return false, err
	}
	return head != tree.Index.Generation.Head, nil
}
