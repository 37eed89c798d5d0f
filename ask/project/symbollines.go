package project

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"patina/actors"
	"patina/actors/api"
	"patina/scrape"
	"patina/scrape/git"
	"patina/store/doc"
	"patina/store/folder"
)

// followed returns the commits that changed the lines of a symbol, from git. note says why they are
// missing or incomplete.
func followed(ctx context.Context, p actors.Project, s api.FollowedSymbol) (commits []doc.Revision, note string) {
	tree, err := git.Find(p.Root)
	if err != nil || tree.Root == "" {
		return nil, "its lines cannot be followed: there is no working tree of git"
	}
	below, err := filepath.Rel(tree.Root, p.Root)
	if err != nil || !filepath.IsLocal(below) {
		return nil, "its lines cannot be followed: the index is of another tree"
	}
	folder, err := folder.Open(p.StoreDir, false)
	if err != nil {
		folder = nil // the result is not kept
	} else {
		defer func() { _ = folder.Close() }()
	}
	found, err := scrape.Follow(ctx, tree, folder, scrape.Symbol{
		Path: filepath.ToSlash(filepath.Join(below, filepath.FromSlash(s.Path))),
		Name: s.Name, First: s.First, Last: s.Last, Text: s.Text,
	})
	switch {
	case errors.Is(err, scrape.ErrNew):
		return nil, err.Error()
	case err != nil:
		return nil, "its lines were not followed: " + err.Error()
	}
	for _, c := range found.Commits {
		commits = append(commits, doc.Revision{SHA: c.SHA, Author: c.Author, Time: c.Time, Subject: c.Subject})
	}
	switch {
	case found.Late:
		note = "the time was up: older commits are missing (--timeout 60s)"
	case !found.Whole:
		note = fmt.Sprintf("its newest %d commits: older ones were not looked for", len(commits))
	case found.Edited:
		note = "by its lines in HEAD: the file was edited since"
	}
	return commits, note
}
