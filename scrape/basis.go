package scrape

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"patina/scrape/git"
	"patina/scrape/walk"
	"patina/store/doc"
)

// The vectors' model is frozen when an index is built, and decides every ranking. So it must not
// depend on which working tree is scraped first. A linked tree's index therefore begins with the
// leading tree (git.Tree.Leader). It is fitted to that tree's files and commits, then changed into
// the linked tree's state.

// errAlone is wrapped by errors after which an index must be built from its own tree alone.
var errAlone = errors.New("the index is fitted to this working tree alone, as the main one cannot be read")

// basis reads the leading working tree into a fresh index and fits the index to it, if the scraped
// tree follows one and shares at least half its files. If the error wraps errAlone, the caller must
// begin the index again without a basis.
func (r *run) basis(ctx context.Context) error {
	if !r.fresh || r.alone || r.o.Only == "git" {
		return nil
	}
	tree, err := git.Find(r.o.Root)
	if err != nil {
		// There is no repository, or reading the history will report the error.
		return nil
	}
	leader := tree.Leader()
	if leader == "" || leader == tree.Root {
		return nil
	}
	first := newRun(r.o)
	first.o.Root, first.w, first.leading = leader, r.w, true
	if main, err := git.Find(leader); err == nil && main.Ignored != "" {
		r.tell(walk.NotFollowed(main.Ignored))
	}
	if alike, err := r.resembles(ctx, first); !alike || err != nil {
		return err
	}
	group, both := errgroup.WithContext(ctx)
	group.Go(func() error { return first.files(both) })
	group.Go(func() error { return first.history(both, &doc.Generation{}) })
	if err = group.Wait(); err == nil {
		err = first.embed()
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errAlone, err)
	}
	r.based, r.o.Full, r.o.Files, r.troubles = true, false, nil, first.troubles
	r.listing = nil // the listing has aged
	return nil
}

// resembles reports whether at least half the files of each tree are in the other, by path.
func (r *run) resembles(ctx context.Context, first *run) (bool, error) {
	theirs, err := first.listFolder(ctx)
	if err != nil {
		return false, fmt.Errorf("%w: %w", errAlone, err)
	}
	own, err := r.listFolder(ctx)
	if err != nil {
		return false, err
	}
	paths := make(map[string]bool, len(theirs.Files))
	for _, f := range theirs.Files {
		paths[f.Path] = true
	}
	common := 0
	for _, f := range own.Files {
		if paths[f.Path] {
			common++
		}
	}
	return 2*common >= len(theirs.Files) && 2*common >= len(own.Files), nil
}

// standing ends building on a basis. The error wraps errAlone if so little is left of the basis
// that the next scrape would build anew. The summary then counts as in a first scrape.
func (r *run) standing() error {
	if !r.based {
		return nil
	}
	if err := r.w.Outworn(); err != nil {
		return fmt.Errorf("%w: %w", errAlone, err)
	}
	state, err := r.w.History()
	r.s.Commits = state.Commits
	return err
}
