package xref

import (
	"slices"
	"strings"

	"patina/code/imports"
	"patina/code/lang"
	"patina/store/doc"
)

// These bound one search.
const (
	maxAliases   = 4    // chained aliases
	maxReExports = 2048 // re-exporting modules; mobx has 69 behind one file
)

// aliasesOf maps the names in a file that are aliases to the last part of the name behind them.
func aliasesOf(f imports.File) map[string]string {
	var out map[string]string
	rules := lang.Named(f.Language).Names()
	for _, b := range f.Bindings {
		to := Unqualified(b.Of)
		switch {
		case b.Name == doc.PackageName:
			continue
		case b.Import == "" && !rules.LocalAliases: // an export of JavaScript is no local name
			continue
		case b.Of == "" && !rules.BindsModules:
			to = Unqualified(b.Import)
		}
		if to == b.Name || to == "" || to == doc.DefaultName {
			continue
		}
		if out == nil {
			out = make(map[string]string)
		}
		out[b.Name] = to
	}
	return out
}

// unaliased replaces an alias at the beginning of a qualifier of C++ or C#, where an alias may mean
// a path of names.
func (s *environment) unaliased(qualifier string) string {
	if s.rules.ByPath || len(s.bindings) == 0 || qualifier == "" {
		return qualifier
	}
	names := imports.SplitName(qualifier)
	for range maxAliases {
		i := slices.IndexFunc(s.bindings, func(b doc.Binding) bool { return b.Name == names[0] })
		if i < 0 {
			break
		}
		b := s.bindings[i]
		if names = append(imports.SplitName(b.Import+"."+b.Of), names[1:]...); len(names) == 0 {
			return qualifier
		}
	}
	return strings.Join(names, ".")
}

// meanings returns the targets that imports give to a written name: modules, each with the names
// below it. bound reports whether an import binds its first part. If there are no targets then, the
// name is from outside the view.
func (s *environment) meanings(written []string) (means []imports.Target, bound bool) {
	if !s.rules.ByPath {
		return nil, false
	}
	for n := len(written); n > 0 && !bound; n-- {
		name := strings.Join(written[:n], ".") // more than one part is a module of Python
		for _, b := range s.bindings {
			if b.Name == name && b.Import != "" && name != doc.AllNames {
				bound = true
				means = append(means, s.resolver.ResolveBinding(s.language, s.path, b, written[n:])...)
			}
		}
	}
	switch {
	case bound || len(written) < 2:
	case s.rules.Modules == lang.FolderPackages:
		return s.goMeanings(written)
	case s.rules.Modules == lang.CrateModules:
		return s.rustMeanings(written)
	}
	return means, bound
}

// goMeanings resolves pkg.F for imports without another name.
func (s *environment) goMeanings(written []string) (means []imports.Target, bound bool) {
	for _, imported := range s.imports {
		if imports.GoName(imported) != written[0] || s.hasName(imported) {
			continue
		}
		bound = true
		if t, ok := s.resolver.Resolve(s.language, s.path, imported); ok {
			t.Names = written[1:]
			means = append(means, t)
		}
	}
	return means, bound
}

// hasName reports whether the file gives an import another name.
func (s *environment) hasName(imported string) bool {
	return slices.ContainsFunc(s.bindings, func(b doc.Binding) bool {
		return b.Import == imported
	})
}

// rustMeanings resolves a path whose first part is not bound by a use declaration: a module or a
// crate.
func (s *environment) rustMeanings(written []string) (means []imports.Target, bound bool) {
	t, ok := s.resolver.Resolve(s.language, s.path, strings.Join(written, "::"))
	if !ok {
		return nil, slices.Contains([]string{"std", "core", "alloc"}, written[0])
	}
	return []imports.Target{t}, true
}

// means reports whether the names of a target lead to a definition.
func (s *environment) means(t imports.Target, d *Definition) bool {
	switch {
	case s.rules.Modules == lang.FolderPackages:
		return t.Folder == d.folder && d.parent == nil &&
			len(t.Names) == 1 && doc.BareName(d.Entry.Name) == t.Names[0]
	case t.Whole && d.owner != "":
		return false
	}
	w := newWalk()
	return slices.ContainsFunc(t.At, func(i int) bool { return s.exports(i, t.Names, d, w) })
}

// A walk is one search through re-exporting modules. It enters each once for the same names.
type walk struct {
	seen map[module]bool
}

// A module is a file and the names that are searched in it.
type module struct {
	file  int
	names string
}

func newWalk() *walk { return &walk{make(map[module]bool)} }

// maxExportedNames bounds the names of one search. A re-export that leads back with one name more
// would otherwise be followed to the bound of modules, with names of any length.
const maxExportedNames = 32

// enters reports whether the walk may enter a module: it has not been there, and the bound is not
// reached.
func (w *walk) enters(i int, names []string) bool {
	if len(names) > maxExportedNames { // a module that re-exports itself below a name
		return false
	}
	at := module{i, strings.Join(names, ".")}
	if w.seen[at] || len(w.seen) >= maxReExports {
		return false
	}
	w.seen[at] = true
	return true
}

// exports reports whether a file defines d under some names, or re-exports it.
func (s *environment) exports(i int, names []string, d *Definition, w *walk) bool {
	if !w.enters(i, names) {
		return false
	}
	f := s.resolver.File(i)
	if f.Path == d.Path && d.isNamed(names) {
		return true
	}
	rules := lang.Named(f.Language).Names()
	if len(names) == 0 || !rules.ByPath {
		return false
	}
	bindings := s.othersOf(f).Bindings
	exportsOwn := rules.Modules == lang.ScriptModules && exportsAnother(bindings, names[0])
	return slices.ContainsFunc(bindings, func(b doc.Binding) bool {
		rest := names
		switch {
		case exportsOwn && b.Import != "" && b.Name == names[0]:
			return false
		case b.Name == names[0]:
			rest = names[1:]
		case len(names) > 1 && b.Name == names[0]+"."+names[1]: // a field of an object
			rest = names[2:]
		case b.Name != doc.AllNames:
			return false
		}
		if b.Import == "" {
			rest = append(imports.SplitName(b.Of), rest...)
			return b.Name != doc.AllNames && s.exports(i, rest, d, w)
		}
		targets := s.resolver.ResolveBinding(f.Language, f.Path, b, rest)
		return slices.ContainsFunc(targets, func(t imports.Target) bool {
			return slices.ContainsFunc(t.At, func(j int) bool {
				return s.exports(j, t.Names, d, w)
			})
		})
	})
}

// exportsAnother reports whether a module of JavaScript exports something of its own under a name.
// It does not re-export an import of that name then.
func exportsAnother(bindings []doc.Binding, name string) bool {
	return slices.ContainsFunc(bindings, func(b doc.Binding) bool {
		return b.Name == name && b.Import == "" && b.Of != name
	})
}

// keepsToItself reports whether a bound name leads to a module that exports something else by it.
func (s *environment) keepsToItself(r *reference) bool {
	return s.rules.Modules == lang.ScriptModules && slices.ContainsFunc(r.means, func(t imports.Target) bool {
		return len(t.Names) > 0 && slices.ContainsFunc(t.At, func(i int) bool {
			return exportsAnother(s.othersOf(s.resolver.File(i)).Bindings, t.Names[0])
		})
	})
}

// reach returns how surely any import of the file leads to a path.
func (s *environment) reach(to string) imports.Reach {
	key := to
	if s.rules.Modules == lang.FolderPackages {
		key = imports.FolderOf(to)
	}
	most, ok := s.reaches[key]
	if ok {
		return most
	}
	for _, t := range s.targets {
		most = max(most, t.Reach(to))
	}
	s.reaches[key] = most
	return most
}

// leadsTo reports whether an import leads to the file or package of a definition.
func (s *environment) leadsTo(t imports.Target, d *Definition) bool {
	if t.Reach(d.Path) > imports.Unreached {
		return true
	}
	w := newWalk()
	return slices.ContainsFunc(t.At, func(i int) bool {
		return s.exports(i, append(slices.Clone(t.Names), d.name), d, w)
	})
}

// importsElsewhere reports whether another file imports a name from outside the view.
func (s *environment) importsElsewhere(file int, name string) bool {
	f := s.resolver.File(file)
	return s.rules.ByPath && slices.ContainsFunc(s.othersOf(f).Bindings, func(b doc.Binding) bool {
		return b.Name == name && b.Import != "" && len(s.resolver.ResolveBinding(f.Language, f.Path, b, nil)) == 0
	})
}

// namesOwner reports whether an import binds the type of a method by its name.
func (s *environment) namesOwner(d *Definition) bool {
	means, _ := s.meanings([]string{d.owner})
	return slices.ContainsFunc(means, func(t imports.Target) bool {
		t.Names = append(slices.Clone(t.Names), d.name)
		return s.means(t, d)
	})
}

// isOutside reports whether an import binds a type from outside the index.
func (s *environment) isOutside(typ string) bool {
	means, bound := s.meanings([]string{typ})
	return bound && len(means) == 0
}

// defines reports whether the file defines a type.
func (s *environment) defines(typ string) bool {
	return slices.ContainsFunc(s.entries, func(e doc.Entry) bool {
		return e.Sort == doc.Type && doc.LastName(doc.BareName(e.Name)) == typ
	})
}

// GivesName reports whether a name in the file leads to one of the wanted definitions.
func (s *environment) GivesName(name string, wanted []Definition) bool {
	return slices.ContainsFunc(wanted, func(d Definition) bool { return s.leadsFrom(name, &d) })
}

// leadsFrom reports whether a name in the file leads to a definition through imports, exports and
// assignments.
func (s *environment) leadsFrom(name string, d *Definition) bool {
	if d.family != s.family {
		return false
	}
	if s.rules.Modules == lang.FolderPackages {
		return slices.ContainsFunc(s.bindings, func(b doc.Binding) bool {
			return b.Name == name && b.Import == "" && s.leadsInGo(b.Of, d)
		})
	}
	i, ok := s.resolver.Number(s.path)
	return ok && s.exports(i, imports.SplitName(name), d, newWalk())
}

// leadsInGo reports whether a Go name means a function of the package or of an imported one.
func (s *environment) leadsInGo(name string, d *Definition) bool {
	if d.owner != "" || Unqualified(name) != d.name {
		return false
	}
	if !strings.Contains(name, ".") {
		return s.folder == d.folder
	}
	means, _ := s.meanings(imports.SplitName(name))
	return slices.ContainsFunc(means, func(t imports.Target) bool { return s.means(t, d) })
}
