package describe

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"patina/code/lookup"
	"patina/store"
	"patina/store/doc"
	"patina/store/format"
)

// aroundLine is the number of lines shown on each side of a line outside of all symbols.
const aroundLine = 20

// BodyAt returns the part of a file around a line: the innermost symbol or section that contains
// it, or aroundLine lines on each side. Line 0 means the whole document. It returns
// lookup.ErrNoDocument if there is no such file or line.
func BodyAt(ctx context.Context, r *store.Reader, docID string, line int) (doc.Description, string, error) {
	d, body, err := Body(ctx, r, docID)
	if err != nil || line == 0 {
		return d, body, err
	}
	if d.Path == "" || line < d.First || line > d.Last {
		return d, "", fmt.Errorf("%s has no line %d: %w", docID, line, lookup.ErrNoDocument)
	}
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return d, "", err
	}
	f, err := r.FileNamed(ctx, snap, d.Path)
	if err != nil {
		return d, "", store.Damaged(err)
	}
	es, err := format.DecodeEntries(f.Entries)
	if err != nil {
		return d, "", err
	}
	if i := lookup.InnermostEntry(es, line); i >= 0 {
		return Body(ctx, r, d.Kind.PartID(d.Path, es[i].Name))
	}
	d.First, d.Last = max(d.First, line-aroundLine), min(d.Last, line+aroundLine)
	return d, doc.Lines(body, d.First, d.Last), nil
}

// Body returns a document's description and its whole text: a file, the lines of a symbol with its
// comment, a section, or a commit's message. The text is "" if the index does not store it. Body
// returns lookup.ErrNoDocument if no document has the id.
func Body(ctx context.Context, r *store.Reader, docID string) (doc.Description, string, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return doc.Description{}, "", err
	}
	asked := docID
	if prefix := doc.KindOf(docID).Traits().Prefix; prefix != "" {
		rest, err := lookup.ReplaceID(ctx, r, snap, docID, strings.TrimPrefix(docID, prefix))
		if err != nil {
			return doc.Description{}, "", err
		}
		docID = prefix + rest
	}
	ds, err := Describe(ctx, r, []Want{{DocID: docID, Usage: true}})
	if err != nil {
		return doc.Description{}, "", err
	}
	d := ds[0]
	if d.Kind.Traits().Shape == doc.OfRows {
		v, err := r.Revision(ctx, snap, docID)
		return d, strings.TrimSpace(v.Subject + "\n\n" + v.Body), store.Damaged(err)
	}
	f, err := r.FileNamed(ctx, snap, d.Path)
	if err != nil {
		return d, "", store.Damaged(err)
	}
	body, err := r.Text(ctx, f.Key)
	if errors.Is(err, sql.ErrNoRows) {
		return d, "", nil
	}
	if err != nil {
		return d, "", store.Damaged(err)
	}
	if docID == d.Path || docID == d.Kind.FileID(d.Path) {
		d.Shown, d.Symbol, d.Title, d.Summary = asked, "", "", ""
		d.First, d.Last = 1, strings.Count(strings.TrimSuffix(body, "\n"), "\n")+1
		return d, body, nil
	}
	es, err := format.DecodeEntries(f.Entries)
	if err != nil {
		return d, "", err
	}
	if i := slices.IndexFunc(es, func(e doc.Entry) bool { return e.Name == d.Symbol }); i >= 0 {
		d.First = es[i].First
	}
	return d, doc.Lines(body, d.First, d.Last), nil
}
