package scrape

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"patina/scrape/git"
	"patina/scrape/walk"
	"patina/store"
	"patina/store/build"
	"patina/store/doc"
)

// Install publishes an index that another machine has made of a commit of the repository around
// o.Root, as build.Install does. It claims the store as Run does. The next Run reads the
// difference.
func Install(
	ctx context.Context, o Options, commit string, unpack func(database, vectors io.Writer) error,
) (doc.Generation, error) {
	if err := walk.Untracked(ctx, o.Root, o.StoreDir); err != nil {
		return doc.Generation{}, fmt.Errorf("install in %q: %w", o.StoreDir, err)
	}
	r := newRun(o)
	if err := r.accept(ctx); err != nil {
		r.endWalk()
		if own, ok := errors.AsType[claimError](err); ok {
			err = own.error
		}
		return doc.Generation{}, err
	}
	r.endWalk()
	root := r.o.Root
	if tree, err := git.Find(root); err == nil {
		root = cmp.Or(tree.RootOf(store.MainView), root)
	}
	return build.Install(ctx, r.o.StoreDir, commit, build.Options{
		Root: root, View: store.MainView, Extractor: extractor, ProjectID: r.o.ProjectID, Seal: r.o.Seal,
		Discard: r.o.Distrust != "", Embedder: r.o.Embedder, Load: r.o.Load,
	}, unpack)
}
