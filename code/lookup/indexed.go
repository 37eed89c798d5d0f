package lookup

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"

	"patina/store"
	"patina/store/doc"
	"patina/store/format"
)

// ListFiles returns the files of the view, by path.
func ListFiles(
	ctx context.Context, r *store.Reader, snap *store.Snapshot,
) (map[string]doc.ListedFile, error) {
	files, err := r.Files(ctx, snap)
	out := make(map[string]doc.ListedFile, len(files))
	for _, f := range files {
		if snap.Members.Has(f.Key) {
			out[f.Path] = f
		}
	}
	return out, err
}

// Packages returns the names of the packages in the view, sorted.
func Packages(ctx context.Context, r *store.Reader) ([]string, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	here, err := ListFiles(ctx, r, snap)
	names := make(map[string]bool)
	for _, f := range here {
		if f.Pkg != "" {
			names[f.Pkg] = true
		}
	}
	return slices.Sorted(maps.Keys(names)), err
}

// A Symbol is a named part of a code file.
type Symbol struct {
	Path, Name string
	Sort       doc.Sort
	Line       int // of the definition
}

// Symbols looks up symbols by path and name, in order. It leaves out symbols that this generation
// does not have.
func Symbols(ctx context.Context, r *store.Reader, wanted []Symbol) ([]Symbol, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	var out []Symbol
	for _, w := range wanted {
		f, err := r.FileNamed(ctx, snap, w.Path)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return nil, store.Damaged(err)
		}
		es, err := format.DecodeEntries(f.Entries)
		if err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(es, func(e doc.Entry) bool { return e.Name == w.Name }); i >= 0 {
			out = append(out, Symbol{w.Path, w.Name, es[i].Sort, es[i].Line})
		}
	}
	return out, nil
}

// Line returns line n of a file as indexed, counted from 1. It is empty if there is no such line,
// or no text in the index.
func Line(ctx context.Context, r *store.Reader, path string, n int) (string, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return "", err
	}
	f, err := r.FileNamed(ctx, snap, path)
	if err == nil {
		var body string
		body, err = r.Text(ctx, f.Key)
		if err == nil {
			return doc.Lines(body, n, n), nil
		}
	}
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return "", store.Damaged(err)
}
