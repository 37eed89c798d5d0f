package xref

import (
	"path"
	"slices"
	"strings"
)

// followPython finds the longest beginning of a dotted name that is a module. An absolute name
// begins beside a script, at the root, or at a package that lies in none.
func (r *Resolver) followPython(from, imported string) Target {
	name := strings.TrimLeft(imported, ".")
	parts := strings.FieldsFunc(name, func(r rune) bool { return r == '.' })
	if dots := len(imported) - len(name); dots > 0 {
		base := FolderOf(from)
		for range dots - 1 {
			base = FolderOf(base)
		}
		return r.longest(0, parts, func(p string) Target {
			return r.placed("Python", path.Join(base, p))
		})
	}
	return r.longest(1, parts, func(p string) Target {
		for _, place := range []string{path.Join(FolderOf(from), p), p} {
			if t := r.placed("Python", place); t.found && !r.inPackage(place) {
				return t
			}
		}
		return r.nearest("Python", from, p, func(file string) bool {
			return r.beginsAt(file, p)
		})
	})
}

// beginsAt reports whether an absolute import of the module p may mean a file that lies deeper: it
// begins outside of packages, and a module of one file lies right in src or lib.
func (r *Resolver) beginsAt(file, p string) bool {
	module := strings.TrimSuffix(withoutExtension(file), "/__init__")
	start := strings.TrimSuffix(module, p)
	if !strings.HasSuffix("/"+module, "/"+p) || r.isPackage(strings.TrimSuffix(start, "/")) {
		return false
	}
	return strings.Contains(p, "/") || IsIndex(file) || start == "src/" || start == "lib/"
}

// longest tries ever shorter beginnings of a dotted name, down to the least number of parts. The
// remaining parts are names in the module.
func (r *Resolver) longest(least int, parts []string, find func(p string) Target) Target {
	for n := len(parts); n >= least; n-- {
		if t := find(strings.Join(parts[:n], "/")); t.found {
			t.names = parts[n:]
			return t
		}
	}
	return Target{}
}

// isPackage reports whether a folder is a package. An import does not begin inside of one.
func (r *Resolver) isPackage(folder string) bool {
	files := r.at("Python", folder)
	return slices.ContainsFunc(files, func(i int) bool { return IsIndex(r.files[i].Path) })
}

func (r *Resolver) inPackage(place string) bool { return r.isPackage(FolderOf(place)) }
