package lookup

import (
	"context"
	"slices"
	"strings"

	"patina/internal/glob"
	"patina/store"
)

// Unmatched returns the path globs that no file of the view matches. It leaves out globs that
// exclude.
func Unmatched(ctx context.Context, r *store.Reader, globs []string) ([]string, error) {
	left := slices.DeleteFunc(slices.Clone(globs), func(g string) bool { return strings.HasPrefix(g, "!") })
	if len(left) == 0 {
		return nil, nil
	}
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	files, err := r.Files(ctx, snap)
	for _, f := range files {
		if len(left) == 0 {
			break
		}
		if snap.Members.Has(f.Key) {
			left = slices.DeleteFunc(left, func(g string) bool { return glob.Match(g, f.Path) })
		}
	}
	return left, err
}
