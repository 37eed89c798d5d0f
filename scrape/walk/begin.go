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

	"patina/scrape/git"
)

// A Walk lists a tree that git has accepted. Git lists the names while the caller goes on, for
// example to lock the store. The caller must write nothing for a tree before Begin has returned,
// and must call Files or End.
type Walk struct {
	Named bool      // only some paths are listed, not the whole tree
	At    time.Time // when it began

	root  string
	paths []string // the given ones; nil for all
	repo  repo
	names func() ([]string, error) // waits for git's list of all files, or of those in paths
	end   func()                   // may be called several times
}

// End stops git if it is still running, and removes temporary files. It may be called several
// times, and after Files.
func (w *Walk) End() { w.end() }

// Begin starts a listing of the files in a folder, or in the given paths. root must exist. The
// paths must be relative to it, with slashes; nil means all. Begin returns when git has accepted
// the folder, or is not needed for that. A folder without git gets an empty repository in a
// temporary folder. A bare repository has no files to list.
//
// The error wraps ErrGit if git refuses the folder.
func Begin(ctx context.Context, root string, paths []string) (*Walk, error) {
	if liesOutside(root) {
		return beginWithout(ctx, root, paths)
	}
	tree, err := git.Find(root)
	switch {
	case errors.Is(err, git.ErrNoGit): // git is asked, because it knows the reason
	case err == nil && tree.Root == "":
		return &Walk{
			root: root, At: time.Now(), names: func() ([]string, error) { return nil, nil }, end: func() {},
		}, nil
	case err == nil:
		err = tree.Sound()
	}
	if err != nil && !errors.Is(err, git.ErrNoGit) {
		return nil, fmt.Errorf("%w: %w", ErrGit, err)
	}
	w := &Walk{root: root, paths: paths, Named: len(paths) > 0, At: time.Now(), repo: repo{
		folder: root, tree: tree.Root, ignored: tree.Ignored, sparse: tree.Root != "" && tree.Sparse(),
	}}
	// Two gits run side by side, because starting them takes most of their time.
	w.startBeside(ctx, func(ctx context.Context) ([]string, error) {
		return w.repo.untrackedNames(ctx, outerPaths(root, paths), "--cached")
	})
	inside, err := w.repo.runGit(ctx, nil, "rev-parse", "--is-inside-work-tree", "--absolute-git-dir")
	if err == nil {
		within, gitDir, _ := strings.Cut(strings.TrimSuffix(string(inside), "\n"), "\n")
		if err = checkAgreement(root, within, gitDir, tree); err == nil {
			return w, nil
		}
	}
	w.End()
	if !errors.Is(err, errNoRepository) {
		return nil, err
	}
	if _, statErr := os.Lstat(filepath.Join(root, ".git")); statErr == nil {
		return nil, fmt.Errorf("%w: %q holds a .git that git does not take for a repository "+
			"(hint: run git status there)", ErrGit, root)
	}
	return beginWithout(ctx, root, paths)
}

// beginWithout is Begin for a folder that is in no repository.
func beginWithout(ctx context.Context, root string, paths []string) (*Walk, error) {
	t, err := newTempRepo()
	if err != nil {
		return nil, err
	}
	w := &Walk{
		root: root, paths: paths, Named: len(paths) > 0, At: time.Now(),
		repo: repo{folder: root, dir: t.dir, tree: root},
	}
	w.startBeside(ctx, func(ctx context.Context) ([]string, error) {
		return w.repo.untrackedNames(ctx, outerPaths(root, paths))
	})
	stop := w.end
	w.end = sync.OnceFunc(func() { stop(); t.remove() })
	return w, nil
}

// startBeside runs f in a goroutine and sets w.names and w.end.
func (w *Walk) startBeside(ctx context.Context, f func(context.Context) ([]string, error)) {
	inner, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	var names []string
	var err error
	go func() {
		defer close(done)
		names, err = f(inner)
	}()
	w.names = func() ([]string, error) {
		<-done
		return names, cmp.Or(ctx.Err(), err)
	}
	w.end = sync.OnceFunc(func() { cancel(); <-done })
}

// checkAgreement returns an error that wraps ErrGit unless git has listed the working tree that
// Find found.
func checkAgreement(root, within, gitDir string, tree git.Tree) error {
	if real, err := filepath.EvalSymlinks(gitDir); err == nil && within == "true" && real == tree.GitDir {
		return nil
	}
	return fmt.Errorf("%w: git takes %q for a part of %q, and patina for one of %q (hint: run git status there)",
		ErrGit, root, gitDir, tree.GitDir)
}

// liesOutside reports whether a folder is surely in no repository, because neither it nor any
// folder above it has a .git, or the HEAD of a bare repository.
func liesOutside(root string) bool {
	dir, err := filepath.EvalSymlinks(root) // as git does
	if err != nil {
		return false
	}
	for ; ; dir = filepath.Dir(dir) {
		for _, name := range []string{".git", "HEAD"} {
			if _, err := os.Lstat(filepath.Join(dir, name)); !errors.Is(err, os.ErrNotExist) {
				return false
			}
		}
		if dir == filepath.Dir(dir) {
			return true
		}
	}
}
