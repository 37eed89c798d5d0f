package store

import (
	"path"
	"slices"
	"strings"
)

// Bounds of what is followed: other names of other names, and modules that hand on what they import.
const (
	maxAliases = 4
	maxHanded  = 64
)

// byPath are languages whose imports name things by a path of names, which is also what their files call them by.
var byPath = map[string]bool{"Go": true, "Python": true, "JavaScript": true, "Rust": true, "Java": true, "PHP": true}

// segments are the parts of a name, whatever stands between them.
func segments(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(`.:->\/?!`, r) })
}

// renames lists the names of a file that stand for others of which a definition may bear the name.
func renames(f factRow) map[string]string {
	var out map[string]string
	for _, b := range f.bindings {
		to := lastOf(b.Of)
		switch lang := family(f.lang); {
		case b.Import == "" && lang != "C": // what a module of JavaScript hands on, which is no name inside of it
			continue
		case b.Of == "" && lang != "JavaScript" && lang != "Go":
			to = lastOf(b.Import)
		}
		if to == b.Name || to == "" || to == DefaultName {
			continue
		}
		if out == nil {
			out = make(map[string]string)
		}
		out[b.Name] = to
	}
	return out
}

// unaliased puts what a name of C++ or C# stands for in place of it: there, an alias is a path of names like any other.
func (s *site) unaliased(qualifier string) string {
	if byPath[s.family] || len(s.bindings) == 0 || qualifier == "" {
		return qualifier
	}
	parts := segments(qualifier)
	for range maxAliases {
		i := slices.IndexFunc(s.bindings, func(b Binding) bool { return b.Name == parts[0] })
		if i < 0 {
			break
		}
		if parts = append(segments(s.bindings[i].Import+"."+s.bindings[i].Of), parts[1:]...); len(parts) == 0 {
			return qualifier
		}
	}
	return strings.Join(parts, ".")
}

// meanings finds what imports say of a written name: modules, each with the names below it. bound tells whether an import
// brings its first part; without a meaning it is from outside of the view.
func (s *site) meanings(parts []string) (list []lead, bound bool) {
	if !byPath[s.family] {
		return nil, false
	}
	for n := len(parts); n > 0 && !bound; n-- {
		name := strings.Join(parts[:n], ".") // more than one part is a module of Python
		for _, b := range s.bindings {
			if b.Name == name && b.Import != "" && name != AllNames {
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

// behind is what the names behind a binding mean.
func (m *modules) behind(lang, from string, b Binding, rest []string) []lead {
	target := b.Import
	var names []string
	switch {
	case lang == "Rust":
		target = strings.TrimSuffix(target, "::"+AllNames)
	case b.Of == "" || b.Of == AllNames:
	case lang == "Python": // a name of the module, or a module below it
		if strings.Trim(target, ".") != "" {
			target += "."
		}
		target += b.Of
	default:
		names = segments(b.Of)
	}
	l := m.leads(lang, from, target)
	if !l.found {
		return nil
	}
	l.names = slices.Concat(l.names, names, rest)
	return []lead{l}
}

// goMeanings reads pkg.F of an import that has no other name.
func (s *site) goMeanings(parts []string) (list []lead, bound bool) {
	for _, t := range s.imports {
		if goName(t) != parts[0] || s.hasName(t) {
			continue
		}
		bound = true
		if l := s.leads(s.lang, s.path, t); l.found {
			l.names = parts[1:]
			list = append(list, l)
		}
	}
	return list, bound
}

// hasName tells whether the file gives a name of its own to what it imports.
func (s *site) hasName(target string) bool {
	return slices.ContainsFunc(s.bindings, func(b Binding) bool { return b.Import == target })
}

// rustMeanings reads a path whose first part no use declaration brings: a module beside, or a crate.
func (s *site) rustMeanings(parts []string) (list []lead, bound bool) {
	l := s.leads(s.lang, s.path, strings.Join(parts, "::"))
	if !l.found {
		return nil, slices.Contains([]string{"std", "core", "alloc"}, parts[0])
	}
	return []lead{l}, true
}

// holds tells whether a definition is what names of a module mean.
func (s *site) holds(l lead, d *definition) bool {
	switch {
	case s.lang == "Go":
		return l.folder == d.folder && len(l.names) == 1 && d.parent == nil && bareName(d.entry.Name) == l.names[0]
	case l.all && d.owner != "":
		return false
	}
	left := maxHanded
	return slices.ContainsFunc(l.files, func(i int) bool { return s.hands(i, l.names, d, &left) })
}

// hands tells whether a file holds a definition by some names, or hands it on from where it imports it.
func (s *site) hands(i int, names []string, d *definition, left *int) bool {
	if *left--; *left < 0 {
		return false
	}
	f := s.files[i]
	if f.path == d.path && isNamed(d, names) {
		return true
	}
	if len(names) == 0 || !byPath[family(f.language)] {
		return false
	}
	for _, b := range s.exports(i) {
		rest := names
		switch {
		case b.Name == names[0]:
			rest = names[1:]
		case b.Name != AllNames:
			continue
		}
		if b.Import == "" {
			if b.Name != AllNames && s.hands(i, append(segments(b.Of), rest...), d, left) {
				return true
			}
			continue
		}
		for _, l := range s.behind(f.language, f.path, b, rest) {
			if slices.ContainsFunc(l.files, func(j int) bool { return s.hands(j, l.names, d, left) }) {
				return true
			}
		}
	}
	return false
}

// isNamed tells whether names lead to a definition inside its file: its own, behind that of its type. The name of a type need
// not be there where the file is named like it.
func isNamed(d *definition, names []string) bool {
	name, owner := d.name, d.owner
	if lang := d.family; lang == "Java" || lang == "PHP" {
		names = append([]string{stemOf(d.path)}, names...)
	}
	if isLocal(d) || name == owner || len(names) == 0 || names[len(names)-1] != name {
		return false
	}
	if owner == "" {
		return len(names) == 1 || d.family == "Rust" // modules inside of a file
	}
	return len(names) > 1 && names[len(names)-2] == owner
}

// isLocal tells whether a definition stands in a function.
func isLocal(d *definition) bool {
	return d.parent != nil && (d.parent.Sort == Function || d.parent.Sort == Method)
}

// A reach says how surely an import leads to a file.
type reach int

const (
	unreached reach = iota
	around          // to what stands for a folder above the file, and may hand its names on
	exactly         // to the file, or to its package
)

// imported tells whether any import leads to a file.
func (s *site) imported(to string) reach {
	key := to
	if s.lang == "Go" {
		key = folderOf(to)
	}
	most, ok := s.reaches[key]
	if ok {
		return most
	}
	for _, l := range s.reached {
		most = max(most, s.surely(s.lang, l, to))
	}
	s.reaches[key] = most
	return most
}

// surely tells how surely an import leads to a file.
func (m *modules) surely(lang string, l lead, to string) reach {
	if lang == "Go" {
		if l.found && l.folder == folderOf(to) {
			return exactly
		}
		return unreached
	}
	most := unreached
	for _, i := range l.files {
		p := m.files[i].path
		switch {
		case p == to, family(lang) == "C" && withoutExtension(p) == withoutExtension(to): // a header and its source
			return exactly
		case isFront(p) && strings.HasPrefix(to, folderOf(p)+"/"), family(lang) == "C" && stemOf(p) == stemOf(to):
			most = around
		}
	}
	return most
}

func stemOf(p string) string { return path.Base(withoutExtension(p)) }
