package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// filesMeant finds the files that a pattern names: "." for all, a path, a folder, a glob of paths, a doc_id, or one symbol's file.
func (r *Reader) filesMeant(ctx context.Context, snap *snapshot, pattern string) ([]listedFile, error) {
	files, err := r.files(ctx, snap)
	if err != nil {
		return nil, err
	}
	pattern = strings.TrimSuffix(strings.TrimPrefix(pattern, "./"), "/")
	glob := isGlob(pattern)
	pick := func(ok func(p string) bool) (out []listedFile) {
		for _, f := range files {
			if snap.members.has(f.key) && ok(f.path) {
				out = append(out, f)
			}
		}
		slices.SortFunc(out, func(a, b listedFile) int { return cmp.Compare(a.path, b.path) })
		return out
	}
	out := pick(func(p string) bool {
		return pattern == "." || pattern == "" || p == pattern || strings.HasPrefix(p, pattern+"/") || glob && globMatch(pattern, p)
	})
	if len(out) > 0 || glob {
		return out, nil
	}
	if d, err := r.resolve(ctx, snap, pattern); err == nil && d.Path != "" {
		return pick(func(p string) bool { return p == d.Path }), nil
	} else if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, damaged(err)
	}
	return nil, nil
}

// eachFactRow reads the files that a pattern names, in the order of their paths.
func (r *Reader) eachFactRow(ctx context.Context, snap *snapshot, files []listedFile) ([]factRow, error) {
	keys := make([]int64, len(files))
	for i, f := range files {
		keys[i] = f.key
	}
	var rows []factRow
	err := r.factRows(ctx, snap, keys, "", func(f factRow) error { rows = append(rows, f); return nil })
	slices.SortFunc(rows, func(a, b factRow) int { return cmp.Compare(a.path, b.path) })
	return rows, err
}

func (r *Reader) assayImports(ctx context.Context, snap *snapshot, out *Facts) error {
	files, err := r.filesMeant(ctx, snap, out.Pattern)
	if err != nil {
		return err
	}
	m, err := r.modules(ctx, snap)
	if err != nil {
		return err
	}
	rows, err := r.eachFactRow(ctx, snap, files)
	for _, f := range rows {
		out.name(f.path)
		for _, t := range f.imports {
			x := Fact{DocID: f.path, Path: f.path, Written: t, Reason: "outside the index"}
			if l := m.leads(f.lang, f.path, t); l.found {
				x.Target, x.Reason = m.target(l), "in the index"
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

// target is what an import leads to as a path: a file, or for Go and packages of Java a folder.
func (m *modules) target(l lead) string {
	switch {
	case len(l.files) == 0:
		return cmp.Or(l.folder, ".")
	case l.all:
		return folderOf(m.files[l.files[0]].path)
	}
	return m.files[l.files[0]].path
}

func (r *Reader) assayImporters(ctx context.Context, snap *snapshot, out *Facts) error {
	files, err := r.filesMeant(ctx, snap, out.Pattern)
	if err != nil || out.Pattern == "." {
		return err
	}
	m, err := r.modules(ctx, snap)
	if err != nil {
		return err
	}
	byKey := make(map[int64]listedFile)
	all, err := r.files(ctx, snap)
	for _, f := range all {
		byKey[f.key] = f
	}
	if err != nil {
		return err
	}
	for _, f := range files {
		out.name(f.path)
	}
	rows, err := r.query(ctx, `SELECT target, file FROM import ORDER BY target`)
	if err != nil {
		return damaged(err)
	}
	defer func() { _ = rows.Close() }()
	var facts, maybe []Fact
	for rows.Next() {
		var target string
		var k int64
		if err := rows.Scan(&target, &k); err != nil {
			return damaged(err)
		}
		f, ok := byKey[k]
		if !ok || !snap.members.has(k) {
			continue
		}
		x := Fact{DocID: f.path, Path: f.path, Written: target}
		switch x.Target, x.Reason = importerOf(m, f, target, out.Pattern, files); {
		case x.Reason == "":
		case strings.HasPrefix(x.Reason, "same name"):
			x.Candidate = true
			maybe = append(maybe, x)
		default:
			facts = append(facts, x)
		}
	}
	byPlace := func(a, b Fact) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Written, b.Written)) }
	slices.SortFunc(facts, byPlace)
	slices.SortFunc(maybe, byPlace)
	out.Facts = append(facts, maybe...)
	return damaged(rows.Err())
}

// importerOf tells whether an import leads to one of the files, or is what the pattern says; the reason is empty if neither.
func importerOf(m *modules, f listedFile, target, pattern string, files []listedFile) (to, reason string) {
	most := unreached
	l := m.leads(f.language, f.path, target)
	for _, x := range files {
		if x.path == f.path || family(x.language) != family(f.language) {
			continue
		}
		if at := m.surely(f.language, l, x.path); at > most {
			most, to = at, x.path
		}
	}
	switch {
	case most == exactly:
		return to, "leads there"
	case target == pattern, isGlob(pattern) && globMatch(pattern, target):
		return "", "written so"
	case most == around:
		return to, "same name or package"
	case len(files) == 0 && !isGlob(pattern) && (lastOf(target) == pattern || strings.HasSuffix(target, "/"+pattern)):
		return "", "same name"
	}
	return "", ""
}

func (r *Reader) assaySymbols(ctx context.Context, snap *snapshot, out *Facts, sorts ...Sort) error {
	add := func(p string, e Entry) {
		if slices.Contains(sorts, e.Sort) {
			out.Facts = append(out.Facts, Fact{DocID: SymbolID(p, e.Name), Path: p, Line: e.Line, Symbol: e.Name, Sort: e.Sort, Title: e.Title})
		}
	}
	if !strings.Contains(out.Pattern, "::") {
		files, err := r.filesMeant(ctx, snap, out.Pattern)
		if err != nil {
			return err
		}
		if fromPath(out.Pattern, files) {
			rows, err := r.eachFactRow(ctx, snap, files)
			for _, f := range rows {
				out.name(f.path)
				for _, e := range f.entries {
					add(f.path, e)
				}
			}
			return err
		}
	}
	meant, _, err := r.meant(ctx, snap, out)
	for _, ds := range meant {
		for _, d := range ds {
			add(d.path, d.entry)
		}
	}
	slices.SortFunc(out.Facts, func(a, b Fact) int { return cmp.Or(cmp.Compare(a.Path, b.Path), a.Line-b.Line) })
	return err
}

// fromPath tells whether files were found by their path, and not by the name of a symbol.
func fromPath(pattern string, files []listedFile) bool {
	pattern = strings.TrimSuffix(strings.TrimPrefix(pattern, "./"), "/")
	return len(files) > 0 && (pattern == "." || pattern == "" || files[0].path == pattern || isGlob(pattern) && strings.ContainsAny(pattern, "/.") ||
		strings.HasPrefix(files[0].path, pattern+"/") || strings.HasSuffix(files[0].path, "/"+pattern))
}

func (r *Reader) assayInventory(ctx context.Context, snap *snapshot, out *Facts) error {
	files, err := r.filesMeant(ctx, snap, out.Pattern)
	if err != nil {
		return err
	}
	rows, err := r.eachFactRow(ctx, snap, files)
	for _, f := range rows {
		out.name(f.path)
		n := make(map[Sort]int)
		lines := 0
		for _, e := range f.entries {
			n[e.Sort]++
			lines = max(lines, e.Last)
		}
		var parts []string
		for _, s := range sorts {
			if n[s] > 0 {
				parts = append(parts, plural(n[s], string(s)))
			}
		}
		if len(f.imports) > 0 {
			parts = append(parts, plural(len(f.imports), "import"))
		}
		if len(f.calls) > 0 {
			parts = append(parts, plural(len(f.calls), "call"))
		}
		out.Facts = append(out.Facts, Fact{
			DocID: f.path, Path: f.path, Count: len(f.entries), Title: strings.Join(parts, ", "), Written: cmp.Or(f.lang, strings.TrimPrefix(path.Ext(f.path), ".")),
		})
	}
	return err
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// maxTogether is how many files that change together with one are listed.
const maxTogether = 200

func (r *Reader) assayCoChanges(ctx context.Context, snap *snapshot, out *Facts) error {
	files, err := r.filesMeant(ctx, snap, out.Pattern)
	if err != nil {
		return err
	}
	if len(files) > maxMeant {
		out.Notes = append(out.Notes, fmt.Sprintf("the first %d files that match", maxMeant))
		files = files[:maxMeant]
	}
	for _, f := range files {
		out.name(f.path)
		links, err := r.CoChanged(ctx, f.path, maxTogether)
		if err != nil && !errors.Is(err, ErrNoDocument) {
			return err
		}
		for _, l := range links {
			x := Fact{DocID: l.Target, Path: l.Target, Target: f.path, Reason: l.Note}
			_, _ = fmt.Sscan(l.Note, &x.Count)
			out.Facts = append(out.Facts, x)
		}
	}
	return nil
}
