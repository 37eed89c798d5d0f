package store

import (
	"path"
	"strings"
)

// family is what languages that call each other are known by.
func family(language string) string {
	switch language {
	case "TypeScript", "TSX", "JavaScript", "JSX", "Vue", "Svelte":
		return "JavaScript"
	case "C++", "Objective-C", "CUDA":
		return "C"
	}
	return language
}

// A reach says how surely an import leads to a file.
type reach int

const (
	unreached reach = iota
	around          // to something with the same name, or to a folder above the file that may hand its names on
	exactly         // to the file, or to its package
)

// A modules tells where imports lead. It is pure: what must be known of the tree is read beforehand.
type modules struct {
	prefixes []goModule
	packages map[string]bool // folders that are packages of Python: an import does not begin inside of one
}

// A goModule is a go.mod: the folder that it lies in ("" for the root) and the path that it gives it ("" for the standard library).
type goModule struct{ folder, path string }

// leads tells whether what a file of one language imports is defined in another file.
func (m modules) leads(lang, from, target, to string) reach {
	switch family(lang) {
	case "Go":
		return m.goLeads(target, folderOf(to))
	case "Python":
		return m.pythonLeads(from, target, to)
	case "JavaScript":
		return scriptLeads(from, target, to)
	}
	return nameLeads(from, target, to)
}

func (m modules) goLeads(target, folder string) reach {
	known := false
	for _, x := range m.prefixes {
		rest, ok := strings.CutPrefix(target, x.path)
		if x.path != "" && (!ok || rest != "" && rest[0] != '/') {
			continue
		}
		known = known || x.path != ""
		if path.Join(x.folder, strings.TrimPrefix(rest, "/")) == folder {
			return exactly
		}
	}
	switch {
	case folder == "vendor/"+target || strings.HasSuffix(folder, "/vendor/"+target):
		return exactly
	case known || len(m.prefixes) > 0 || folder == "":
		return unreached
	case target == folder || strings.HasSuffix(target, "/"+folder): // no go.mod: a tree from elsewhere
		return exactly
	}
	return unreached
}

func (m modules) pythonLeads(from, target, to string) reach {
	module := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(to, ".pyi"), ".py"), "/__init__")
	name := strings.TrimLeft(target, ".")
	p := strings.ReplaceAll(name, ".", "/")
	if dots := len(target) - len(name); dots > 0 {
		base := folderOf(from)
		for range dots - 1 {
			base = folderOf(base)
		}
		p = path.Join(base, p)
		switch {
		case module == p, p == base && module == base:
			return exactly
		case strings.HasPrefix(module, p+"/") || name != "" && module == folderOf(p): // "from . import f" reads as ".f"
			return around
		}
		return unreached
	}
	at := strings.Index("/"+module+"/", "/"+p+"/")
	switch {
	case at < 0 || at > 0 && m.packages[module[:at-1]]:
		return unreached
	case at+len(p) == len(module):
		return exactly
	}
	return around
}

// scriptLeads follows relative imports; others are packages, whose names may be those of folders here.
func scriptLeads(from, target, to string) reach {
	module := strings.TrimSuffix(withoutExtension(to), "/index")
	if strings.HasPrefix(target, ".") {
		p := path.Join(folderOf(from), target)
		switch {
		case p == to || p == module || withoutExtension(p) == module || strings.TrimSuffix(p, "/index") == module:
			return exactly
		case strings.HasPrefix(module, p+"/") || strings.HasSuffix(withoutExtension(p), "/index") && strings.HasPrefix(module, folderOf(p)+"/"):
			return around
		}
		return unreached
	}
	last := target[strings.LastIndexByte(target, '/')+1:]
	if last != "" && strings.Contains("/"+module+"/", "/"+last+"/") {
		return around
	}
	return unreached
}

// nameLeads compares the last names of an import with the file's own: a header, a class, a module.
func nameLeads(from, target, to string) reach {
	last := lastOf(target)
	if i := strings.LastIndexByte(target, '/'); i >= 0 || strings.HasSuffix(target, ".h") || strings.HasSuffix(target, ".hpp") {
		last = withoutExtension(target[i+1:])
	}
	base := path.Base(to)
	stem, _, _ := strings.Cut(base, ".")
	switch {
	case to == path.Join(folderOf(from), target) || to == target:
		return exactly
	case last != "" && (stem == last || path.Base(folderOf(to)) == last):
		return around
	}
	return unreached
}

func folderOf(p string) string {
	i := strings.LastIndexByte(p, '/')
	return p[:max(i, 0)]
}

func withoutExtension(p string) string {
	if i := strings.LastIndexByte(p, '.'); i > strings.LastIndexByte(p, '/')+1 {
		return p[:i]
	}
	return p
}

// lastOf is the last component of a name as any language writes it: "F" of "x.F", "x::F", "x->F", `X\F`, "x?.F".
func lastOf(s string) string {
	return s[strings.LastIndexAny(s, `.:>\/`)+1:]
}

// qualifierOf is what a name is written behind, without the separator: "a.b" of "a.b.F"; "" for a bare name.
func qualifierOf(s string) string {
	last := lastOf(s)
	return strings.TrimRight(s[:len(s)-len(last)], `.:->\?!`)
}
