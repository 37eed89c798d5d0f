package xref

import (
	"slices"
	"strings"

	"patina/code/imports"
	"patina/code/lang"
	"patina/store/doc"
)

// A Scope is the names that calls in one file can see: its own, those of its package and those that
// imports bring. It is for one goroutine. NewScope makes one.
//
// Each of its parts knows the ones below it alone: a Scope takes calls apart, its judge weighs
// definitions against them, its typeTable finds types, and its environment names.
type Scope struct {
	judge

	depth    int         // values of values that are being followed
	joinedOf *Definition // the first of the definitions that joined are made of
	joined   []Symbol
}

// An Outside has the imports of another file in the view, which it may re-export.
type Outside struct {
	Imports  []string // only for C and Go
	Bindings []doc.Binding
}

// NewScope returns the scope of a file. others must return the imports of another file in the view,
// or the zero value if it cannot be read.
func NewScope(f imports.File, r *imports.Resolver, others func(doc.ListedFile) Outside) *Scope {
	s := &Scope{judge: judge{typeTable{
		environment: environment{
			resolver: r,
			path:     f.Path, folder: imports.FolderOf(f.Path),
			language: f.Language, family: imports.Family(f.Language), rules: lang.Named(f.Language).Names(),
			imports: f.Imports, bindings: f.Bindings, entries: f.Entries,
			othersOf: others,
			reaches:  make(map[string]imports.Reach), aliases: aliasesOf(f),
		},
		typed: f.Typed,
	}}}
	for _, imported := range f.Imports {
		t, ok := r.Resolve(f.Language, f.Path, imported)
		if !ok {
			continue
		}
		s.targets = append(s.targets, t)
		if s.rules.Modules == lang.FolderPackages && !s.hasName(imported) &&
			!isQualifier(imports.GoName(imported), f.Calls) {
			s.unnamed = append(s.unnamed, t.Folder)
		}
	}
	if s.rules.Modules == lang.HeaderIncludes {
		s.includedBy()
	}
	return s
}

// ReadTypes lets the scope look into types of other files, for their fields and their bases, and
// returns it. typesOf must return the result of TypesIn, or nil if the file cannot be read.
func (s *Scope) ReadTypes(typesOf func(doc.ListedFile) []OuterType) *Scope {
	s.typesOf = typesOf
	return s
}

// ReadDefinitions lets the scope ask for the definitions of a name in the whole view, and returns
// it. The result of named must not be changed while the scope is in use.
func (s *Scope) ReadDefinitions(named func(name string) []Definition) *Scope {
	s.named = named
	return s
}

// isQualifier reports whether a call has a qualifier of this name.
func isQualifier(name string, calls []doc.Call) bool {
	return slices.ContainsFunc(calls, func(c doc.Call) bool {
		return strings.HasPrefix(c.Name, name) && Qualifier(c.Name) == name
	})
}

func isWord(r rune) bool {
	letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 127
	return letter || r >= '0' && r <= '9' || r == '_' || r == '$'
}
