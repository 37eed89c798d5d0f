package store

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"patina/store/doc"
	"patina/store/format"
)

// lazyFiles lists the files in a generation's view. The first question with a filter fills it.
type lazyFiles struct {
	mu   sync.Mutex
	read bool
	all  []doc.ListedFile
}

// Allowed returns the keys that pass a filter's globs, languages, packages and dates. It returns
// nil if the filter has none.
//
// A commit passes a glob if it touched a matching file, by its path then or now. It passes a
// package if it touched a file there that still exists. No commit passes a language.
func (r *Reader) Allowed(ctx context.Context, snap *Snapshot, f doc.Filter) (*doc.Bitmap, error) {
	allow, err := allowedPlaces(ctx, r, snap, f)
	if err != nil || !f.When.Set() {
		return allow, err
	}
	if allow == nil {
		all := slices.Clone(snap.Members)
		allow = &all
	}
	d, err := readAuthors(ctx, r, snap, f.When)
	if err != nil {
		return nil, err
	}
	d.removeOutside(f.When, allow)
	return allow, nil
}

// allowedPlaces is Allowed without the dates.
func allowedPlaces(ctx context.Context, r *Reader, snap *Snapshot, f doc.Filter) (*doc.Bitmap, error) {
	if !f.Narrow() {
		return nil, nil
	}
	if err := f.Check(); err != nil {
		return nil, err
	}
	files, err := r.Files(ctx, snap)
	if err != nil {
		return nil, err
	}
	allow := new(doc.Bitmap)
	kept := make(map[string]bool) // by path
	for _, x := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if f.Keeps(x) {
			kept[x.Path] = true
			for k := x.Key; k <= x.Key+x.Entries; k++ { // x.Key is in the view
				allow.Set(k)
			}
		}
	}
	if doc.Wants(f, doc.Commit) && len(f.Languages) == 0 {
		passes := f.Matches
		if len(f.Packages) > 0 {
			passes = func(path string) bool { return kept[path] }
		}
		if err := allowCommits(ctx, r, snap.Members, files, passes, allow); err != nil {
			return nil, err
		}
	}
	return allow, nil
}

// Files lists the view's files. The list is read once a generation; callers must not change it.
func (r *Reader) Files(ctx context.Context, snap *Snapshot) ([]doc.ListedFile, error) {
	l := &snap.files
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.read {
		return l.all, nil
	}
	const query = `SELECT key, path, language, package, kind, CASE kind WHEN 'code' THEN x'' ELSE entries END FROM file`
	rows, err := r.Query(ctx, query)
	if err != nil {
		return nil, Damaged(err)
	}
	defer func() { _ = rows.Close() }()
	l.all = nil
	for rows.Next() {
		var x doc.ListedFile
		var kind doc.Kind
		var entries []byte
		if err := rows.Scan(&x.Key, &x.Path, &x.Language, &x.Pkg, &kind, &entries); err != nil {
			return nil, Damaged(err)
		}
		if !snap.Members.Has(x.Key) {
			continue
		}
		if kind.Traits().Shape == doc.OfSections {
			d := format.Unsealed(entries)
			if x.Entries = int64(d.Count(8)); d.Bad {
				return nil, fmt.Errorf("decode entries of %q: %w", x.Path, ErrDamaged)
			}
		}
		l.all = append(l.all, x)
	}
	l.read = rows.Err() == nil
	return l.all, Damaged(rows.Err())
}

func allowCommits(
	ctx context.Context, r *Reader, members doc.Bitmap, files []doc.ListedFile, passes func(path string) bool,
	allow *doc.Bitmap,
) error {
	here := make(map[string]bool, len(files))
	for _, f := range files {
		here[f.Path] = true
	}
	names, err := r.PathNames(ctx)
	if err != nil {
		return err
	}
	left, err := r.AllMoves(ctx, members)
	if err != nil {
		return Damaged(err)
	}
	held := func(id int64) bool { return here[names[id]] }
	var ids []int64
	for id, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		if passes(name) || passes(names[left.Now(id, math.MaxInt64, held)]) {
			ids = append(ids, id)
		}
	}
	return Damaged(r.RowsIn(ctx, `SELECT revision FROM touch WHERE path IN `, ids, func(scan func(...any) error) error {
		var k int64
		err := scan(&k)
		if members.Has(k) {
			allow.Set(k)
		}
		return err
	}))
}
