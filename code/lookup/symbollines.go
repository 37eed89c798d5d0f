package lookup

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"patina/store"
	"patina/store/doc"
	"patina/store/format"
)

// SymbolLines returns the first and the last line of a symbol in its file, as indexed, and the
// file's text. first is 0 if the index does not have the symbol or the text.
func SymbolLines(ctx context.Context, r *store.Reader, path, symbol string) (first, last int, text string, err error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return 0, 0, "", err
	}
	f, err := r.FileNamed(ctx, snap, path)
	if err == nil {
		text, err = r.Text(ctx, f.Key)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return 0, 0, "", nil
	}
	if err != nil {
		return 0, 0, "", store.Damaged(err)
	}
	entries, err := format.DecodeEntries(f.Entries)
	if err != nil {
		return 0, 0, "", err
	}
	if i := slices.IndexFunc(entries, func(e doc.Entry) bool { return e.Name == symbol }); i >= 0 {
		return entries[i].First, entries[i].Last, text, nil
	}
	return 0, 0, "", nil
}
