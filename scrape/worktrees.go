package scrape

import (
	"context"
	"fmt"
	"slices"
	"time"

	"patina/scrape/git"
	"patina/store"
)

// companionTrees returns the other working trees that a store knew before it was built anew, or
// nil.
func companionTrees(ctx context.Context, o Options) []string {
	tree, err := git.Find(o.Root)
	if err != nil {
		return nil
	}
	known, there := store.Views(ctx, o.StoreDir, o.Seal), tree.Views()
	return slices.DeleteFunc(known, func(v string) bool { return v == tree.View() || !slices.Contains(there, v) })
}

// bringAlong reads other working trees into a store that was built anew for one of them. Its notes
// name those that cannot be read. They have no index until they are scraped by themselves.
func bringAlong(ctx context.Context, o Options, views []string) (notes []string) {
	tree, err := git.Find(o.Root)
	if err != nil {
		return nil
	}
	done := 0
	for _, v := range views {
		other := o
		other.Root, other.Full, other.Only = tree.RootOf(v), false, ""
		if other.Root == "" { // on a disk that is not mounted now
			continue
		}
		r := newRun(other)
		if _, err := r.scrapeAll(ctx, time.Now()); err != nil {
			notes = append(notes, fmt.Sprintf("the working tree at %q has no index until it is scraped: %v",
				other.Root, err))
			continue
		}
		done++
	}
	if done > 0 {
		notes = append(notes, fmt.Sprintf("%d other working %s of the repository %s read again as well",
			done, countNoun(done, "tree", "trees"), countNoun(done, "was", "were")))
	}
	return notes
}
