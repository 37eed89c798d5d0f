package store

import (
	"context"
	"database/sql"
	"errors"
)

// A Text is a whole text that the index keeps: the content of a file, or the message of a commit.
type Text struct {
	Path string // of a file; empty for a commit
	SHA  string // of a commit, whole; empty for a file
	Body string
}

// Texts calls f for every text that the view sees, files first. Files that are found by path alone
// have none.
func (r *Reader) Texts(ctx context.Context, f func(Text) error) error {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return err
	}
	files, err := r.Files(ctx, snap)
	if err != nil {
		return err
	}
	for _, x := range files {
		if !snap.Members.Has(x.Key) {
			continue
		}
		body, err := r.Text(ctx, x.Key)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			continue
		case err != nil:
			return Damaged(err)
		}
		if err := f(Text{Path: x.Path, Body: body}); err != nil {
			return err
		}
	}
	return r.EachRevision(ctx, snap, `ORDER BY key`, nil, func(v RevisionRow) error {
		body := v.Subject
		if v.Body != "" {
			body += "\n\n" + v.Body
		}
		return f(Text{SHA: v.SHA, Body: body})
	})
}
