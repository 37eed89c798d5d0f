package history

import (
	"context"
	"errors"
	"strings"

	"patina/code/lookup"
	"patina/store"
	"patina/store/doc"
	"patina/store/text"
)

// Neighbours returns the files that change together with one more than chance has it, the furthest
// above chance first, each with its number of commits. Routine files are left out, because they
// change with everything. A path without history has none.
func Neighbours(ctx context.Context, r *store.Reader, path string, limit int) ([]doc.Link, error) {
	links, err := coChanged(ctx, r, path, limit, byLift, func(name string) bool {
		return !text.Routine(name)
	})
	if errors.Is(err, lookup.ErrNoDocument) {
		return nil, nil
	}
	for i := range links {
		links[i].Note, _, _ = strings.Cut(links[i].Note, " ")
	}
	return links, err
}
