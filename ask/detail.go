package ask

import (
	"cmp"
	"context"

	"patina/actors"
)

// detail shows a document whole: by its name, or as a result of an earlier answer.
func (c *Call) detail(ctx context.Context) (*Answer, error) {
	name := c.request.Name
	if c.request.QueryID != "" {
		var err error
		if name, err = c.recall(ctx, c.request.QueryID, c.request.Rank); err != nil {
			return nil, err
		}
	}
	out := &Answer{Form: c.request.Form}
	err := c.Read(ctx, func(e actors.Service) error {
		d, err := c.Document(ctx, e, name, true)
		if err != nil {
			return c.NotFound(ctx, e, err, "document", name)
		}
		c.Sent.DocID = d.DocID
		out.Document = &Document{
			Description: d.Description, Body: d.Body, Diff: d.Diff, Note: d.Note, QueryID: c.request.QueryID, Rank: c.request.Rank,
		}
		return nil
	})
	return out, err
}

// maxNeighbours bounds the files beside one.
const maxNeighbours = 50

// neighbours lists the files that change together with one.
func (c *Call) neighbours(ctx context.Context) (*Answer, error) {
	file := c.request.Name
	if dir, ok, err := c.Place.Folder(file); err == nil && ok {
		return nil, &FolderError{Typed: file, Folder: cmp.Or(dir, ".")}
	}
	out := &Answer{Form: Neighbours}
	err := c.Read(ctx, func(e actors.Service) error {
		found, err := c.Document(ctx, e, file, false)
		if err != nil {
			return c.NotFound(ctx, e, err, "file", file)
		}
		near, err := e.Links(ctx, actors.LinksRequest{ReadOptions: c.Within(), Path: found.Path, Neighbours: min(c.Settings.Limit, maxNeighbours)})
		if err != nil {
			return err
		}
		out.Document = &Document{Description: found.Description, Near: near}
		return nil
	})
	return out, err
}
