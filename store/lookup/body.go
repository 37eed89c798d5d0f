package lookup

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"patina/store"
)

// Body returns a document's description and its whole text: a file, the lines of a symbol with its
// comment, a section, or a commit's message. ErrNoDocument says that no document has the id.
func Body(ctx context.Context, r *store.Reader, docID string) (store.Description, string, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return store.Description{}, "", err
	}
	ds, err := Describe(ctx, r, []Want{{DocID: docID, Usage: true}})
	if err != nil {
		return store.Description{}, "", err
	}
	d := ds[0]
	if d.Kind.Traits().Shape == store.OfRows {
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
		d.Shown, d.Symbol, d.Title, d.Summary = docID, "", "", ""
		d.First, d.Last = 1, strings.Count(strings.TrimSuffix(body, "\n"), "\n")+1
		return d, body, nil
	}
	es, err := store.DecodeEntries(f.Entries)
	if err != nil {
		return d, "", err
	}
	if i := slices.IndexFunc(es, func(e store.Entry) bool { return e.Name == d.Symbol }); i >= 0 {
		d.First = es[i].First
	}
	return d, store.Lines(body, d.First, d.Last), nil
}
