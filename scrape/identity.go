package scrape

import (
	"context"

	"patina/scrape/git"
)

// identity returns what finds the address by which the user commits. It is nil for a repository
// that holds no work of the user.
func (r *run) identity(ctx context.Context) func() string {
	if r.o.Cloned {
		return nil
	}
	return func() string { return git.Identity(ctx, r.o.Root) }
}
