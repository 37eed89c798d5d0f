package project

import (
	"context"
	"fmt"

	"patina/actors"
	"patina/scrape/git"
)

// maxDiff bounds a commit's diff, in bytes, because some commits import whole trees.
const maxDiff = 1 << 20

// diff returns the diff of a commit from git. note says why it is missing or cut.
func diff(ctx context.Context, p actors.Project, sha string) (text, note string) {
	tree, err := git.Find(p.Root)
	if err != nil {
		return "", "no diff: there is no git repository"
	}
	text, whole, err := tree.Diff(ctx, sha, maxDiff)
	switch {
	case err != nil:
		return "", "no diff: " + err.Error()
	case !whole:
		return text, fmt.Sprintf("the diff is cut after %d bytes: git show %.12s", len(text), sha)
	}
	return text, ""
}

// tracked returns the files that git tracks.
func tracked(ctx context.Context, p actors.Project) ([]string, error) {
	tree, err := git.Find(p.Root)
	if err != nil {
		return nil, err
	}
	return tree.Tracked(ctx)
}
