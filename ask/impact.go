package ask

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"patina/actors/api"
	"patina/ask/project"
	"patina/code/impact"
	"patina/code/lookup"
)

// ImpactFound is what a change may reach, with the outcomes of the checks in the beliefs that
// govern it.
type ImpactFound struct {
	*api.ImpactAnswer
	Name   string // the file or symbol that was asked about; "" for a diff
	Checks *api.VerifyAnswer
	Unrun  string   // why the checks were not run; "" if they were, or if no belief has one
	Range  string   // the compared states of a diff; "" without one
	Notes  []string // about the diff
}

// ImpactTime is the shortest timeout of an impact, unless the user sets one. Searches for callers
// take at most half of it.
const ImpactTime = 30 * time.Second

// IsRange reports whether a word is a range of commits and no path: "main..HEAD", "main...".
func IsRange(word string) bool {
	return strings.Contains(word, "..") && !strings.Contains(word, "/../") && !strings.HasPrefix(word, "../") &&
		!strings.HasSuffix(word, "/..") && word != ".." && !strings.ContainsAny(word, " \t\n")
}

// findImpact finds what a change of a file or a symbol may reach, or of the files of a diff.
func findImpact(ctx context.Context, c *Call, r Request) (*Answer, error) {
	out := &Answer{Form: Impact, Name: r.Name}
	err := c.read(ctx, nil, true, func(e api.Service) (err error) {
		found := &ImpactFound{}
		out.Impact = found
		var q impact.Query
		if r.Name != "" && !r.Diff {
			q, err = c.namedChange(ctx, e, r.Name, found)
		} else {
			q, err = c.changedFiles(ctx, e, r, found)
		}
		if err != nil {
			return err
		}
		if len(q.Changes) == 0 {
			fresh, err := e.Freshness(ctx, api.FreshnessRequest{ReadOptions: c.Within()})
			if err != nil {
				return err
			}
			found.ImpactAnswer = &api.ImpactAnswer{Index: c.State(fresh.Index)}
			return nil
		}
		found.ImpactAnswer, err = e.Impact(ctx, api.ImpactRequest{ReadOptions: c.Within(), Query: q})
		if err != nil {
			return err
		}
		found.Index = c.State(found.Index)
		return c.checkGoverning(ctx, e, found)
	})
	return out, err
}

// namedChange returns the query for a file or a symbol.
func (c *Call) namedChange(ctx context.Context, e api.Service, typed string, found *ImpactFound) (q impact.Query, err error) {
	d, err := c.Document(ctx, e, typed, true)
	if errors.Is(err, lookup.ErrNoDocument) && c.Place.Far == "" {
		if folder, isFolder, _ := c.Place.Folder(typed); isFolder {
			return q, &FolderError{Typed: typed, Folder: folder}
		}
	}
	if err != nil {
		return q, c.notFound(ctx, e, err, Impact, "file or symbol", typed)
	}
	if d.Path == "" {
		return q, &NotFoundError{Form: Impact, What: "file or symbol", Typed: typed}
	}
	if found.Name = d.DocID; d.Symbol == "" {
		found.Name = d.Path
	}
	return impact.Query{Changes: []impact.Change{{Path: d.Path, Symbol: d.Symbol}}}, nil
}

// changedFiles returns the query for the files of a diff, with their changed lines.
func (c *Call) changedFiles(ctx context.Context, e api.Service, r Request, found *ImpactFound) (q impact.Query, err error) {
	var diff *project.Diff
	if r.Diff {
		diff, err = c.Place.Compare(ctx, r.Range)
	} else {
		diff, err = c.Place.Uncommitted(ctx)
	}
	if err != nil {
		return q, err
	}
	within := func(string) bool { return true }
	if r.Name != "" {
		names, err := c.Place.Names(r.Name)
		if err != nil {
			return q, err
		}
		within = func(path string) bool {
			return slices.ContainsFunc(names, func(name string) bool {
				name = strings.TrimSuffix(name, "/")
				return name == "." || path == name || strings.HasPrefix(path, name+"/")
			})
		}
	}
	found.Range, q.Diff = diff.Label, true
	for _, f := range diff.Files {
		if !within(f.Path) {
			continue
		}
		change := impact.Change{Path: f.Path, Removed: f.Removed}
		if !f.Added && !f.Removed && diff.AtTree && len(q.Changes) < maxCompared {
			if change.Lines, err = c.changedLines(ctx, e, diff, f.Path); err != nil {
				return q, err
			}
			if change.Lines != nil && len(change.Lines) == 0 { // it was only touched
				continue
			}
		}
		q.Changes = append(q.Changes, change)
	}
	if !diff.AtTree {
		found.Notes = append(found.Notes, "the tree is at another commit: all symbols of the changed files count as changed")
	}
	return q, nil
}

// maxCompared bounds the files whose lines are compared. Of the others, all symbols count.
const maxCompared = 50

// changedLines compares the indexed text of a file with its old one. It returns nil if one of them
// is not known, so that the whole file counts.
func (c *Call) changedLines(ctx context.Context, e api.Service, d *project.Diff, path string) ([]impact.Lines, error) {
	before, err := d.Before(ctx, path)
	if err != nil {
		return nil, ctx.Err() // too large
	}
	now, err := e.Detail(ctx, api.DetailRequest{ReadOptions: c.Within(), DocID: path})
	if errors.Is(err, lookup.ErrNoDocument) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return impact.ChangedLines(before, now.Body), nil
}

// checkGoverning runs the checks in the beliefs that govern a change.
func (c *Call) checkGoverning(ctx context.Context, e api.Service, found *ImpactFound) error {
	var ids []string
	for _, g := range found.Governing {
		ids = append(ids, g.ID)
	}
	if len(ids) == 0 {
		return nil
	}
	checks, err := e.Verify(ctx, api.VerifyRequest{ReadOptions: c.Within(), IDs: ids})
	if f, ok := errors.AsType[*api.Failure](err); ok && f.Status == api.Unavailable {
		found.Unrun = f.Detail
		return nil
	}
	found.Checks = checks
	return err
}
