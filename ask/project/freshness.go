package project

import (
	"context"
	"time"

	"patina/actors"
	"patina/scrape/git"
	"patina/store/doc"
)

// freshWithin bounds how long a question waits for git, which is started only if HEAD has moved
// since the scrape.
const freshWithin = 300 * time.Millisecond

// fresh returns how many commits an index is behind its working tree.
func fresh(p actors.Project, g doc.Generation) (behind int, note string) {
	ctx, cancel := context.WithTimeout(context.Background(), freshWithin)
	defer cancel()
	return Behind(ctx, p.Root, g)
}

// Behind returns the number of commits that HEAD has and an index lacks, or -1 if it is unknown.
// note says why, if it matters.
func Behind(ctx context.Context, root string, g doc.Generation) (behind int, note string) {
	tree, err := git.Find(root)
	if err != nil {
		return -1, ""
	}
	head, _, err := tree.Head()
	switch {
	case err != nil || head == "":
		return -1, ""
	case head == g.Head:
		return 0, ""
	}
	if n, err := tree.Behind(ctx, g.Head, head); err == nil && n > 0 {
		return n, ""
	}
	return -1, "the index is of another commit than HEAD"
}
