package project

import (
	"context"
	"errors"
	"fmt"
	"io"

	"patina/oracles/embed"
	"patina/scrape"
	"patina/scrape/git"
	"patina/store"
	"patina/store/build"
	"patina/store/doc"
)

// A ChangedError means that an index holds files that no commit has.
type ChangedError struct {
	Count int
	First string
}

// Error implements error.
func (e *ChangedError) Error() string {
	return fmt.Sprintf("%d files differ from the commit, the first is %q: the index would bring them along", e.Count, e.First)
}

// ErrBehind means that an index is not of the present state of its working tree.
var ErrBehind = errors.New("the index is behind its working tree")

// ErrSecrets means that an index holds files with credentials.
var ErrSecrets = errors.New("the index holds files with credentials")

// ErrNoCommit means that a project has no commit by which others could know its index.
var ErrNoCommit = errors.New("the project has no commit: others know an index by the commit it is of")

// Versions are those that an index must agree in to answer on another machine as it does here.
type Versions struct {
	Format    int    // of the store
	Extractor string // of tokenizer and parsers
	Model     string // of the built-in embedder
}

// OwnVersions returns the versions of this program.
func OwnVersions() Versions {
	return Versions{store.Format, scrape.Version(), build.Options{Embedder: embed.Base()}.EmbedderName()}
}

// Take copies the place's index for another machine. The caller must close the extract. The index
// must be of the present state of the working tree and without credentials: the error wraps
// ErrBehind or ErrSecrets otherwise. changed is the number of files that no commit has; they are a
// ChangedError unless they may come along.
func (p Place) Take(ctx context.Context, withChanges bool) (x *build.Extract, changed int, err error) {
	seal, err := p.sealed(ctx)
	if err != nil {
		return nil, 0, err
	}
	tree, err := git.Find(p.Root)
	if errors.Is(err, git.ErrNoGit) {
		err = ErrNoCommit
	}
	if err != nil {
		return nil, 0, err
	}
	if err := p.requireCurrent(ctx, tree); err != nil {
		return nil, 0, err
	}
	if x, err = build.Take(ctx, p.Store, seal); err != nil {
		return nil, 0, err
	}
	if !tree.Bare {
		var files []git.FileChange
		if files, err = tree.Uncommitted(ctx, x.Generation.Head); err == nil && len(files) > 0 && !withChanges {
			err = &ChangedError{len(files), files[0].Path}
		}
		changed = len(files)
	}
	if err != nil {
		return nil, 0, errors.Join(err, x.Close())
	}
	return x, changed, nil
}

// requireCurrent returns an error unless the index is of the tree's commit and its files.
func (p Place) requireCurrent(ctx context.Context, tree git.Tree) error {
	head, _, err := tree.Head()
	if err == nil && head == "" {
		err = ErrNoCommit
	}
	if err != nil {
		return err
	}
	i, err := Inspect(ctx, p)
	if err != nil {
		return err
	}
	defer func() { _ = i.Close() }()
	if last := i.Generation(); last.Head != head {
		return fmt.Errorf("%w: it is of %.12s, and HEAD is %.12s", ErrBehind, last.Head, head)
	}
	pending, err := i.Pending(ctx)
	switch {
	case err != nil:
		return err
	case pending.Secrets:
		return ErrSecrets
	case pending.Files() > 0:
		return fmt.Errorf("%w: %d files have changed", ErrBehind, pending.Files())
	}
	return nil
}

// Has reports whether the place's repository has a commit.
func (p Place) Has(ctx context.Context, commit string) (bool, error) {
	tree, err := git.Find(p.Root)
	if errors.Is(err, git.ErrNoGit) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return tree.Has(ctx, commit)
}

// Ancestors returns the ids of HEAD and of commits before it, the last ones first, at most n.
func (p Place) Ancestors(ctx context.Context, n int) ([]string, error) {
	tree, err := git.Find(p.Root)
	if errors.Is(err, git.ErrNoGit) {
		return nil, ErrNoCommit
	}
	if err != nil {
		return nil, err
	}
	head, _, err := tree.Head()
	if err != nil || head == "" {
		return nil, errors.Join(ErrNoCommit, err)
	}
	return tree.Ancestors(ctx, head, n)
}

// Install makes an index of a commit, which another machine has made, the place's own. unpack must
// return an error unless the user trusts every byte that it writes. notNoted is as in Scrape.
func (p Place) Install(
	ctx context.Context, commit string, notNoted func(error), unpack func(database, vectors io.Writer) error,
) (doc.Generation, error) {
	if err := narrow(p.Root); err != nil {
		return doc.Generation{}, err
	}
	return scrape.Install(ctx, p.prepare(scrape.Options{}, notNoted), commit, unpack)
}
