package xref

import (
	"slices"
	"strings"

	"patina/code/imports"
	"patina/code/lang"
	"patina/store/doc"
)

// anotherName begins the reason for a call by another name than the definition's.
const anotherName = "under another name"

// Renames reports whether a binding gives something named name another name.
func Renames(b doc.Binding, name string) bool {
	of := b.Of
	if of == "" {
		of = b.Import
	}
	return b.Name != name && b.Name != doc.AllNames && b.Name != doc.PackageName && Unqualified(of) == name
}

// ResolveByName returns the edge to the definition that a call means by another name. It is certain
// if only imports lead there. ok is false if the name leads to no wanted definition.
func (s *Scope) ResolveByName(c doc.Call, wanted []Definition) (e Edge, ok bool) {
	r, folders := s.reference(c), s.rules.Modules == lang.FolderPackages
	for i := range wanted {
		d := &wanted[i]
		if d.family != s.family || r.typ != "" || s.hasParameter(imports.SplitName(c.Name)[0], c, nil) {
			continue
		}
		imported := slices.ContainsFunc(r.means, func(t imports.Target) bool {
			return s.means(t, d) || folders && s.sharesAlias(t, d)
		})
		switch {
		case imported:
		case r.bound:
			continue
		case folders && r.qualifier == "" &&
			s.sharesAlias(imports.Target{Folder: s.folder, Names: []string{c.Name}}, d):
		case !folders && s.leadsFrom(c.Name, d):
		default:
			continue
		}
		return Edge{
			Definition: d, Certain: imported && !folders, Candidates: 1,
			Reason: anotherName + ": " + c.Name,
		}, true
	}
	return Edge{}, false
}

// maxBehind bounds the names that NamesBehind returns.
const maxBehind = 16

// NamesBehind returns the names of definitions that a call may mean by another name, through
// imports, exports and assignments. known must be the definitions of the called name.
func (s *Scope) NamesBehind(c doc.Call, known []Definition) (names []string) {
	b := behind{scope: s, left: maxReExports, called: Unqualified(c.Name)}
	if s.rules.Modules == lang.FolderPackages {
		for _, bound := range s.bindings {
			if bound.Name == c.Name && bound.Import == "" {
				b.addName(Unqualified(bound.Of))
			}
		}
		for _, d := range known { // var Run = Work
			if _, of, ok := strings.Cut(d.Entry.Title, "= "); ok && d.family == s.family &&
				d.Entry.Sort == doc.Variable {
				b.addName(Unqualified(strings.TrimSpace(of)))
			}
		}
		return b.names
	}
	for _, t := range s.reference(c).means {
		for _, i := range t.At {
			b.followNames(i, t.Names)
		}
	}
	if i, ok := s.resolver.Number(s.path); ok {
		b.followNames(i, imports.SplitName(c.Name))
	}
	return b.names
}

// behind collects the names to which a call leads.
type behind struct {
	scope  *Scope
	called string
	left   int // files that may still be read
	names  []string
}

func (b *behind) addName(name string) {
	if name == "" || name == b.called || name == doc.DefaultName || slices.Contains(b.names, name) {
		return
	}
	if len(b.names) < maxBehind {
		b.names = append(b.names, name)
	}
}

// followNames adds the names to which names in a file lead, like exports.
func (b *behind) followNames(i int, names []string) {
	if b.left--; b.left < 0 || len(names) == 0 {
		return
	}
	b.addName(names[len(names)-1])
	f := b.scope.resolver.File(i)
	if !lang.Named(f.Language).Names().ByPath {
		return
	}
	for _, bound := range b.scope.othersOf(f).Bindings {
		rest := names
		switch {
		case bound.Name == names[0]:
			rest = names[1:]
		case len(names) > 1 && bound.Name == names[0]+"."+names[1]:
			rest = names[2:]
		case bound.Name != doc.AllNames:
			continue
		}
		if bound.Import == "" {
			if bound.Name != doc.AllNames {
				b.followNames(i, append(imports.SplitName(bound.Of), rest...))
			}
			continue
		}
		for _, t := range b.scope.resolver.ResolveBinding(f.Language, f.Path, bound, rest) {
			for _, j := range t.At {
				b.followNames(j, t.Names)
			}
		}
	}
}

// sharesAlias reports whether a Go package gives a function the name of a target.
func (s *Scope) sharesAlias(t imports.Target, d *Definition) bool {
	if len(t.Names) != 1 || s.named == nil {
		return false
	}
	return slices.ContainsFunc(s.named(t.Names[0]), func(v Definition) bool {
		return v.rules.Modules == lang.FolderPackages && v.folder == t.Folder && v.Entry.Sort == doc.Variable &&
			strings.HasSuffix(v.Entry.Title, d.name)
	})
}
