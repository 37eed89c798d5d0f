package lookup

import (
	"cmp"
	"context"
	"slices"

	"patina/code/xref"
	"patina/store"
	"patina/store/doc"
)

// Defined returns the definitions of a name, in its case, by path and line.
func Defined(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, last string,
) ([]xref.Definition, error) {
	ds, err := Definitions(ctx, r, snap, xref.Name{Last: last})
	ds = slices.DeleteFunc(ds, func(d xref.Definition) bool {
		return doc.LastName(d.Entry.Name) != last
	})
	slices.SortFunc(ds, func(a, b xref.Definition) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), a.Entry.Line-b.Entry.Line, a.Ordinal-b.Ordinal)
	})
	return ds, err
}
