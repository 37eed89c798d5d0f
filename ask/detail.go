package ask

import (
	"cmp"
	"context"

	"patina/actors/api"
)

// showDocument returns a whole document, by its name or as a result of an earlier answer.
func showDocument(ctx context.Context, c *Call, r Request) (*Answer, error) {
	name := r.Name
	if r.QueryID != "" {
		var err error
		if name, err = c.recallResult(ctx, r.QueryID, r.Rank); err != nil {
			return nil, err
		}
	}
	out := &Answer{Form: r.Form}
	err := c.read(ctx, r.Packages, true, func(e api.Service) error {
		d, err := c.Document(ctx, e, name, true)
		if err != nil {
			return c.notFound(ctx, e, err, r.Form, "document", name)
		}
		c.Sent.DocID = d.DocID
		out.Document = &Document{
			Description: d.Description, Body: d.Body, Diff: d.Diff, Note: d.Note, QueryID: r.QueryID, Rank: r.Rank,
			Noted: c.notesAbout(ctx, d.Description),
		}
		return nil
	})
	return out, err
}

// maxNeighbours bounds the files beside one.
const maxNeighbours = 50

// listNeighbours returns the files that change together with one. It returns a *FolderError for a
// folder.
func listNeighbours(ctx context.Context, c *Call, r Request) (*Answer, error) {
	file := r.Name
	if dir, ok, err := c.Place.Folder(file); err == nil && ok && c.Place.Far == "" {
		return nil, &FolderError{Typed: file, Folder: cmp.Or(dir, ".")}
	}
	out := &Answer{Form: Neighbours}
	err := c.read(ctx, r.Packages, true, func(e api.Service) error {
		found, err := c.Document(ctx, e, file, false)
		if err != nil {
			return c.notFound(ctx, e, err, r.Form, "file", file)
		}
		near, err := e.Links(ctx, api.LinksRequest{
			ReadOptions: c.Within(), Path: found.Path, Neighbours: min(c.Settings.Limit, maxNeighbours),
		})
		if err != nil {
			return err
		}
		out.Document = &Document{Description: found.Description, Near: near}
		return nil
	})
	return out, err
}
