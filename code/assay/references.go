package assay

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"patina/code/callers"
	"patina/code/imports"
	"patina/code/lang"
	"patina/code/lookup"
	"patina/code/xref"
	"patina/scrape/syntax"
	"patina/store"
	"patina/store/doc"
)

// These bound one question for references: the files that are read, and the share of the time until
// the deadline.
const (
	maxRead   = 2000
	timeShare = 0.7
	together  = 8 // files that are read before the clock is checked again
)

// A use is one place where the name occurs.
type use struct {
	syntax.Use
	in    int // index into references.files
	line  int
	entry int // index of the entry around it, or -1
}

// references collects the uses of one name.
type references struct {
	r       *store.Reader
	snap    *store.Snapshot
	out     *Facts
	owner   string // type of the field; "" for any
	name    string
	files   []imports.File
	uses    []use
	fields  []xref.Definition
	byField map[string]bool   // path and owner of each
	locals  map[[2]int]bool   // file and function that define a variable of the name
	renamed map[string]string // from a tag of C to its other name: T_ to T in typedef struct T_ T
}

// assayReferences reads the files that contain the name, because a scrape stores only calls. A
// pattern with wildcards gets a note and no facts.
func assayReferences(ctx context.Context, r *store.Reader, snap *store.Snapshot, out *Facts) error {
	if isGlob(out.Pattern) {
		out.addNote("references are of one name, without wildcards")
		return nil
	}
	meant, all, err := findMeant(ctx, r, snap, out)
	if err != nil {
		return err
	}
	name := doc.LastName(strings.TrimSuffix(out.Pattern, "()"))
	if i := strings.LastIndex(out.Pattern, "::"); i >= 0 {
		name = doc.LastName(doc.BareName(out.Pattern[i+2:]))
	}
	name = xref.Unqualified(name)
	if name == "" || len(name) > lang.NameBytes {
		return nil
	}
	x := references{
		r: r, snap: snap, out: out, name: name,
		byField: make(map[string]bool), locals: make(map[[2]int]bool), renamed: make(map[string]string),
	}
	if q := xref.Qualifier(strings.TrimSuffix(out.Pattern, "()")); q != "" {
		x.owner = xref.Unqualified(q)
	}
	if err := x.findUses(ctx, meant[name]); err != nil {
		return err
	}
	return x.judge(ctx, meant[name], all[name])
}

// findUses finds the uses in all files that mention the name, files with the definitions first. It
// stops with a note at maxRead files or when timeShare of the time is over.
func (x *references) findUses(ctx context.Context, meant []xref.Definition) error {
	keys, err := callers.Mentioning(ctx, x.r, x.name)
	if err != nil {
		return err
	}
	first := make(map[int64]bool)
	for _, d := range meant {
		first[d.File] = true
	}
	slices.SortStableFunc(keys, func(a, b int64) int {
		switch {
		case first[a] == first[b]:
			return 0
		case first[a]:
			return -1
		}
		return 1
	})
	all := len(keys)
	keys = keys[:min(all, maxRead)]
	until := time.Time{}
	if deadline, ok := ctx.Deadline(); ok {
		until = time.Now().Add(time.Duration(float64(time.Until(deadline)) * timeShare))
	}
	for at := 0; at < len(keys); at += together {
		if !until.IsZero() && time.Now().After(until) {
			x.out.addNote("%d of %d files with the name were read: a longer timeout reads more", at, all)
			return nil
		}
		if err := x.readSome(ctx, keys[at:min(at+together, len(keys))]); err != nil {
			return err
		}
	}
	if all > maxRead {
		x.out.addNote("%d of %d files with the name were read: the bound of one question", maxRead, all)
	}
	return nil
}

// A parsed is a file and the uses in it, or the error of parsing it.
type parsed struct {
	file  imports.File
	text  []byte
	uses  []syntax.Use
	typed []syntax.Typed
	err   error
}

// readSome reads files and parses them concurrently. It adds them in the order of the keys.
func (x *references) readSome(ctx context.Context, keys []int64) error {
	var files []*parsed
	err := callers.FactRows(ctx, x.r, x.snap, keys, "", func(f imports.File) error {
		if !syntax.Knows(f.Language) {
			return nil
		}
		body, err := x.r.Text(ctx, f.Key)
		if err == nil && strings.Contains(body, x.name) {
			files = append(files, &parsed{file: f, text: []byte(body)})
		}
		return err
	})
	if err != nil {
		return err
	}
	var wait sync.WaitGroup
	for _, p := range files {
		wait.Go(func() { p.uses, p.typed, p.err = syntax.Uses(p.file.Language, p.text, x.name) })
	}
	wait.Wait()
	for _, p := range files {
		switch {
		case errors.Is(p.err, syntax.ErrTooCostly):
			x.out.addNote("not read, too costly to parse: %s", p.file.Path)
		case p.err != nil:
			return p.err
		case len(p.uses) > 0:
			x.addFile(p)
		}
	}
	return nil
}

func (x *references) addFile(p *parsed) {
	f, text := p.file, p.text
	x.renames(f)
	at, line, last := len(x.files), 1, 0
	for _, u := range p.uses {
		line += bytes.Count(text[last:u.At], []byte("\n"))
		last = u.At
		y := use{Use: u, in: at, line: line, entry: lookup.InnermostEntry(f.Entries, line)}
		if u.As == syntax.Defines {
			x.addDefinition(&f, at, y)
			continue
		}
		x.uses = append(x.uses, y)
	}
	f.Typed = nil
	for _, t := range p.typed {
		entry := lookup.InnermostEntry(f.Entries, 1+bytes.Count(text[:t.At], []byte("\n")))
		f.Typed = append(f.Typed, doc.Typed{Entry: entry, Name: t.Name, Type: t.Type})
	}
	x.files = append(x.files, f)
}

// addDefinition records a definition that has no entry: a field of a type, or a local variable of a
// function. Such a definition is not shown as a use.
func (x *references) addDefinition(f *imports.File, at int, u use) {
	if slices.ContainsFunc(f.Entries, func(e doc.Entry) bool {
		return doc.LastName(e.Name) == x.name && e.First <= u.line && u.line <= max(e.Line, e.First)
	}) || u.entry < 0 {
		return
	}
	e, in := f.Entries[u.entry], u.entry
	if u.Promoted && e.Parent >= 0 && e.Parent < len(f.Entries) { // out of the constructor
		e, in = f.Entries[e.Parent], e.Parent
	}
	if e.Sort != doc.Type {
		x.locals[[2]int{at, u.entry}] = true
		return
	}
	if key := f.Path + "\x00" + e.Name; !x.byField[key] {
		x.byField[key] = true
		field := doc.Entry{
			Name: x.typeName(doc.BareName(e.Name)) + "." + x.name, Sort: doc.Variable,
			First: u.line, Line: u.line, Last: u.line, Parent: in,
		}
		with := *f
		with.Entries = append(slices.Clip(f.Entries), field)
		x.fields = append(x.fields, xref.NewDefinition(with, len(with.Entries)-1))
	}
}

// renames records the typedef names of structs and unions in a file of C.
func (x *references) renames(f imports.File) {
	if lang.Named(f.Language).Names().Modules != lang.HeaderIncludes {
		return
	}
	for _, e := range f.Entries {
		words := strings.Fields(e.Title)
		if e.Sort == doc.Type && len(words) > 2 && words[0] == "typedef" &&
			(words[1] == "struct" || words[1] == "union") && words[2] != e.Name {
			x.renamed[words[2]] = e.Name
		}
	}
}

// typeName returns the name by which variables of a type are declared.
func (x *references) typeName(tag string) string {
	return cmp.Or(x.renamed[tag], tag)
}

// judge resolves each use and adds those that mean a wanted definition. If the index does not
// define the name, it adds all uses that are spelled like the pattern.
func (x *references) judge(ctx context.Context, meant, all []xref.Definition) error {
	type place struct {
		path string
		line int
	}
	wanted := make(map[place]bool)
	for _, d := range meant {
		wanted[place{d.Path, d.Entry.Line}] = true
	}
	defs := slices.Clone(all)
	for _, d := range x.fields {
		defs = append(defs, d)
		if x.owner == "" || d.Owner() == x.typeName(x.owner) {
			wanted[place{d.Path, d.Entry.Line}] = true
			x.out.name(doc.SymbolID(d.Path, d.Entry.Name))
		}
	}
	slices.SortStableFunc(defs, func(a, b xref.Definition) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), a.Entry.Line-b.Entry.Line)
	})
	m, err := callers.Modules(ctx, x.r, x.snap)
	if err != nil {
		return err
	}
	for i := range x.files {
		for j, t := range x.files[i].Typed {
			x.files[i].Typed[j].Type = x.typeName(t.Type)
		}
	}
	outside := len(wanted) == 0
	var facts grouped
	var s *xref.Scope
	in := -1
	for _, u := range x.uses {
		f := &x.files[u.in]
		if in != u.in {
			s, in = callers.ScopeOf(ctx, x.r, x.snap, *f, m), u.in
		}
		c := doc.Call{Caller: u.entry, Name: u.Name, Line: u.line}
		if u.Of != "" {
			c.Name = u.Of + "." + x.name
		}
		call := callers.Called{In: f, Call: c}
		switch {
		case outside && x.outsideUse(u):
			call.Edge.Reason = notDefined
			if len(all) > 0 {
				call.Edge.Reason = notFollowed
			}
			facts.addCaller(call, string(u.As), "", false)
			continue
		case outside, xref.Qualifier(c.Name) == "" && x.local(u):
			continue
		}
		edges := s.Resolve(c, defs)
		i := slices.IndexFunc(edges, func(e xref.Edge) bool { return wanted[place{e.Path, e.Entry.Line}] })
		if i >= 0 {
			call.Edge, call.Call.Name = edges[i], u.Name
			e := edges[i]
			facts.addCaller(call, string(u.As), doc.SymbolID(e.Path, e.Entry.Name), e.Path == f.Path)
		}
	}
	x.out.Facts = facts.sorted()
	if outside && len(x.out.Facts) > 0 {
		x.out.addNote("%q is not defined in the index: uses of that name", x.out.Pattern)
	}
	return nil
}

// outsideUse reports whether a use is spelled like a pattern that the index does not define.
func (x *references) outsideUse(u use) bool {
	return x.owner == "" || xref.Unqualified(xref.Qualifier(u.Name)) == x.owner
}

// local reports whether a function around a use has a local variable of the name.
func (x *references) local(u use) bool {
	entries := x.files[u.in].Entries
	at := u.entry
	for range entries { // bounded: parents come from the file
		if at < 0 || at >= len(entries) {
			break
		}
		if x.locals[[2]int{u.in, at}] {
			return true
		}
		at = entries[at].Parent
	}
	return false
}
