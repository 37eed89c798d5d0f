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

// Neighbours returns the files that change together with a file more often than by chance, the
// furthest above chance first. The note of each is the number of common commits. Routine files are
// left out, because they change with everything. It returns nil if the path has no history.
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
