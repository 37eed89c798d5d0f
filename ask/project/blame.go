package project

import (
	"context"
	"errors"

	"patina/scrape/git"
)

// Blame returns lines of a file of the project with the commits that changed them, by their numbers
// in the current commit. The file may have been edited since.
func (p Place) Blame(ctx context.Context, path string, first, last int) (map[int]git.Blamed, error) {
	if p.Far != "" {
		return nil, errors.New("the repository is on another machine")
	}
	d, err := p.newDiff()
	if err != nil {
		return nil, err
	}
	tree := d.tree
	head, _, err := tree.Head()
	if err != nil {
		return nil, err
	}
	if head == "" {
		return nil, errors.New("nothing is committed yet")
	}
	return tree.Blame(ctx, head, d.prefix+path, first, last)
}
