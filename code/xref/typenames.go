package xref

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"patina/code/imports"
	"patina/code/lang"
	"patina/store/doc"
)

// typeNamed judges T.f() and a.b.T.f() against a method: T may be another type, or one of the same
// name elsewhere. known is false if the receiver is no name of a type, or names the method's own.
func (s *Scope) typeNamed(r *reference, d *Definition) (v verdict, reason string, known bool) {
	if !s.namesType(r) {
		return 0, "", false
	}
	parts := imports.SplitName(r.qualifier)
	if r.last == d.owner {
		if !r.bound && s.inOtherNamespace(parts[:len(parts)-1], r.qualifier, d) {
			return possible, otherNamespace, true
		}
		return 0, "", false
	}
	if of := d.extended(); of != "" { // of C#: written on a value
		return possible, unknownReceiver, true
	}
	if len(parts) > 1 && parts[len(parts)-2] == d.owner && d.parent != nil && strings.Contains(d.parent.Title, "enum ") {
		return inScope, "names the type", true // a constant of an enum
	}
	t := s.typeSeen(typeName{ownFile, s.seenName(strings.Join(parts, "."))})
	if n := s.generationsAbove(t, d); n > 0 {
		return inheritedFrom(n), "base type", true
	}
	if len(parts) == 1 && d.parent != nil && strings.Contains(d.parent.Title, "enum ") && !strings.ContainsFunc(r.last, unicode.IsLower) {
		return 0, "", false // one of its constants, in its own file
	}
	if s.rules.ClosedNames && t.OuterType == nil && s.definesNone(r.last) && !s.mayInherit(r) {
		return excluded, "", true
	}
	return possible, otherType, true
}

// mayInherit reports whether the name may be a property that the type around the call inherits, as
// properties of C# are written like types.
func (s *Scope) mayInherit(r *reference) bool {
	if !s.rules.PropertiesAreTypes {
		return false
	}
	at := s.ownerAt(r.Caller)
	return slices.ContainsFunc(s.entries, func(e doc.Entry) bool {
		_, rest, _ := strings.Cut(e.Title, at)
		return e.Sort == doc.Type && doc.LastName(e.Name) == at && strings.Contains(rest, ":")
	}) && !primitives[r.last]
}

// namesType reports whether the receiver of a call is written as the name of a type.
func (s *Scope) namesType(r *reference) bool {
	if r.qualifier == "" || r.qualifier == "_" || r.typ != "" || r.self {
		return false
	}
	switch s.rules.TypeReceivers {
	case lang.NoTypes:
		return false
	case lang.ClassTypes:
		return strings.Contains(r.Name, "::") && !strings.Contains(r.qualifier, "$")
	case lang.ColonTypes:
		return strings.Contains(r.Name, "::") && r.Name[strings.LastIndexAny(r.Name, ".:>")] == ':'
	}
	if strings.ContainsAny(r.qualifier, "?!@$") {
		return false
	}
	if primitives[r.qualifier] && s.rules.PrimitivesAreTypes {
		return true
	}
	first, _ := utf8.DecodeRuneInString(r.last)
	switch {
	case !unicode.IsUpper(first):
		return false
	case len(r.last) < 2 || strings.ContainsFunc(r.last, unicode.IsLower) || s.rules.CapitalsAreTypes:
		return true
	}
	return s.rules.ClosedNames && s.definesNone(r.last) // UUID, not a constant of the project
}

// inOtherNamespace reports whether the names that are written before a type say that it is not the
// one which a method belongs to.
func (s *Scope) inOtherNamespace(before []string, qualifier string, d *Definition) bool {
	if s.rules.FullNames {
		return s.otherModule(qualifier, d)
	}
	modules := s.rules.Modules
	absolute := modules == lang.ClassNamespaces && strings.HasPrefix(qualifier, `\`)
	if len(before) == 0 && !absolute || modules == lang.DottedModules || modules == lang.ScriptModules || modules == lang.FolderPackages {
		return false
	}
	last := ""
	if len(before) > 0 {
		last = before[len(before)-1]
	}
	if last != "" && (last == d.outer || d.parent != nil && strings.Contains(d.parent.Title, last)) {
		return false
	}
	if modules == lang.SourceFolders {
		return swiftModule(d.folder) != last && !strings.HasSuffix(swiftModule(d.folder), "/"+last)
	}
	if !s.rules.Namespaced {
		return true
	}
	spaces := s.namespacesOf(d)
	if absolute && last == "" {
		return len(spaces) > 0
	}
	if absolute {
		return !slices.Contains(spaces, strings.Join(before, `\`))
	}
	if unicode.IsLower([]rune(last)[0]) && modules != lang.HeaderIncludes && modules != lang.ClassNamespaces && len(before) == 1 && s.hasVariable(last) {
		return false
	}
	return !slices.ContainsFunc(spaces, func(space string) bool {
		return slices.Contains(imports.SplitName(space), last)
	})
}

// hasVariable reports whether the file declares a variable of a name.
func (s *Scope) hasVariable(name string) bool {
	return slices.ContainsFunc(s.typed, func(t doc.Typed) bool { return t.Name == name })
}

// namespacesOf are the packages or namespaces that the file of a definition declares.
func (s *Scope) namespacesOf(d *Definition) (spaces []string) {
	file, ok := s.fileOf(d)
	if !ok {
		return nil
	}
	bindings := s.bindings
	if file != ownFile {
		bindings = s.othersOf(s.resolver.File(file)).Bindings
	}
	for _, b := range bindings {
		if b.Name == doc.PackageName && b.Import == "" {
			spaces = append(spaces, b.Of)
		}
	}
	return spaces
}

// otherModule reports whether a name of a module of Elixir is that of another one than a function
// belongs to. A name without others before it may be one that a macro brings.
func (s *Scope) otherModule(written string, d *Definition) bool {
	if d.parent == nil || !strings.Contains(written, ".") {
		return false
	}
	words := strings.Fields(d.parent.Title)
	if len(words) < 2 {
		return false
	}
	full := strings.Trim(words[1], ",")
	return full != written && !strings.HasSuffix(full, "."+written) && !strings.HasSuffix(written, "."+full)
}
