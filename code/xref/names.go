package xref

import (
	"path"
	"slices"
	"strings"

	"patina/internal/lazyregexp"
)

// A Name is one symbol as a question writes it: "http.HandlerFunc", "Engine::query", "f()".
type Name struct {
	Scope string // the part before the last separator; empty for a bare name
	Last  string
}

var (
	symbolForm = lazyregexp.New(`^[&*]*([\pL_$][\pL\pN_$]*` +
		`(?:(?:\.|::|#|->)[\pL_$][\pL\pN_$]*)*)(?:\(.*\))?$`)
	separator = lazyregexp.New(`\.|::|#|->`)
)

// MaxName is the length in bytes of the longest text that is tried as a name, a path or an id.
const MaxName = 4096

// ParseName reads a text that is one symbol.
func ParseName(s string) (Name, bool) {
	if len(s) > MaxName {
		return Name{}, false
	}
	s = strings.TrimSpace(s)
	if written, _, _ := strings.Cut(s, "("); strings.ContainsAny(written, " \t\n") {
		return Name{}, false // most questions are several words, and need no expression compiled
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

// Unqualified returns the last part of a name in the syntax of any language: "F" of "x.F", "x::F",
// "x->F", `X\F` and "x?.F".
func Unqualified(s string) string {
	return s[strings.LastIndexAny(s, `.:>\/`)+1:]
}

// Qualifier returns the part before that, without the separator: "a.b" of "a.b.F", "" of a bare
// name.
func Qualifier(s string) string {
	last := Unqualified(s)
	return strings.TrimRight(s[:len(s)-len(last)], `.:->\?!`)
}

// Dotted returns a name as the index spells it: "A.f" for "A::f", "A->f", "A#f" and "A.f()".
func Dotted(name string) string {
	return strings.TrimSuffix(dots.Replace(name), "()")
}

var dots = strings.NewReplacer("::", ".", "->", ".", "#", ".")

// splitName splits a name at every separator.
func splitName(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool {
		return strings.ContainsRune(`.:->\/?!`, r)
	})
}

// FolderOf returns the folder of a path, "" for the root.
func FolderOf(p string) string {
	i := strings.LastIndexByte(p, '/')
	return p[:max(i, 0)]
}

// IsIndex reports whether a file stands for its folder: index.ts, __init__.py, mod.rs, lib.rs.
func IsIndex(p string) bool { return slices.Contains(indexNames, stemOf(p)) }

var indexNames = []string{"index", "__init__", "mod", "lib"}

// moduleOf is a file's name as imports spell it: without its extension, the name of an index file
// and "src" folders.
func moduleOf(p string) string {
	m := withoutExtension(p)
	if IsIndex(p) {
		m = FolderOf(p)
	}
	m = strings.TrimPrefix("/"+m, "/src/")
	return strings.Trim(strings.ReplaceAll("/"+m+"/", "/src/", "/"), "/")
}

// commonFolders counts the first folders that two paths share.
func commonFolders(a, b string) int {
	as, bs := strings.Split(FolderOf(a), "/"), strings.Split(FolderOf(b), "/")
	n := 0
	for n < min(len(as), len(bs)) && as[n] == bs[n] {
		n++
	}
	return n
}

func withoutExtension(p string) string {
	if i := strings.LastIndexByte(p, '.'); i > strings.LastIndexByte(p, '/')+1 {
		return p[:i]
	}
	return p
}

func stemOf(p string) string { return path.Base(withoutExtension(p)) }
