package assay

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"patina/code/callers"
	"patina/code/imports"
	"patina/code/lookup"
	"patina/code/xref"
	"patina/internal/glob"
	"patina/store"
	"patina/store/doc"
)

// filesMeant finds the files named by a pattern: "." for all, a path, a folder, a glob of paths, a
// doc_id, or one symbol's file. It returns nil if there are no such files.
func filesMeant(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, pattern string,
) ([]doc.ListedFile, error) {
	files, err := r.Files(ctx, snap)
	if err != nil {
		return nil, err
	}
	pattern = strings.TrimSuffix(strings.TrimPrefix(pattern, "./"), "/")
	many := isGlob(pattern)
	pick := func(ok func(p string) bool) (out []doc.ListedFile) {
		for _, f := range files {
			if snap.Members.Has(f.Key) && ok(f.Path) {
				out = append(out, f)
			}
		}
		slices.SortFunc(out, func(a, b doc.ListedFile) int { return cmp.Compare(a.Path, b.Path) })
		return out
	}
	out := pick(func(p string) bool {
		return pattern == "." || pattern == "" || p == pattern ||
			strings.HasPrefix(p, pattern+"/") || many && glob.Match(pattern, p)
	})
	if len(out) > 0 || many {
		return out, nil
	}
	if d, err := lookup.Resolve(ctx, r, pattern); err == nil && d.Path != "" {
		return pick(func(p string) bool { return p == d.Path }), nil
	} else if err != nil && !errors.Is(err, lookup.ErrNoDocument) {
		return nil, err
	}
	return nil, nil
}

// factsOf reads the facts of files by their keys.
func factsOf(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, keys []int64,
) (rows []imports.File, err error) {
	err = callers.FactRows(ctx, r, snap, keys, "", func(f imports.File) error {
		rows = append(rows, f)
		return nil
	})
	return rows, err
}

// sortedFacts reads the facts of files and sorts them by path.
func sortedFacts(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, files []doc.ListedFile,
) ([]imports.File, error) {
	keys := make([]int64, len(files))
	for i, f := range files {
		keys[i] = f.Key
	}
	rows, err := factsOf(ctx, r, snap, keys)
	slices.SortFunc(rows, func(a, b imports.File) int { return cmp.Compare(a.Path, b.Path) })
	return rows, err
}

func assayImports(ctx context.Context, r *store.Reader, snap *store.Snapshot, out *Facts) error {
	files, err := filesMeant(ctx, r, snap, out.Pattern)
	if err != nil {
		return err
	}
	m, err := callers.Modules(ctx, r, snap)
	if err != nil {
		return err
	}
	rows, err := sortedFacts(ctx, r, snap, files)
	for _, f := range rows {
		callers.DeclarePackages(ctx, r, snap, m, f.Language)
		out.name(f.Path)
		for _, t := range f.Imports {
			x := Fact{DocID: f.Path, Path: f.Path, Written: t, Reason: "outside the index"}
			if target, ok := m.Resolve(f.Language, f.Path, t); ok {
				x.Target, x.Reason = target.Path(), "in the index"
			}
			out.Facts = append(out.Facts, x)
		}
	}
	return err
}

func (f *Facts) name(id string) {
	if len(f.Meant) < maxMeant {
		f.Meant = append(f.Meant, id)
	}
}

func assayImporters(ctx context.Context, r *store.Reader, snap *store.Snapshot, out *Facts) error {
	files, err := filesMeant(ctx, r, snap, out.Pattern)
	if err != nil || out.Pattern == "." {
		return err
	}
	m, err := callers.Modules(ctx, r, snap)
	if err != nil {
		return err
	}
	byKey := make(map[int64]doc.ListedFile)
	all, err := r.Files(ctx, snap)
	for _, f := range all {
		byKey[f.Key] = f
	}
	if err != nil {
		return err
	}
	for _, f := range files {
		out.name(f.Path)
	}
	rows, err := r.Query(ctx, `SELECT target, file FROM import ORDER BY target`)
	if err != nil {
		return store.Damaged(err)
	}
	defer func() { _ = rows.Close() }()
	var facts, maybe, alike []Fact
	whole := false // some file imports exactly the pattern
	for rows.Next() {
		var target string
		var k int64
		if err := rows.Scan(&target, &k); err != nil {
			return store.Damaged(err)
		}
		f, ok := byKey[k]
		if !ok || !snap.Members.Has(k) {
			continue
		}
		callers.DeclarePackages(ctx, r, snap, m, f.Language)
		x := Fact{DocID: f.Path, Path: f.Path, Written: target}
		switch x.Target, x.Reason = importerOf(m, f, target, out.Pattern, files); {
		case x.Reason == "":
		case x.Reason == handedOn && !callers.HandsOn(ctx, r, snap, m, f, target, x.Target):
		case x.Reason == handedOn:
			x.Candidate = true
			maybe = append(maybe, x)
		case x.Reason == sameName:
			x.Candidate = true
			alike = append(alike, x)
		default:
			whole = whole || x.Reason == writtenSo
			facts = append(facts, x)
		}
	}
	byPlace := func(a, b Fact) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Written, b.Written))
	}
	if !whole { // else "@testing-library/react" is not "react"
		maybe = append(maybe, alike...)
	}
	slices.SortFunc(facts, byPlace)
	slices.SortFunc(maybe, byPlace)
	out.Facts = append(facts, maybe...)
	return store.Damaged(rows.Err())
}

// handedOn is the reason for an import that leads to a file of the same package, which may
// re-export the wanted one, or to a header of its name.
const handedOn = "same name or package"

// These are the reasons for imports that lead to no file: all of the import equals the pattern, or
// its last part.
const (
	writtenSo = "written so"
	sameName  = "same name"
)

// importerOf returns the file that an import leads to and the reason. If the import leads to no
// file but matches the pattern, to is empty. If it does not match either, the reason is empty.
func importerOf(
	m *imports.Resolver, f doc.ListedFile, target, pattern string, files []doc.ListedFile,
) (to, reason string) {
	most := imports.Unreached
	bare := strings.TrimSuffix(strings.TrimPrefix(target, "<"), ">") // a header of the system
	led, _ := m.Resolve(f.Language, f.Path, target)
	for _, x := range files {
		if x.Path == f.Path || !imports.Imports(imports.Family(f.Language), imports.Family(x.Language)) {
			continue
		}
		if at := led.Reach(x.Path); at > most {
			most, to = at, x.Path
		}
	}
	switch {
	case most == imports.Exact:
		return to, "leads there"
	case target == pattern, bare == pattern,
		isGlob(pattern) && (glob.Match(pattern, target) || glob.Match(pattern, bare)):
		return "", writtenSo
	case most == imports.Nearby:
		return to, handedOn
	case len(files) == 0 && !isGlob(pattern) &&
		(xref.Unqualified(bare) == pattern || strings.HasSuffix(bare, "/"+pattern)):
		return "", sameName
	}
	return "", ""
}
