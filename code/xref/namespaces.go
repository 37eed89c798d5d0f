package xref

import (
	"slices"
	"strings"
	"unicode"

	"patina/code/imports"
	"patina/code/lang"
	"patina/store/doc"
)

// inOtherNamespace reports whether the names before a type show that it is not the type of a
// method.
func (s *typeTable) inOtherNamespace(before []string, qualifier string, d *Definition) bool {
	if s.rules.FullNames {
		return s.otherModule(qualifier, d)
	}
	modules := s.rules.Modules
	absolute := modules == lang.ClassNamespaces && strings.HasPrefix(qualifier, `\`)
	if len(before) == 0 && !absolute || modules == lang.DottedModules || modules == lang.ScriptModules ||
		modules == lang.FolderPackages {
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
	isClass := modules == lang.HeaderIncludes || modules == lang.ClassNamespaces
	if unicode.IsLower([]rune(last)[0]) && !isClass && len(before) == 1 && s.hasVariable(last) {
		return false
	}
	return !slices.ContainsFunc(spaces, func(space string) bool {
		return slices.Contains(imports.SplitName(space), last)
	})
}

// hasVariable reports whether the file declares a variable of a name.
func (s *typeTable) hasVariable(name string) bool {
	return slices.ContainsFunc(s.typed, func(t doc.Typed) bool { return t.Name == name })
}

// namespacesOf returns the packages or namespaces that the file of a definition declares.
func (s *typeTable) namespacesOf(d *Definition) (spaces []string) {
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

// otherModule reports whether a name means an Elixir module other than that of a function. A bare
// name may come from a macro, so it does not.
func (s *typeTable) otherModule(written string, d *Definition) bool {
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
