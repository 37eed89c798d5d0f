package ask

import (
	"context"
	"errors"

	"patina/actors/api"
	"patina/code/impact"
	"patina/store/doc"
)

// ImpactFound is what a change may reach, with the outcomes of the checks in the beliefs that
// govern it.
type ImpactFound struct {
	*api.ImpactAnswer
	Name   string // the file or symbol that was asked about; "" for a diff
	Checks *api.VerifyAnswer
	Unrun  string // why the checks were not run; "" if they were, or if there are none
	Range  string // the compared commits of a diff
}

// findImpact finds what a change of a file or a symbol may reach.
func findImpact(ctx context.Context, c *Call, r Request) (*Answer, error) {
	out := &Answer{Form: Impact, Name: r.Name}
	err := c.read(ctx, nil, true, func(e api.Service) error {
		found := &ImpactFound{Name: r.Name}
		q, err := c.changed(ctx, e, r, found)
		if err != nil {
			return err
		}
		found.ImpactAnswer, err = e.Impact(ctx, api.ImpactRequest{ReadOptions: c.Within(), Query: q})
		if err != nil {
			return err
		}
		found.Index = c.State(found.Index)
		out.Impact = found
		return c.checkGoverning(ctx, e, found)
	})
	return out, err
}

// changed returns the query for the files and symbols that a request means.
func (c *Call) changed(ctx context.Context, e api.Service, r Request, found *ImpactFound) (impact.Query, error) {
	folder, isFolder, err := c.Place.Folder(r.Name)
	if err == nil && isFolder {
		return impact.Query{}, &FolderError{Typed: r.Name, Folder: folder}
	}
	d, err := c.Document(ctx, e, r.Name, true)
	if err != nil {
		return impact.Query{}, c.notFound(ctx, e, err, Impact, "file or symbol", r.Name)
	}
	if d.Path == "" || doc.KindOf(d.DocID).Traits().Shape != doc.OfFiles && d.Kind != doc.Code {
		return impact.Query{}, &NotFoundError{Form: Impact, What: "file or symbol", Typed: r.Name}
	}
	found.Name = d.DocID
	return impact.Query{Changes: []impact.Change{{Path: d.Path, Symbol: d.Symbol}}}, nil
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
