package store

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"patina/store/text"
)

// A factRow is a file as the questions about calls and imports need it.
type factRow struct {
	key     int64
	path    string
	lang    string
	class   Class
	entries []Entry
	fileFacts
}

// factRows reads the facts of files that the view sees, of those only that hold a name somewhere among their calls.
func (r *Reader) factRows(ctx context.Context, snap *snapshot, keys []int64, name string, each func(factRow) error) error {
	err := r.rowsIn(ctx, `SELECT key, path, language, class, entries, facts FROM file WHERE key IN `, keys, func(scan func(...any) error) error {
		var f factRow
		var entries, facts sql.RawBytes // which are decoded at once
		err := scan(&f.key, &f.path, &f.lang, &f.class, &entries, &facts)
		if err != nil || !snap.members.has(f.key) || !bytes.Contains(facts, []byte(name)) {
			return err
		}
		if f.fileFacts, err = decodeFacts(facts); err != nil {
			return err
		}
		if f.entries, err = decodeEntries(entries); err != nil {
			return err
		}
		return each(f)
	})
	return damaged(err)
}

// mentioning lists the files of code that hold every word of a name, by their keys: whoever calls it is among them.
func (r *Reader) mentioning(ctx context.Context, name string) ([]int64, error) {
	var terms []string
	text.Runs(name, func(run string) {
		if t := text.Stem(strings.ToLower(run)); !slices.Contains(terms, t) {
			terms = append(terms, t)
		}
	})
	if len(terms) == 0 { // "_", "$", or longer than any word
		return r.codeKeys(ctx)
	}
	snap, err := r.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	keys, err := r.holding(ctx, snap, string(Code), terms)
	slices.Sort(keys)
	return keys, err
}

func (r *Reader) codeKeys(ctx context.Context) ([]int64, error) {
	snap, err := r.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	files, err := r.files(ctx, snap)
	var keys []int64
	for _, f := range files {
		if f.entries == 0 && snap.members.has(f.key) {
			keys = append(keys, f.key)
		}
	}
	return keys, err
}

// caller is the doc_id of the symbol that a call stands in, or of the file.
func (f factRow) caller(i int) string {
	if i < 0 || i >= len(f.entries) {
		return f.path
	}
	return SymbolID(f.path, f.entries[i].Name)
}

// defined finds the definitions of a name, in its case.
func (r *Reader) defined(ctx context.Context, snap *snapshot, last string) ([]definition, error) {
	ds, err := r.definitions(ctx, snap, name{last: last})
	ds = slices.DeleteFunc(ds, func(d definition) bool { return lastName(d.entry.Name) != last })
	for i := range ds {
		ds[i].derive()
	}
	slices.SortFunc(ds, func(a, b definition) int {
		return cmp.Or(cmp.Compare(a.path, b.path), a.entry.Line-b.entry.Line, a.ordinal-b.ordinal)
	})
	return ds, err
}

// A called is one call that may mean a wanted definition.
type called struct {
	in   *factRow
	call Call
	edge edge // zero where the index defines no such name
}

// place tells definitions apart.
type place struct {
	file    int64
	ordinal int
}

func (d definition) place() place { return place{d.file, d.ordinal} }

// callersOf finds the calls of a name that may mean one of the wanted definitions, each with the likeliest of them, in at
// most maxFiles files, those nearest to the definition. capped says that there are more files.
func (r *Reader) callersOf(ctx context.Context, snap *snapshot, last string, wanted []definition, defs []definition, maxFiles int) (out []called, capped bool, err error) {
	keys, err := r.mentioning(ctx, last)
	if err != nil {
		return nil, false, err
	}
	if len(keys) > maxFiles && len(wanted) > 0 {
		capped = true
		keys = nearest(keys, wanted[0].file, maxFiles)
	}
	families := familiesOf(defs)
	m, err := r.modulesFor(ctx, snap, families)
	if err != nil {
		return nil, false, err
	}
	want := make(map[place]bool, len(wanted))
	for _, d := range wanted {
		want[d.place()] = true
	}
	err = r.factRows(ctx, snap, keys, last, func(f factRow) error {
		if !families[family(f.lang)] {
			return nil // another language: its calls mean none of these
		}
		s := r.site(ctx, f, m)
		type from struct {
			caller int
			name   string
		}
		known := make(map[from][]edge) // a bare name depends on its line as well
		for _, c := range f.calls {
			if s.meant(c.Name) != last {
				continue
			}
			es, ok := known[from{c.Caller, c.Name}]
			if !ok || qualifierOf(c.Name) == "" {
				es = s.resolve(c, defs)
				known[from{c.Caller, c.Name}] = es
			}
			if i := slices.IndexFunc(es, func(e edge) bool { return want[e.place()] }); i >= 0 {
				out = append(out, called{&f, c, es[i]})
			}
		}
		return nil
	})
	return out, capped, errors.Join(err, m.failed())
}

// familiesOf are the families of languages that definitions are of.
func familiesOf(defs []definition) map[string]bool {
	families := make(map[string]bool)
	for _, d := range defs {
		families[d.family] = true
	}
	return families
}

// nearest keeps the n keys next to one: a first scrape gives neighbouring files neighbouring keys.
func nearest(keys []int64, at int64, n int) []int64 {
	distance := func(k int64) int64 { return max(k-at, at-k) }
	slices.SortFunc(keys, func(a, b int64) int { return cmp.Compare(distance(a), distance(b)) })
	return keys[:n]
}

// What a description may cost: definitions of the shown name, and files whose facts are read.
const (
	crumbDefinitions = 8 // a name that more places define has no callers by name
	crumbFiles       = 30
)

// usage links a shown symbol to its callers, and its file to what it imports.
func (r *Reader) usage(ctx context.Context, snap *snapshot, key int64, d Description) (callers, imports []Link, err error) {
	if d.Symbol != "" {
		if callers, err = r.callerLink(ctx, snap, d); err != nil {
			return nil, nil, err
		}
	}
	var facts []byte
	if err := r.queryRow(ctx, `SELECT facts FROM file WHERE key = ?`, key).Scan(&facts); err != nil {
		return nil, nil, damaged(err)
	}
	x := unsealed(facts)
	if n := x.count(1); n > 0 {
		imports = []Link{{Relation: "imports", Target: x.string(), Note: fmt.Sprint(n)}}
	}
	if x.bad {
		return nil, nil, fmt.Errorf("decode facts: %w", ErrDamaged)
	}
	return callers, imports, nil
}

func (r *Reader) callerLink(ctx context.Context, snap *snapshot, d Description) ([]Link, error) {
	last := lastName(d.Symbol)
	n := 0
	err := r.queryRow(ctx, countSymbols, snap.view, last, crumbDefinitions+1).Scan(&n)
	if err != nil || n > crumbDefinitions {
		return nil, damaged(err)
	}
	defs, err := r.defined(ctx, snap, last)
	if err != nil {
		return nil, err
	}
	wanted := slices.DeleteFunc(slices.Clone(defs), func(x definition) bool { return x.path != d.Path || x.entry.Name != d.Symbol })
	calls, capped, err := r.callersOf(ctx, snap, last, wanted, defs, crumbFiles)
	if err != nil || len(calls) == 0 {
		return nil, err
	}
	first := calls[0]
	certain := 0
	for _, c := range calls {
		if c.edge.certain {
			certain++
		}
		if c.edge.certain && !first.edge.certain {
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
	return []Link{{Relation: "callers", Target: first.in.caller(first.call.Caller), Note: note}}, nil
}

// isGlob tells whether a pattern is one.
func isGlob(p string) bool { return strings.ContainsAny(p, "*?[") }

// matchName tells whether a name matches a pattern, in its case.
func matchName(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return err == nil && ok
}
