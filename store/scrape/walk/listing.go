package walk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"patina/store/scrape/history"
)

// A begun listing is one of a tree that git has accepted: git names the files while the caller goes
// on, and takes the lock of the store for example. Nothing may be written for a tree before.
type Walk struct {
	root  string
	Named bool // some files, not the whole tree
	At    time.Time
	repo  repo
	names func() ([]string, error) // waits for git: what it would track, everything or what paths name
	End   func()                   // stops git, if it still runs, and removes what it was given
}

// beginListing returns when git has accepted a folder, or is not needed for that. A folder without
// git gets an empty repository in a temporary folder; a repository without a work tree has nothing
// to list.
func Begin(ctx context.Context, root string, paths []string) (*Walk, error) {
	if liesOutside(root) {
		return beginWithout(ctx, root, paths)
	}
	tree, err := history.Find(root)
	switch {
	case errors.Is(err, history.ErrNoGit): // git says why
	case err == nil && tree.Root == "":
		return &Walk{root: root, At: time.Now(), names: func() ([]string, error) { return nil, nil }, End: func() {}}, nil
	case err == nil:
		err = tree.Sound()
	}
	if err != nil && !errors.Is(err, history.ErrNoGit) {
		return nil, fmt.Errorf("%w: %w", ErrGit, err)
	}
	b := &Walk{root: root, Named: len(paths) > 0, At: time.Now(), repo: repo{
		folder: root, tree: tree.Root, ignored: tree.Ignored, sparse: tree.Root != "" && tree.Sparse(),
	}}
	b.start(ctx, func(ctx context.Context) ([]string, error) { return b.repo.names(ctx, paths, "--cached") }) // most of a git's time is its start
	inside, err := b.repo.run(ctx, nil, "rev-parse", "--is-inside-work-tree", "--absolute-git-dir")
	if err == nil {
		within, gitDir, _ := strings.Cut(strings.TrimSuffix(string(inside), "\n"), "\n")
		if err = agree(root, within, gitDir, tree); err == nil {
			return b, nil
		}
	}
	b.End()
	if !errors.Is(err, errNoRepository) {
		return nil, err
	}
	if _, statErr := os.Lstat(filepath.Join(root, ".git")); statErr == nil {
		return nil, fmt.Errorf("%w: %q holds a .git that git does not take for a repository (hint: run git status there)", ErrGit, root)
	}
	return beginWithout(ctx, root, paths)
}

// beginWithout is beginListing for a folder that lies in no repository.
func beginWithout(ctx context.Context, root string, paths []string) (*Walk, error) {
	t, err := newThrowaway()
	if err != nil {
		return nil, err
	}
	b := &Walk{root: root, Named: len(paths) > 0, At: time.Now(), repo: repo{folder: root, dir: t.dir, tree: root}}
	b.start(ctx, func(ctx context.Context) ([]string, error) { return b.repo.names(ctx, paths) })
	stop := b.End
	b.End = sync.OnceFunc(func() { stop(); t.remove() })
	return b, nil
}

// start runs f beside the caller.
func (b *Walk) start(ctx context.Context, f func(context.Context) ([]string, error)) {
	inner, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	var names []string
	var err error
	go func() {
		defer close(done)
		names, err = f(inner)
	}()
	b.names = func() ([]string, error) {
		<-done
		return names, cmp.Or(ctx.Err(), err)
	}
	b.End = sync.OnceFunc(func() { cancel(); <-done })
}
