package brief

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"

	"patina/store"
)

// readmes are the names of a README at the root, the most usual first.
var readmes = []string{
	"README.md", "README", "README.rst", "README.adoc", "README.txt", "Readme.md", "readme.md", "README.markdown", "README.org",
	"readme.txt", "README.MD",
}

// Purpose returns the purpose of a project as Read finds it, without reading anything else.
// It returns nil if the project does not say it.
func Purpose(ctx context.Context, r *store.Reader) (*Quote, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	g := &gatherer{ctx: ctx, r: r, keys: map[string]int64{}}
	for _, name := range slices.Concat(readmes, describing) {
		f, err := r.FileNamed(ctx, snap, name)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return nil, err
		}
		g.keys[name] = f.Key
	}
	b := &Brief{}
	var guessed *Quote
	for _, name := range readmes {
		source, err := g.readText(name)
		if err != nil {
			return nil, err
		}
		if q, sure, ok := PurposeOf(name, source); ok && sure {
			return &q, nil
		} else if ok && guessed == nil {
			guessed = &q
		}
	}
	err = g.readPurpose(b)
	return cmp.Or(b.Purpose, guessed), err
}
