package xref

import (
	"path"
	"strings"

	"patina/store"
	"patina/store/text"
)

// Place identifies a definition.
type Place struct {
	file    int64
	ordinal int
}

func (d Definition) Place() Place { return Place{d.File, d.Ordinal} }

// A Name is one symbol as a question writes it: "http.HandlerFunc", "Engine::query", "f()".
type Name struct {
	Scope string // the part before the last separator; empty for a bare name
	Last  string
}

var (
	symbolForm = text.Lazy(`^[&*]*([\pL_$][\pL\pN_$]*(?:(?:\.|::|#|->)[\pL_$][\pL\pN_$]*)*)(?:\(.*\))?$`)
	separator  = text.Lazy(`\.|::|#|->`)
)

// MaxName is the longest text that may be a name, a path or an id.
const MaxName = 4096

// ParseName reads a text that is one symbol.
func ParseName(s string) (Name, bool) {
	if len(s) > MaxName {
		return Name{}, false
	}
	s = strings.TrimSpace(s)
	if written, _, _ := strings.Cut(s, "("); strings.ContainsAny(written, " \t\n") {
		return Name{}, false // several words: spares compiling the expression
	}
	m := symbolForm().FindStringSubmatch(s)
	if m == nil {
		return Name{}, false
	}
	parts := separator().Split(m[1], -1)
	n := Name{Last: parts[len(parts)-1]}
	if len(parts) > 1 {
		n.Scope = parts[len(parts)-2]
	}
	return n, true
}

// A Definition is one place that defines a symbol.
type Definition struct {
	File     int64
	Path     string
	Class    store.Class
	Language string
	Ordinal  int
	Entry    store.Entry
	Parent   *store.Entry // the enclosing entry; nil at the top level
	InScope  bool         // the question's scope is its type, package folder or file
	Local    bool         // its enclosing entry lies in a function
	derived
}

// InsideFunction reports whether an entry is a function, or lies in one.
func InsideFunction(es []store.Entry, at int) bool {
	for range es { // bounded: parents come from the file
		if at < 0 || at >= len(es) {
			return false
		}
		if es[at].Sort == store.Function || es[at].Sort == store.Method {
			return true
		}
		at = es[at].Parent
	}
	return false
}

// derived caches properties needed to judge calls.
type derived struct{ Family, folder, name, owner, lowerOwner string }

func (d *Definition) Derive() {
	owner := OwnerOf(d.Entry)
	d.derived = derived{Family(d.Language), FolderOf(d.Path), store.LastName(d.Entry.Name), owner, strings.ToLower(owner)}
}

// Scoped reports whether a scope is the definition's type, its folder or its file's stem.
func Scoped(scope string, d Definition) bool {
	owner, _, ok := strings.Cut(store.BareName(d.Entry.Name), ".")
	return ok && strings.EqualFold(owner, scope) ||
		strings.EqualFold(path.Base(path.Dir(d.Path)), scope) ||
		strings.EqualFold(text.FileNameOf(d.Path).Stem, scope)
}
