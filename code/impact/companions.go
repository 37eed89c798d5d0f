package impact

import (
	"cmp"
	"context"
	"slices"

	"patina/code/brief"
	"patina/code/history"
	"patina/scrape/prose"
)

// A file mostly changes together with another one if at least so many commits touched both, and
// these are at least this share of the other's commits.
const (
	leastTogether = 3
	mostlyShare   = 0.5
)

// findCompanions finds the files that changed together with the changed ones.
func (g *gathering) findCompanions(ctx context.Context) error {
	missing := make(map[string]Missing)
	g.past = -1
	for _, x := range g.changed {
		past, companions, err := history.ChangedWith(ctx, g.r, x.Path)
		if err != nil {
			return err
		}
		x.Commits = past.Commits
		g.out.Commits += past.Commits
		if g.past < 0 || past.Weight < g.past {
			g.past = past.Weight
		}
		for _, c := range companions {
			to := g.evidenceFor(c.Path)
			if to == nil {
				continue
			}
			if m := (Missing{c.Path, x.Path, c.Commits, past.Commits}); m.shareOfCommits() > to.shareOfCommits() {
				to.Together, to.Of, to.With = c.Commits, past.Commits, x.Path
				if c.Commits >= leastTogether && m.shareOfCommits() >= mostlyShare {
					missing[c.Path] = m
				}
			}
			if c.Weight/(past.Weight+1) > to.weight/(to.past+1) {
				to.weight, to.past = c.Weight, past.Weight
			}
		}
	}
	for _, m := range missing {
		g.out.Missing = append(g.out.Missing, m)
	}
	slices.SortFunc(g.out.Missing, func(a, b Missing) int {
		return cmp.Or(cmp.Compare(b.shareOfCommits(), a.shareOfCommits()), b.Commits-a.Commits, cmp.Compare(a.Path, b.Path))
	})
	return nil
}

// shareOfCommits returns the part of the changed file's commits that touched the missing one too.
func (m Missing) shareOfCommits() float64 { return float64(m.Commits) / float64(max(1, m.Of)) }

// shareOfCommits returns the part of the changed file's commits that touched the file as well.
func (f *evidence) shareOfCommits() float64 { return float64(f.Together) / float64(max(1, f.Of)) }

// maxAuthors bounds the authors of an answer.
const maxAuthors = 3

// findOwners finds who owns the changed files: by a CODEOWNERS file, else by commits.
func (g *gathering) findOwners(ctx context.Context) (err error) {
	var paths []string
	for _, x := range g.changed {
		paths = append(paths, x.Path)
	}
	if g.out.Owners, err = brief.OwnersOfPaths(ctx, g.r, paths); err != nil || len(g.out.Owners) > 0 {
		return err
	}
	authors, err := history.AuthorsOf(ctx, g.r, paths)
	authors = slices.DeleteFunc(authors, func(a history.Author) bool { return prose.IsBot(a.Name) })
	g.out.Authors = authors[:min(len(authors), maxAuthors)]
	return err
}
