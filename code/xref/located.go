package xref

import (
	"slices"
	"strings"

	"patina/code/imports"
	"patina/code/lang"
	"patina/store/doc"
)

// locatedType returns the type that a file means by a name, among all definitions of the name.
func (s *typeTable) locatedType(n typeName) seenType {
	if s.named == nil || s.typesOf == nil {
		return seenType{}
	}
	names := imports.SplitName(n.name)
	if len(names) == 0 {
		return seenType{}
	}
	place, bindings, paths := s.path, s.bindings, s.imports
	if n.file != ownFile {
		f := s.resolver.File(n.file)
		other := s.othersOf(f)
		place, bindings, paths = f.Path, other.Bindings, other.Imports
	}
	last := names[len(names)-1]
	for _, b := range bindings {
		to := Unqualified(b.Of)
		if b.Name == last && b.Import != "" && to != "" && to != doc.DefaultName &&
			s.rules.Modules == lang.DottedModules {
			last = to
		}
	}
	var found []*Definition
	ds := s.named(last)
	best := 0
	for i := range ds {
		d := &ds[i]
		if d.family != s.family || d.Entry.Sort != doc.Type {
			continue
		}
		switch grade := s.sees(place, names, bindings, paths, d); {
		case grade == 0 || grade < best:
		case grade > best:
			best, found = grade, append(found[:0], d)
		default:
			found = append(found, d)
		}
	}
	if len(found) == 0 || len(found) > 1 && !sameType(found) {
		return seenType{}
	}
	file, ok := s.fileOf(found[0])
	if !ok {
		return seenType{}
	}
	types := s.typesIn(file)
	for i := range types {
		if types[i].Name == last {
			return seenType{&types[i], file}
		}
	}
	return seenType{}
}

// sameType reports whether several definitions are parts of one type, as reopened classes of Ruby
// are.
func sameType(ds []*Definition) bool {
	if !ds[0].rules.ReopensTypes {
		return false
	}
	return !slices.ContainsFunc(ds, func(d *Definition) bool { return d.Entry.Sort != doc.Type })
}

// sees returns how surely a file means a type by a name, or 0 if it does not.
func (s *typeTable) sees(place string, names []string, bindings []doc.Binding, paths []string, d *Definition) int {
	last := names[len(names)-1]
	if s.rules.Modules == lang.FolderPackages {
		return s.seesInGo(place, names, bindings, paths, d)
	}
	dotted := s.rules.Modules == lang.DottedModules
	if len(names) > 1 && !dotted && place == s.path {
		written := strings.Join(names, ".")
		if s.rules.Modules == lang.ClassNamespaces {
			written = `\` + strings.Join(names, `\`)
		}
		if s.inOtherNamespace(names[:len(names)-1], written, d) {
			return 0
		}
	}
	if d.Path == place && (!dotted || len(names) == 1) {
		return 3
	}
	outside := false
	for _, b := range bindings {
		if b.Import == "" || b.Name != names[0] && b.Name != last {
			continue
		}
		targets := s.resolver.ResolveBinding(s.family, place, b, nil)
		outside = outside || len(targets) == 0
		for _, t := range targets {
			if t.Reach(d.Path) == imports.Exact || s.leadsTo(t, d) {
				return 3
			}
		}
	}
	switch {
	case outside:
		return 0
	case dotted:
		mayBind := func(b doc.Binding) bool { return b.Name == doc.AllNames || b.Name == names[0] }
		if slices.ContainsFunc(bindings, mayBind) {
			return 1
		}
		return 0
	case s.rules.SharesFolder && imports.FolderOf(place) == d.folder:
		return 2
	}
	return 1
}

// seesInGo grades it for a file of Go: the type is of the own package by its bare name, else of the
// package that an import brings by the first name.
func (s *typeTable) seesInGo(place string, names []string, bindings []doc.Binding, paths []string, d *Definition) int {
	if len(names) == 1 {
		if d.folder == imports.FolderOf(place) {
			return 3
		}
		return 0
	}
	for _, b := range bindings {
		if b.Name == names[0] {
			return s.goPackage(b.Import, d)
		}
	}
	for _, imported := range paths {
		if imports.GoName(imported) == names[0] {
			return s.goPackage(imported, d)
		}
	}
	return 0
}

// goPackage grades an import of Go: 3 if it leads to the package of a definition, else 0.
func (s *environment) goPackage(imported string, d *Definition) int {
	if t, ok := s.resolver.Resolve(s.language, "", imported); ok && t.Folder == d.folder {
		return 3
	}
	return 0
}

// owns reports whether a method belongs to a type, even from another file: in Go of the same
// package, elsewhere in an extension or a reopened class.
func (s *typeTable) owns(t seenType, d *Definition) bool {
	if t.OuterType == nil || t.Name != d.owner {
		return false
	}
	p := s.pathOf(t.file)
	switch {
	case p == d.Path:
		return true
	case d.rules.Modules == lang.FolderPackages:
		return imports.FolderOf(p) == d.folder
	}
	inBody := d.parent != nil && d.parent.Sort == doc.Type
	return d.rules.LocatesTypes && d.rules.Modules != lang.DottedModules && (!inBody || d.rules.ReopensTypes)
}
