package scrape

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"patina/store"
	"patina/store/scrape/history"
	"patina/store/scrape/walk"
)

// What is frozen as an index is built, its average lengths and the model of its vectors, decides on every ranking. So that it does not
// depend on which working tree is scraped first, the index of a linked one begins with the files and commits of the leading tree
// (history.Tree.Leader), as one that both share does: these are read and fitted to, and then changed into what the linked tree has.

// errAlone says that an index is to be built from its own tree alone.
var errAlone = errors.New("the index is fitted to this working tree alone, as the main one cannot be read")

// basis puts the leading working tree into a fresh index and fits the index to it, if the tree that is scraped follows one and has
// at least half of its files in common with it. An error that wraps errAlone says that the index must be begun again without.
func (r *run) basis(ctx context.Context) error {
	if !r.fresh || r.alone || r.o.Only == "git" {
		return nil
	}
	tree, err := history.Find(r.o.Root)
	if err != nil {
		return nil // without git; what else is wrong with it the reading of the history says
	}
	leader := tree.Leader()
	if leader == "" || leader == tree.Root {
		return nil
	}
	first := newRun(r.o)
	first.o.Root, first.w, first.leading = leader, r.w, true
	if main, err := history.Find(leader); err == nil && main.Ignored != "" {
		r.tell(walk.NotFollowed(main.Ignored))
	}
	if alike, err := r.resembles(ctx, first); !alike || err != nil {
		return err
	}
	group, both := errgroup.WithContext(ctx)
	group.Go(func() error { return first.files(both) })
	group.Go(func() error { return first.history(both, &store.Generation{}) })
	if err = group.Wait(); err == nil {
		err = first.embed()
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errAlone, err)
	}
	r.based, r.o.Full, r.o.Files, r.troubles = true, false, nil, first.troubles
	r.listing = nil // some time has passed
	return nil
}

// resembles tells whether half or more of the files of either tree have the same path in the other.
func (r *run) resembles(ctx context.Context, first *run) (bool, error) {
	theirs, err := first.list(ctx)
	if err != nil {
		return false, fmt.Errorf("%w: %w", errAlone, err)
	}
	own, err := r.list(ctx)
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

// standing ends the building on a basis: if the tree has so little of it that the next scrape would build the index anew, the error
// wraps errAlone. The summary is then that of a first scrape.
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
