package xref

import (
	"slices"
	"strings"

	"patina/code/imports"
	"patina/code/lang"
	"patina/store/doc"
)

// An environment is the names that one file sees, and where they lead.
type environment struct {
	resolver *imports.Resolver
	path     string
	folder   string
	language string
	family   string
	rules    *lang.Scope // of the family
	imports  []string
	bindings []doc.Binding
	entries  []doc.Entry
	othersOf func(doc.ListedFile) Outside

	targets  []imports.Target         // where the imports lead
	included map[int]bool             // of C: the files among them
	reaches  map[string]imports.Reach // by path, as far as it has been asked
	aliases  map[string]string        // names that stand for another one → that one
	unnamed  []string                 // folders of Go packages that no call names by its path
}

// Unalias returns the last name of the definitions that a call can mean: "total" for a call of
// add_up after "from shop import total as add_up".
func (s *environment) Unalias(written string) string {
	if to, ok := s.aliases[written]; ok {
		return to
	}
	return Unqualified(written)
}

// isSelf reports whether a qualifier is the object that the calling method belongs to. In C there
// is none: "this" and "self" are variables.
func (s *environment) isSelf(call doc.Call, qualifier string) bool {
	if lang.Named(s.language).NoSelf {
		return false
	}
	if s.rules.Modules != lang.FolderPackages {
		return selfNames[qualifier]
	}
	if call.Caller < 0 || call.Caller >= len(s.entries) {
		return false
	}
	receiver, ok := strings.CutPrefix(s.entries[call.Caller].Title, "func (")
	name, _, _ := strings.Cut(receiver, " ")
	return ok && name == qualifier
}

// nameAt is the name of an entry, "" for -1.
func (s *environment) nameAt(entry int) string {
	if entry < 0 || entry >= len(s.entries) {
		return ""
	}
	return s.entries[entry].Name
}

// ownerAt is the type whose method or body encloses an entry; "" for none.
func (s *environment) ownerAt(entry int) string {
	for range len(s.entries) { // bounded: parents come from the file
		if entry < 0 || entry >= len(s.entries) {
			return ""
		}
		switch e := s.entries[entry]; e.Sort {
		case doc.Type:
			return doc.LastName(e.Name)
		case doc.Method:
			return ownerOf(e)
		case doc.Function:
			if fixture := fixtureOf(e); fixture != "" && s.rules.Modules == lang.HeaderIncludes {
				return fixture
			}
		}
		entry = s.entries[entry].Parent
	}
	return ""
}

// samePackage reports whether a file sees a definition without importing it. Sources and tests of
// Java share packages.
func (s *environment) samePackage(d *Definition) bool {
	here, there := s.folder, d.folder
	if here == there {
		return s.rules.SharesFolder
	}
	if s.rules.Modules == lang.SourceFolders {
		return swiftModule(here) == swiftModule(there)
	}
	return s.rules.StrictPackages && inPackageOf(s.rules, here, there)
}

// importsAll reports whether an import of all names brings a definition.
func (s *environment) importsAll(d *Definition, names ...string) bool {
	return slices.ContainsFunc(s.bindings, func(b doc.Binding) bool {
		if b.Name != doc.AllNames || b.Import == "" {
			return false
		}
		targets := s.resolver.ResolveBinding(s.language, s.path, b, names)
		return slices.ContainsFunc(targets, func(t imports.Target) bool { return s.means(t, d) })
	})
}

// hasParameter reports whether a name is a parameter of the function that a call stands in, or of
// one around it. It looks no further than a function of the name of outermost, if that is given.
func (s *environment) hasParameter(name string, call doc.Call, outermost *doc.Entry) bool {
	at := call.Caller
	for range len(s.entries) + 1 { // bounded: parents come from the file
		if at < 0 || at >= len(s.entries) {
			return false
		}
		e := s.entries[at]
		if outermost != nil && e.Name == outermost.Name {
			return false
		}
		if isFunction(e) && slices.Contains(parameterNames(e, s.rules), name) {
			return true
		}
		at = e.Parent
	}
	return false
}

// extends reports whether the definition of a type in this file names another type.
func (s *environment) extends(typ, base string) bool {
	for _, e := range s.entries {
		if e.Sort != doc.Type || doc.LastName(e.Name) != typ {
			continue
		}
		return namesBase(e, typ, base)
	}
	return false
}

// parameterNames are the names between the first parentheses after a function's name, as far as its
// signature is kept.
func parameterNames(e doc.Entry, rules *lang.Scope) (names []string) {
	_, rest, ok := strings.Cut(e.Title, doc.LastName(e.Name)+"(")
	if !ok {
		return nil
	}
	depth, start := 0, 0
	add := func(part string) {
		if name := parameterName(part, rules); name != "" {
			names = append(names, name)
		}
	}
	for i, c := range rest {
		switch c {
		case '(', '[', '{', '<':
			depth++
		case ')', ']', '}', '>':
			if depth--; depth < 0 {
				add(rest[start:i])
				return names
			}
		case ',':
			if depth == 0 {
				add(rest[start:i])
				start = i + 1
			}
		}
	}
	return names
}

// parameterName reads the name from one parameter of a signature.
func parameterName(written string, rules *lang.Scope) string {
	written, _, _ = strings.Cut(written, "=")
	written, _, _ = strings.Cut(written, ":")
	words := strings.FieldsFunc(written, func(r rune) bool {
		return strings.ContainsRune(" *&?", r)
	})
	switch {
	case len(words) == 0:
		return ""
	case rules.TypeFirst:
		return strings.TrimPrefix(words[len(words)-1], "$")
	case words[0] == "mut" && len(words) > 1:
		return words[1]
	}
	return words[0]
}

// swiftModule is the module of a folder: by the rules of Swift's package manager the folder below
// Sources or Tests. Elsewhere it is the first folder.
func swiftModule(folder string) string {
	parts := strings.Split(folder, "/")
	for i, p := range parts[:len(parts)-1] {
		if p == "Sources" || p == "Tests" {
			return strings.Join(parts[:i+2], "/")
		}
	}
	return parts[0]
}

// pathOf is the path of a file that a type is defined in.
func (s *environment) pathOf(file int) string {
	if file == ownFile {
		return s.path
	}
	return s.resolver.File(file).Path
}

// fileOf is the number of the file that holds a definition.
func (s *environment) fileOf(d *Definition) (int, bool) {
	if d.Path == s.path {
		return ownFile, true
	}
	return s.resolver.Enter(doc.ListedFile{Key: d.File, Path: d.Path, Language: d.family})
}

// selfOf is what a qualifier begins with if it is a field of the own object.
func (s *environment) selfOf(qualifier string) string {
	if lang.Named(s.language).NoSelf {
		return ""
	}
	for _, self := range []string{"this.", "this->", "self.", "$this->"} {
		if strings.HasPrefix(qualifier, self) {
			return self
		}
	}
	return ""
}

// firstOfChain splits a.b->c into a and its fields. isChain is false for a single name and for
// names of scopes.
func (s *environment) firstOfChain(qualifier string) (first string, rest []string, isChain bool) {
	self := s.selfOf(qualifier)
	if strings.Contains(qualifier, "::") {
		return qualifier, nil, false
	}
	names := imports.SplitName(qualifier[len(self):])
	if len(names) < 2 {
		return qualifier, nil, false
	}
	return self + names[0], names[1:], true
}
