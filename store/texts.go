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
	snap, err := r.snapshot(ctx)
	if err != nil {
		return err
	}
	files, err := r.files(ctx, snap)
	if err != nil {
		return err
	}
	for _, x := range files {
		if !snap.members.has(x.key) {
			continue
		}
		body, err := r.body(ctx, x.key)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			continue
		case err != nil:
			return damaged(err)
		}
		if err := f(Text{Path: x.path, Body: body}); err != nil {
			return err
		}
	}
	return r.eachRevision(ctx, snap, `ORDER BY key`, nil, func(v revisionRow) error {
		body := v.Subject
		if v.Body != "" {
			body += "\n\n" + v.Body
		}
		return f(Text{SHA: v.SHA, Body: body})
	})
}
