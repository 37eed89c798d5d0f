package xref

import (
	"path"
	"slices"
	"strings"

	"patina/store"
)

// Bounds on following aliases of aliases, and re-exports.
const (
	maxAliases = 4
	maxHanded  = 64
)

// byPath are languages whose imports use a path of names that also stands in calls.
var byPath = map[string]bool{"Go": true, "Python": true, "JavaScript": true, "Rust": true, "Java": true, "PHP": true}

// segments returns a name's parts, with any separator.
func segments(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(`.:->\/?!`, r) })
}

// renames returns the file's aliases for names that definitions may have.
func renames(f File) map[string]string {
	var out map[string]string
	for _, b := range f.Bindings {
		to := LastOf(b.Of)
		switch lang := Family(f.Language); {
		case b.Import == "" && lang != "C": // a JavaScript re-export, which is no name inside the module
			continue
		case b.Of == "" && lang != "JavaScript" && lang != "Go":
			to = LastOf(b.Import)
		}
		if to == b.Name || to == "" || to == store.DefaultName {
			continue
		}
		if out == nil {
			out = make(map[string]string)
		}
		out[b.Name] = to
	}
	return out
}

// unaliased replaces an alias in C++ or C# by its meaning: there an alias is a path of names like
// any other.
func (s *Site) unaliased(qualifier string) string {
	if byPath[s.family] || len(s.bindings) == 0 || qualifier == "" {
		return qualifier
	}
	parts := segments(qualifier)
	for range maxAliases {
		i := slices.IndexFunc(s.bindings, func(b store.Binding) bool { return b.Name == parts[0] })
		if i < 0 {
			break
		}
		if parts = append(segments(s.bindings[i].Import+"."+s.bindings[i].Of), parts[1:]...); len(parts) == 0 {
			return qualifier
		}
	}
	return strings.Join(parts, ".")
}

// meanings returns the modules that a written name may mean by the imports, each with the names
// below it. bound reports whether an import brings its first part. Then without a meaning it comes
// from outside the view.
func (s *Site) meanings(parts []string) (list []Lead, bound bool) {
	if !byPath[s.family] {
		return nil, false
	}
	for n := len(parts); n > 0 && !bound; n-- {
		name := strings.Join(parts[:n], ".") // a Python module may have several parts
		for _, b := range s.bindings {
			if b.Name == name && b.Import != "" && name != store.AllNames {
				bound = true
				list = append(list, s.behind(s.lang, s.path, b, parts[n:])...)
			}
		}
	}
	switch {
	case bound || len(parts) < 2:
	case s.lang == "Go":
		return s.goMeanings(parts)
	case s.lang == "Rust":
		return s.rustMeanings(parts)
	}
	return list, bound
}

// behind returns the meaning of the names after a binding.
func (m *Modules) behind(lang, from string, b store.Binding, rest []string) []Lead {
	target := b.Import
	var names []string
	switch {
	case lang == "Rust":
		target = strings.TrimSuffix(target, "::"+store.AllNames)
	case b.Of == "" || b.Of == store.AllNames:
	case lang == "Python": // a name in the module, or a module below it
		if strings.Trim(target, ".") != "" {
			target += "."
		}
		target += b.Of
	default:
		names = segments(b.Of)
	}
	l := m.Leads(lang, from, target)
	if !l.Found {
		return nil
	}
	l.names = slices.Concat(l.names, names, rest)
	return []Lead{l}
}

// goMeanings reads pkg.F for an import without an alias.
func (s *Site) goMeanings(parts []string) (list []Lead, bound bool) {
	for _, t := range s.imports {
		if goName(t) != parts[0] || s.hasName(t) {
			continue
		}
		bound = true
		if l := s.Leads(s.lang, s.path, t); l.Found {
			l.names = parts[1:]
			list = append(list, l)
		}
	}
	return list, bound
}

// hasName reports whether the binding gives the import an alias.
func (s *Site) hasName(target string) bool {
	return slices.ContainsFunc(s.bindings, func(b store.Binding) bool { return b.Import == target })
}

// rustMeanings reads a path without a use declaration: a module beside, or a crate.
func (s *Site) rustMeanings(parts []string) (list []Lead, bound bool) {
	l := s.Leads(s.lang, s.path, strings.Join(parts, "::"))
	if !l.Found {
		return nil, slices.Contains([]string{"std", "core", "alloc"}, parts[0])
	}
	return []Lead{l}, true
}

// holds reports whether a module's names mean a definition.
func (s *Site) holds(l Lead, d *Definition) bool {
	switch {
	case s.lang == "Go":
		return l.Folder == d.folder && len(l.names) == 1 && d.Parent == nil && store.BareName(d.Entry.Name) == l.names[0]
	case l.All && d.owner != "":
		return false
	}
	left := maxHanded
	return slices.ContainsFunc(l.Files, func(i int) bool { return s.hands(i, l.names, d, &left) })
}

// hands reports whether a file holds a definition under some names, or re-exports it.
func (s *Site) hands(i int, names []string, d *Definition, left *int) bool {
	if *left--; *left < 0 {
		return false
	}
	f := s.Files[i]
	if f.Path == d.Path && isNamed(d, names) {
		return true
	}
	if len(names) == 0 || !byPath[Family(f.Language)] {
		return false
	}
	for _, b := range s.exports(i) {
		rest := names
		switch {
		case b.Name == names[0]:
			rest = names[1:]
		case b.Name != store.AllNames:
			continue
		}
		if b.Import == "" {
			if b.Name != store.AllNames && s.hands(i, append(segments(b.Of), rest...), d, left) {
				return true
			}
			continue
		}
		for _, l := range s.behind(f.Language, f.Path, b, rest) {
			if slices.ContainsFunc(l.Files, func(j int) bool { return s.hands(j, l.names, d, left) }) {
				return true
			}
		}
	}
	return false
}

// isNamed reports whether names lead to a definition in its file: its own name, after its type's.
// The type may be missing if the file is named like it.
func isNamed(d *Definition, names []string) bool {
	name, owner := d.name, d.owner
	if lang := d.Family; lang == "Java" || lang == "PHP" {
		names = append([]string{stemOf(d.Path)}, names...)
	}
	if isLocal(d) || name == owner || len(names) == 0 || names[len(names)-1] != name {
		return false
	}
	if owner == "" {
		return len(names) == 1 || d.Family == "Rust" // modules inside a file
	}
	return len(names) > 1 && names[len(names)-2] == owner
}

// isLocal reports whether a definition lies in a function.
func isLocal(d *Definition) bool {
	return d.Parent != nil && (d.Parent.Sort == store.Function || d.Parent.Sort == store.Method)
}

// A reach is how surely an import leads to a file.
type reach int

const (
	Unreached reach = iota
	Around          // to a file for a folder above, which may re-export it
	Exactly         // to the file, or to its package
)

// imported reports whether any import leads to a file.
func (s *Site) imported(to string) reach {
	key := to
	if s.lang == "Go" {
		key = FolderOf(to)
	}
	most, ok := s.reaches[key]
	if ok {
		return most
	}
	for _, l := range s.reached {
		most = max(most, s.Surely(s.lang, l, to))
	}
	s.reaches[key] = most
	return most
}

// Surely returns how surely an import leads to a file.
func (m *Modules) Surely(lang string, l Lead, to string) reach {
	if lang == "Go" {
		if l.Found && l.Folder == FolderOf(to) {
			return Exactly
		}
		return Unreached
	}
	most := Unreached
	for _, i := range l.Files {
		p := m.Files[i].Path
		switch {
		// A header and its source have one name.
		case p == to, Family(lang) == "C" && withoutExtension(p) == withoutExtension(to):
			return Exactly
		case IsFront(p) && strings.HasPrefix(to, FolderOf(p)+"/"), Family(lang) == "C" && stemOf(p) == stemOf(to):
			most = Around
		}
	}
	return most
}

func stemOf(p string) string { return path.Base(withoutExtension(p)) }
