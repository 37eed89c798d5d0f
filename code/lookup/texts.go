package lookup

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"patina/store"
	"patina/store/doc"
)

// A Text is the content of a file or the message of a commit.
type Text struct {
	Path string // of a file; empty for a commit
	SHA  string // full hash of a commit; empty for a file
	Body string
}

// Texts calls f for every text in the view, files first, until f returns an error. It skips files
// without a stored text.
func Texts(ctx context.Context, r *store.Reader, f func(Text) error) error {
	snap, err := eachFile(ctx, r, func(_ *store.Snapshot, x doc.ListedFile) error {
		body, err := r.Text(ctx, x.Key)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return nil
		case err != nil:
			return store.Damaged(err)
		}
		return f(Text{Path: x.Path, Body: body})
	})
	if err != nil {
		return err
	}
	return r.EachRevision(ctx, snap, `ORDER BY key`, nil, func(v store.RevisionRow) error {
		body := v.Subject
		if v.Body != "" {
			body += "\n\n" + v.Body
		}
		return f(Text{SHA: v.SHA, Body: body})
	})
}

// eachFile calls f for every file in the view, and returns the view.
func eachFile(
	ctx context.Context,
	r *store.Reader,
	f func(*store.Snapshot, doc.ListedFile) error,
) (*store.Snapshot, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	files, err := r.Files(ctx, snap)
	if err != nil {
		return nil, err
	}
	for _, x := range files {
		if !snap.Members.Has(x.Key) {
			continue
		}
		if err := f(snap, x); err != nil {
			return nil, err
		}
	}
	return snap, nil
}

// A ChunkText is the text from which one chunk was made.
type ChunkText struct {
	DocID string // document of the chunk; for code, the file
	Path  string
	Kind  doc.Kind
	Text  string
}

// Chunks calls f for every chunk in the view, until f returns an error. The order of documents is
// not specified.
func Chunks(ctx context.Context, r *store.Reader, f func(ChunkText) error) error {
	snap, err := eachFile(ctx, r, func(snap *store.Snapshot, x doc.ListedFile) error {
		return store.Damaged(fileChunks(ctx, r, snap, x.Path, f))
	})
	if err != nil {
		return err
	}
	return r.EachRevision(ctx, snap, `ORDER BY sha`, nil, func(v store.RevisionRow) error {
		body := v.Subject + "\n" + v.Body
		return f(ChunkText{DocID: doc.CommitID(v.SHA), Kind: doc.Commit, Text: body})
	})
}

func fileChunks(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, path string, f func(ChunkText) error,
) error {
	row, err := r.FileNamed(ctx, snap, path)
	if err != nil {
		return err
	}
	p, err := store.OpenParts(row)
	if err != nil {
		return err
	}
	body, err := r.Text(ctx, row.Key)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	all := strings.Split(body, "\n")
	for _, c := range p.Chunks {
		t := ChunkText{Path: path, Kind: row.Kind}
		t.DocID = row.Kind.Identity(doc.Ranked{DocID: path, Path: path})
		if row.Kind.Traits().Shape == doc.OfSections && c.Entry >= 0 {
			t.DocID = row.Kind.PartID(path, p.Entries[c.Entry].Name)
		}
		first, last := max(1, c.First), min(c.Last, len(all))
		t.Text = path
		if first <= last {
			t.Text += "\n" + strings.Join(all[first-1:last], "\n")
		}
		if err := f(t); err != nil {
			return err
		}
	}
	return nil
}
