package callers

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"patina/code/imports"
	"patina/code/lookup"
	"patina/code/xref"
	"patina/store"
	"patina/store/doc"
	"patina/store/format"
	"patina/store/text"
)

// FactRows calls each with the facts of files in the view whose facts contain name. If name is "",
// these are all files with one of the keys. It returns the first error of each.
func FactRows(
	ctx context.Context, r *store.Reader, snap *store.Snapshot,
	keys []int64, name string, each func(imports.File) error,
) error {
	const query = `SELECT key, path, language, class, entries, facts FROM file WHERE key IN `
	err := r.RowsIn(ctx, query, keys, func(scan func(...any) error) error {
		var f imports.File
		var entries, facts sql.RawBytes // decoded at once
		err := scan(&f.Key, &f.Path, &f.Language, &f.Class, &entries, &facts)
		if err != nil || !snap.Members.Has(f.Key) || !bytes.Contains(facts, []byte(name)) {
			return err
		}
		if f.FileFacts, err = format.DecodeFacts(facts); err != nil {
			return err
		}
		if f.Entries, err = format.DecodeEntries(entries); err != nil {
			return err
		}
		return each(f)
	})
	return store.Damaged(err)
}

// Mentioning returns the keys of code files that contain every word of a name. These include all
// callers.
func Mentioning(ctx context.Context, r *store.Reader, name string) ([]int64, error) {
	var terms []string
	text.Runs(name, func(run string) {
		if t := text.Stem(strings.ToLower(run)); !slices.Contains(terms, t) {
			terms = append(terms, t)
		}
	})
	if len(terms) == 0 { // "_", "$", or longer than any word
		return codeKeys(ctx, r)
	}
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	keys, err := r.Holding(ctx, snap, string(doc.Code), terms)
	slices.Sort(keys)
	return keys, err
}

func codeKeys(ctx context.Context, r *store.Reader) ([]int64, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	files, err := r.Files(ctx, snap)
	var keys []int64
	for _, f := range files {
		if f.Entries == 0 && snap.Members.Has(f.Key) {
			keys = append(keys, f.Key)
		}
	}
	return keys, err
}

// A Called is one call that may mean a wanted definition.
type Called struct {
	In   *imports.File
	Call doc.Call
	Edge xref.Edge // zero if the index does not define the name
}

// AllFiles is a limit for CallersOf that reads the facts of all files.
const AllFiles = 1 << 30

// CallersOf finds calls by a name that may mean one of the wanted definitions, each with the
// likeliest one. defs must hold all definitions of that name. CallersOf looks at no more than
// maxFiles files, those nearest to the first wanted definition, and capped is true if there are
// more. With AllFiles it also finds calls under other names, calls of a type for its constructors,
// and calls of methods that a wanted one overrides.
func CallersOf(
	ctx context.Context, r *store.Reader, snap *store.Snapshot,
	last string, wanted, defs []xref.Definition, maxFiles int,
) (out []Called, capped bool, err error) {
	keys, err := Mentioning(ctx, r, last)
	if err != nil {
		return nil, false, err
	}
	if len(keys) > maxFiles && len(wanted) > 0 {
		capped = true
		keys = nearestKeys(keys, wanted[0].File, maxFiles)
	}
	families := familiesOf(defs)
	m, err := modulesFor(ctx, r, snap, families)
	if err != nil {
		return nil, false, err
	}
	type place struct {
		file    int64
		ordinal int
	}
	want := make(map[place]bool, len(wanted))
	for _, d := range wanted {
		want[place{d.File, d.Ordinal}] = true
	}
	for _, y := range xref.Symbols(defs) { // a wanted prototype means its definition
		for _, p := range y.Declared {
			if want[place{p.File, p.Ordinal}] {
				want[place{y.File, y.Ordinal}] = true
			}
		}
	}
	var bases map[place]*xref.Definition // from an overridden method to the wanted method
	if maxFiles == AllFiles {
		over, err := findOverridden(ctx, r, snap, wanted, defs)
		if err != nil {
			return nil, false, err
		}
		bases = make(map[place]*xref.Definition, len(over))
		for of, d := range over {
			bases[place{of.File, of.Ordinal}] = d
		}
	}
	err = FactRows(ctx, r, snap, keys, last, func(f imports.File) error {
		if !families[imports.Family(f.Language)] {
			return nil // a call cannot mean a definition in another language
		}
		s := ScopeOf(ctx, r, snap, f, m)
		type from struct {
			caller int
			name   string
		}
		known := make(map[from][]xref.Edge) // a bare name depends on its line as well
		for _, c := range f.Calls {
			if s.Unalias(c.Name) != last {
				continue
			}
			es, ok := known[from{c.Caller, c.Name}]
			if !ok || xref.Qualifier(c.Name) == "" {
				es = s.Resolve(c, defs)
				known[from{c.Caller, c.Name}] = es
			}
			i := slices.IndexFunc(es, func(e xref.Edge) bool {
				return want[place{e.File, e.Ordinal}]
			})
			if i >= 0 {
				out = append(out, Called{&f, c, es[i]})
				continue
			}
			for _, e := range es {
				if d := bases[place{e.File, e.Ordinal}]; d != nil {
					out = append(out, Called{&f, c, e.OverriddenBy(d)})
					break
				}
			}
		}
		return nil
	})
	if err = errors.Join(err, m.Err()); err != nil || maxFiles != AllFiles {
		return out, capped, err
	}
	others, err := callersByOtherNames(ctx, r, snap, last, wanted, m, families)
	if err != nil {
		return nil, false, err
	}
	made, err := callersByType(ctx, r, snap, wanted, defs)
	return slices.Concat(out, others, made), capped, err
}

// familiesOf returns the language families of definitions.
func familiesOf(defs []xref.Definition) map[string]bool {
	families := make(map[string]bool)
	for _, d := range defs {
		families[d.Family()] = true
	}
	return families
}

// nearestKeys returns the n keys around one by order. Differences between keys mean nothing,
// because commits that are read in between leave gaps of any size.
func nearestKeys(keys []int64, at int64, n int) []int64 {
	slices.Sort(keys)
	i, _ := slices.BinarySearch(keys, at)
	first := min(max(0, i-n/2), len(keys)-n)
	return keys[first : first+n]
}

// These bound the cost of a description: definitions of the shown name, and files whose facts are
// read.
const (
	crumbDefinitions = 8 // with more, no callers are looked for
	crumbFiles       = 30
)

// keptUses bounds the uses that a generation keeps, about 5,000 symbols and files. They never
// change, and finding the callers of one symbol takes 0.25 ms.
const keptUses = 1 << 20 // bytes

type recentUses = store.Recent[used, *uses]

// used is a symbol of a file, or the file if symbol is "".
type used struct {
	file   int64
	symbol string
}

type uses struct{ callers, imports []doc.Link }

// memorySize returns about the bytes that an entry takes.
func (u *uses) memorySize(of used) int {
	return 200 + len(of.symbol) + LinksSize(u.callers) + LinksSize(u.imports)
}

// LinksSize returns about the bytes that links take in memory.
func LinksSize(links []doc.Link) (n int) {
	for _, l := range links {
		n += 64 + len(l.Target) + len(l.Note)
	}
	return n
}

// Usage links a described symbol to its callers, and its file to its imports. The links must not be
// changed, because the generation keeps them.
func Usage(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, key int64, d doc.Description,
) (callers, imports []doc.Link, err error) {
	of := used{key, strings.Clone(d.Symbol)}
	kept := store.MemoOf[recentUses](&snap.Memo)
	if u, ok := kept.Get(of); ok {
		return u.callers, u.imports, nil
	}
	if callers, imports, err = findUsage(ctx, r, snap, key, d); err == nil && ctx.Err() == nil {
		u := &uses{callers, imports}
		kept.Put(of, u, u.memorySize(of), keptUses)
	}
	return callers, imports, err
}

func findUsage(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, key int64, d doc.Description,
) (callers, imports []doc.Link, err error) {
	if d.Symbol != "" {
		if callers, err = callerLink(ctx, r, snap, d); err != nil {
			return nil, nil, err
		}
	}
	imports, err = importLink(ctx, r, snap, key)
	return callers, imports, err
}

// importLink links a file to the import that its calls use most. Imports of other files of the
// project are preferred. The note says how many imports there are, and how many of them are in the
// project.
func importLink(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, key int64,
) (links []doc.Link, err error) {
	err = FactRows(ctx, r, snap, []int64{key}, "", func(f imports.File) error {
		if len(f.Imports) == 0 {
			return nil
		}
		m, err := modulesFor(ctx, r, snap, map[string]bool{imports.Family(f.Language): true})
		if err != nil {
			return err
		}
		DeclarePackages(ctx, r, snap, m, f.Language)
		used := xref.CountUses(f)
		best, own, paths := -1, 0, make([]string, len(f.Imports))
		for i, imported := range f.Imports {
			if t, ok := m.Resolve(f.Language, f.Path, imported); ok && t.Path() != f.Path && !isVendored(t.Path()) {
				paths[i] = t.Path()
				own++
			}
			isOwn := paths[i] != ""
			switch {
			case best < 0, isOwn && paths[best] == "", isOwn == (paths[best] != "") && used[i] > used[best]:
				best = i
			}
		}
		note := fmt.Sprint(len(f.Imports))
		if own > 0 {
			note = fmt.Sprintf("%d%s%d", own, ownOf, len(f.Imports))
		}
		target := strings.Clone(cmp.Or(paths[best], f.Imports[best]))
		links = []doc.Link{{Relation: "imports", Target: target, Note: note}}
		return m.Err()
	})
	return links, err
}

// ownOf separates the number of imports of the project from that of all, in the note of a link.
const ownOf = " of "

// IsOwnImport reports whether a link of Usage leads to a file of the project.
func IsOwnImport(l doc.Link) bool { return l.Relation == "imports" && strings.Contains(l.Note, ownOf) }

// isVendored reports whether a path is in a folder for code of others.
func isVendored(p string) bool {
	return slices.ContainsFunc(strings.Split(p, "/"), func(part string) bool {
		return part == "vendor" || part == "node_modules" || part == "third_party"
	})
}

func callerLink(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, d doc.Description,
) ([]doc.Link, error) {
	last := doc.LastName(d.Symbol)
	n, err := lookup.CountDefinitions(ctx, r, snap, last, crumbDefinitions+1)
	if err != nil || n > crumbDefinitions {
		return nil, err
	}
	defs, err := lookup.Defined(ctx, r, snap, last)
	if err != nil {
		return nil, err
	}
	wanted := slices.DeleteFunc(slices.Clone(defs), func(x xref.Definition) bool {
		return x.Path != d.Path || x.Entry.Name != d.Symbol
	})
	calls, capped, err := CallersOf(ctx, r, snap, last, wanted, defs, crumbFiles)
	if err != nil || len(calls) == 0 {
		return nil, err
	}
	first := calls[0]
	certain := 0
	for _, c := range calls {
		if c.Edge.Certain {
			certain++
		}
		if c.Edge.Certain && !first.Edge.Certain {
			first = c
		}
	}
	note := fmt.Sprintf("%d", len(calls))
	if capped {
		note += " or more"
	}
	if n := len(calls) - certain; n > 0 {
		note += fmt.Sprintf(", %d candidates", n)
	}
	caller := first.In.Caller(first.Call.Caller)
	return []doc.Link{{Relation: "callers", Target: strings.Clone(caller), Note: note}}, nil
}
