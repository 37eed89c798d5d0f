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
	aliases  map[string]string        // from aliases to names
	unnamed  []string                 // folders of Go packages that no call names by its path
}

// Unalias returns the last name of the definitions that a call can mean: "total" for add_up after
// "from shop import total as add_up".
func (s *environment) Unalias(written string) string {
	if to, ok := s.aliases[written]; ok {
		return to
	}
	return Unqualified(written)
}

// isSelf reports whether a qualifier is the object of the calling method. In C, "this" and "self"
// are variables.
func (s *environment) isSelf(call doc.Call, qualifier string) bool {
	if lang.Named(s.language).NoSelf {
		return false
	}
	if s.rules.Modules != lang.FolderPackages {
		return selfNames.Has(qualifier)
	}
	if call.Caller < 0 || call.Caller >= len(s.entries) {
		return false
	}
	receiver, ok := strings.CutPrefix(s.entries[call.Caller].Title, "func (")
	name, _, _ := strings.Cut(receiver, " ")
	return ok && name == qualifier
}

// nameAt returns the name of an entry, or "" for -1.
func (s *environment) nameAt(entry int) string {
	if entry < 0 || entry >= len(s.entries) {
		return ""
	}
	return s.entries[entry].Name
}

// ownerAt returns the type whose method or body encloses an entry, or "".
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

// samePackage reports whether a file can use a definition without importing it. In Java, sources
// and tests share packages.
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

// importsAll reports whether an import of all names includes a definition.
func (s *environment) importsAll(d *Definition, names ...string) bool {
	return slices.ContainsFunc(s.bindings, func(b doc.Binding) bool {
		if b.Name != doc.AllNames || b.Import == "" {
			return false
		}
		targets := s.resolver.ResolveBinding(s.language, s.path, b, names)
		return slices.ContainsFunc(targets, func(t imports.Target) bool { return s.means(t, d) })
	})
}

// hasParameter reports whether a name is a parameter of a function around a call. It stops at a
// function named like outermost, unless that is nil.
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

// extends reports whether the head of a type in this file contains another type.
func (s *environment) extends(typ, base string) bool {
	for _, e := range s.entries {
		if e.Sort != doc.Type || doc.LastName(e.Name) != typ {
			continue
		}
		return namesBase(e, typ, base)
	}
	return false
}

// parameterNames returns the names in the parameter list of a function, as far as its signature is
// stored.
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

// parameterName returns the name in one parameter of a signature.
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

// swiftModule returns the module of a folder: by the rules of Swift's package manager the folder
// below Sources or Tests, otherwise the first folder.
func swiftModule(folder string) string {
	parts := strings.Split(folder, "/")
	for i, p := range parts[:len(parts)-1] {
		if p == "Sources" || p == "Tests" {
			return strings.Join(parts[:i+2], "/")
		}
	}
	return parts[0]
}

// pathOf returns the path of a file.
func (s *environment) pathOf(file int) string {
	if file == ownFile {
		return s.path
	}
	return s.resolver.File(file).Path
}

// fileOf returns the number of the file with a definition.
func (s *environment) fileOf(d *Definition) (int, bool) {
	if d.Path == s.path {
		return ownFile, true
	}
	return s.resolver.Enter(doc.ListedFile{Key: d.File, Path: d.Path, Language: d.family})
}

// selfOf returns the prefix of a qualifier that makes it a field of the own object, or "".
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
