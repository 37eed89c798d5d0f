package xref

import (
	"slices"
	"strings"

	"patina/code/imports"
	"patina/code/lang"
	"patina/store/doc"
)

// Bounds of one look.
const (
	maxAliases   = 4    // aliases of aliases
	maxReExports = 2048 // modules that hand on what they import; mobx has 69 behind one file
)

// aliasesOf maps the names of a file that stand for another name to that one.
func aliasesOf(f imports.File) map[string]string {
	var out map[string]string
	rules := lang.Named(f.Language).Names()
	for _, b := range f.Bindings {
		to := Unqualified(b.Of)
		switch {
		case b.Name == doc.PackageName:
			continue
		case b.Import == "" && !rules.LocalAliases: // an export of JavaScript is no name inside of it
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

// unaliased replaces an alias of C++ or C# that a qualifier begins with. There, an alias stands for
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

// meanings finds what imports say of a written name: modules, each with the names below it. bound
// reports whether an import brings its first part; if it has no meaning then, it is from outside of
// the view.
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

// goMeanings reads pkg.F of an import that has no other name.
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

// hasName reports whether the file gives a name of its own to an import.
func (s *environment) hasName(imported string) bool {
	return slices.ContainsFunc(s.bindings, func(b doc.Binding) bool {
		return b.Import == imported
	})
}

// rustMeanings reads a path whose first part no use declaration brings: a module or a crate.
func (s *environment) rustMeanings(written []string) (means []imports.Target, bound bool) {
	t, ok := s.resolver.Resolve(s.language, s.path, strings.Join(written, "::"))
	if !ok {
		return nil, slices.Contains([]string{"std", "core", "alloc"}, written[0])
	}
	return []imports.Target{t}, true
}

// means reports whether the names of a target mean a definition.
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

// A walk is one look through modules that hand on what they import. Each is entered once for the
// same names.
type walk struct {
	seen map[module]bool
}

// A module is a file, and the names that are looked for in it.
type module struct {
	file  int
	names string
}

func newWalk() *walk { return &walk{make(map[module]bool)} }

// enters reports whether the walk has not been in a module, and may go on.
func (w *walk) enters(i int, names []string) bool {
	at := module{i, strings.Join(names, ".")}
	if w.seen[at] || len(w.seen) >= maxReExports {
		return false
	}
	w.seen[at] = true
	return true
}

// exports reports whether a file holds a definition under some names, or hands it on from where it
// imports it.
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
		case len(names) > 1 && b.Name == names[0]+"."+names[1]: // of an object
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

// exportsAnother reports whether a module of JavaScript exports something of its own under a name:
// what it imports under that name it keeps to itself.
func exportsAnother(bindings []doc.Binding, name string) bool {
	return slices.ContainsFunc(bindings, func(b doc.Binding) bool {
		return b.Name == name && b.Import == "" && b.Of != name
	})
}

// keepsToItself reports whether a bound name leads to a module that exports another thing by it.
func (s *environment) keepsToItself(r *reference) bool {
	return s.rules.Modules == lang.ScriptModules && slices.ContainsFunc(r.means, func(t imports.Target) bool {
		return len(t.Names) > 0 && slices.ContainsFunc(t.At, func(i int) bool {
			return exportsAnother(s.othersOf(s.resolver.File(i)).Bindings, t.Names[0])
		})
	})
}

// reach says how surely any import of the file leads to another one.
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

// importsElsewhere reports whether another file imports a name from outside of the view.
func (s *environment) importsElsewhere(file int, name string) bool {
	f := s.resolver.File(file)
	return s.rules.ByPath && slices.ContainsFunc(s.othersOf(f).Bindings, func(b doc.Binding) bool {
		return b.Name == name && b.Import != "" && len(s.resolver.ResolveBinding(f.Language, f.Path, b, nil)) == 0
	})
}

// namesOwner reports whether an import brings the type of a method by its name.
func (s *environment) namesOwner(d *Definition) bool {
	means, _ := s.meanings([]string{d.owner})
	return slices.ContainsFunc(means, func(t imports.Target) bool {
		t.Names = append(slices.Clone(t.Names), d.name)
		return s.means(t, d)
	})
}

// isOutside reports whether an import brings a type from outside of the index.
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

// GivesName reports whether a name of the file leads to one of some definitions.
func (s *environment) GivesName(name string, wanted []Definition) bool {
	return slices.ContainsFunc(wanted, func(d Definition) bool { return s.leadsFrom(name, &d) })
}

// leadsFrom reports whether a name of the file leads to a definition, by imports, exports and
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

// leadsInGo reports whether a name of Go means a function: of the package, or of an imported one.
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
