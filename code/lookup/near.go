package lookup

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"patina/code/xref"
	"patina/store"
	"patina/store/doc"
	"patina/store/format"
)

// shortestNear is the length of the shortest name that is compared, because shorter names resemble
// too many others.
const shortestNear = 4

// NearNames returns at most n symbol names similar to a mistyped one, nearest first. They differ by
// one edit, or by two from eight letters on, ignoring case. An edit leaves out, adds, replaces or
// swaps a letter. The name may have its scope. The result is nil if the text is not a name or is
// defined.
//
// For "path::name" it returns doc_ids: symbols of that file with the name or a similar one,
// otherwise definitions of the name in other files. If there are neither, it returns similar names.
func NearNames(ctx context.Context, r *store.Reader, written string, n int) ([]string, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	name := written
	if strings.Contains(written, "::") {
		var ids []string
		ids, name, err = nearInFile(ctx, r, snap, written, n)
		if err != nil || len(ids) > 0 {
			return ids, err
		}
	}
	typed, ok := xref.ParseName(name)
	if !ok || len(typed.Last) < shortestNear {
		return nil, nil
	}
	if defined, err := CountDefinitions(ctx, r, snap, typed.Last, 1); err != nil || defined > 0 {
		return nil, err
	}
	most := 1 + min(1, len(typed.Last)/8)
	type near struct {
		name string
		far  int
	}
	var found []near
	last, known := strings.ToLower(typed.Last), false
	err = eachName(ctx, r, snap, typed.Last, most, func(name string) {
		switch far := EditDistance(last, strings.ToLower(name)); {
		case far == 0:
			known = true
		case far <= most:
			found = append(found, near{name, far})
		}
	})
	if err != nil || known {
		return nil, err
	}
	slices.SortFunc(found, func(a, b near) int {
		return cmp.Or(a.far-b.far, strings.Compare(a.name, b.name))
	})
	var names []string
	for _, x := range found[:min(n, len(found))] {
		names = append(names, x.name)
	}
	return names, nil
}

// nearInFile returns at most n doc_ids that "path::name" may mean, and the name. If the path is not
// a file, it returns nil and the whole text.
func nearInFile(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, written string, n int,
) (ids []string, name string, err error) {
	f, name, err := r.CutID(ctx, snap, written, doc.Code.Traits().Separator)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, written, nil
	}
	if err != nil {
		return nil, "", err
	}
	es, err := format.DecodeEntries(f.Entries)
	if err != nil {
		return nil, "", err
	}
	last := strings.ToLower(doc.LastName(xref.Dotted(name)))
	most := 1 + min(1, len(last)/8)
	if len(last) < shortestNear {
		most = 0
	}
	far := func(e doc.Entry) int { return EditDistance(last, strings.ToLower(doc.LastName(e.Name))) }
	es = slices.DeleteFunc(es, func(e doc.Entry) bool { return far(e) > most })
	slices.SortStableFunc(es, func(a, b doc.Entry) int { return far(a) - far(b) })
	for _, e := range es {
		ids = append(ids, doc.SymbolID(f.Path, e.Name))
	}
	if len(ids) == 0 {
		defs, err := Defined(ctx, r, snap, doc.LastName(xref.Dotted(name)))
		if err != nil {
			return nil, "", err
		}
		for _, d := range defs {
			ids = append(ids, doc.SymbolID(d.Path, d.Entry.Name))
		}
	}
	return ids[:min(n, len(ids))], name, nil
}

// EditDistance returns the number of bytes to leave out, add, replace or swap to turn one text into
// another. No byte is edited twice (optimal string alignment).
func EditDistance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
