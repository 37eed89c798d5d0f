package scrape

import (
	"context"

	"patina/scrape/git"
)

// identity returns a function that finds the address by which the user commits. It returns nil for
// a cloned repository, because the user has no work there.
func (r *run) identity(ctx context.Context) func() string {
	if r.o.Cloned {
		return nil
	}
	return func() string { return git.Identity(ctx, r.o.Root) }
}
