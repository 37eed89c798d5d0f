package xref

import (
	"path"
	"slices"
	"strings"

	"patina/store"
)

// followGo finds a package's folder: below the module with a prefix of the import path, or
// vendored. Without any go.mod, it is the folder that the import ends with.
func (m *Modules) followGo(target string) Lead {
	at := m.holdsSources
	longest, folder := -1, ""
	for _, x := range m.goModules {
		rest, ok := strings.CutPrefix(target, x.path)
		if x.path != "" && (!ok || rest != "" && rest[0] != '/') {
			continue
		}
		if f := path.Join(x.folder, strings.Trim(rest, "/")); at(f) && len(x.path) > longest {
			longest, folder = len(x.path), f
		}
	}
	if longest >= 0 {
		return Lead{Folder: folder, Found: true}
	}
	for _, x := range append([]goModule{{}}, m.goModules...) {
		if f := path.Join(x.folder, "vendor", target); at(f) {
			return Lead{Folder: f, Found: true}
		}
	}
	for rest := target; len(m.goModules) == 0 && rest != ""; {
		if at(rest) {
			return Lead{Folder: rest, Found: true}
		}
		_, rest, _ = strings.Cut(rest, "/")
	}
	return Lead{}
}

// isMajorVersion matches "v2" and "yaml.v3". It runs for every import in a tree, so it is no
// regular expression.
func isMajorVersion(base string) bool {
	base = base[strings.LastIndexByte(base, '.')+1:]
	return len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == ""
}

// goName returns a package's name from its path: the last part that is no version ("yaml" for
// "gopkg.in/yaml.v3").
func goName(target string) string {
	base := path.Base(target)
	if isMajorVersion(base) {
		if name, _, ok := strings.Cut(base, ".v"); ok {
			return name
		}
		base = path.Base(path.Dir(target))
	}
	return strings.TrimPrefix(base, "go-")
}

// followPython finds the longest module in a dotted name. An absolute name begins beside a script,
// at the root, or at a package outside all packages.
func (m *Modules) followPython(from, target string) Lead {
	name := strings.TrimLeft(target, ".")
	parts := strings.FieldsFunc(name, func(r rune) bool { return r == '.' })
	if dots := len(target) - len(name); dots > 0 {
		base := FolderOf(from)
		for range dots - 1 {
			base = FolderOf(base)
		}
		return m.longest(0, parts, func(p string) Lead { return m.placed("Python", path.Join(base, p)) })
	}
	return m.longest(1, parts, func(p string) Lead {
		for _, place := range []string{path.Join(FolderOf(from), p), p} {
			if l := m.placed("Python", place); l.Found && !m.inPackage(place) {
				return l
			}
		}
		return m.nearest("Python", from, p, func(file string) bool {
			module := strings.TrimSuffix(withoutExtension(file), "/__init__")
			start := strings.TrimSuffix(module, p)
			return strings.HasSuffix("/"+module, "/"+p) && !m.isPackage(strings.TrimSuffix(start, "/")) &&
				(strings.Contains(p, "/") || IsFront(file) || strings.Count(module, "/") <= 1 && (start == "src/" || start == "lib/"))
		})
	})
}

// longest tries shorter and shorter prefixes of a dotted name, down to least parts. The rest are
// names.
func (m *Modules) longest(least int, parts []string, find func(p string) Lead) Lead {
	for n := len(parts); n >= least; n-- {
		if l := find(strings.Join(parts[:n], "/")); l.Found {
			l.names = parts[n:]
			return l
		}
	}
	return Lead{}
}

func (m *Modules) placed(lang, place string) Lead {
	fs := m.at(lang, place)
	return Lead{Files: fs, Found: len(fs) > 0}
}

// isPackage reports whether a folder is a Python package: no import begins inside one.
func (m *Modules) isPackage(folder string) bool {
	return slices.ContainsFunc(m.at("Python", folder), func(i int) bool { return IsFront(m.Files[i].Path) })
}

func (m *Modules) inPackage(place string) bool { return m.isPackage(FolderOf(place)) }

// followScript follows a path from the file, or a package in the view by name.
func (m *Modules) followScript(from, target string) Lead {
	target, _, _ = strings.Cut(target, "?") // ./x.svg?raw
	if strings.HasPrefix(target, ".") {
		return m.script(path.Join(FolderOf(from), target))
	}
	name, sub := target, ""
	for {
		if folder, ok := m.Scripts[name]; ok {
			if sub == "" {
				return m.firstScript(path.Join(folder, "src/index"), path.Join(folder, "index"), path.Join(folder, "lib/index"), path.Join(folder, "src/main"))
			}
			return m.firstScript(path.Join(folder, "src", sub), path.Join(folder, sub), path.Join(folder, "lib", sub))
		}
		i := strings.LastIndexByte(name, '/')
		if i < 0 {
			return Lead{}
		}
		name, sub = name[:i], target[i+1:]
	}
}

func (m *Modules) firstScript(places ...string) Lead {
	for _, p := range places {
		if l := m.script(p); l.Found {
			return l
		}
	}
	return Lead{}
}

// script finds a module. TypeScript imports name the compiled file.
func (m *Modules) script(place string) Lead {
	if place == "." {
		place = ""
	}
	if l := m.oneOf("JavaScript", place); l.Found {
		return l
	}
	switch ext := path.Ext(place); ext {
	case ".js", ".mjs", ".cjs", ".jsx":
		return m.oneOf("JavaScript", strings.TrimSuffix(place, ext))
	}
	return Lead{}
}

// followRust walks down a path's modules, from the crate, the module or another crate.
func (m *Modules) followRust(from, target string) Lead {
	parts := strings.Split(strings.TrimPrefix(target, "::"), "::")
	folder, crate := rustFolder(from), m.crateOf(from)
	switch first := parts[0]; {
	case first == "crate":
		folder, parts = crate, parts[1:]
	case first == "self":
		parts = parts[1:]
	case first == "super":
		for len(parts) > 0 && parts[0] == "super" {
			folder, parts = FolderOf(folder), parts[1:]
		}
	case len(m.at("Rust", path.Join(folder, first))) > 0:
	default:
		if source, ok := m.crate(first); ok {
			folder, parts = source, parts[1:]
			break
		}
		if folder = crate; len(m.at("Rust", path.Join(folder, first))) == 0 {
			return Lead{}
		}
	}
	at := m.rustModule(folder)
	for len(parts) > 0 {
		next := m.at("Rust", path.Join(folder, parts[0]))
		if len(next) == 0 {
			break
		}
		folder, parts, at = path.Join(folder, parts[0]), parts[1:], next
	}
	return Lead{Files: at, names: parts, Found: len(at) > 0}
}

// crate finds a crate's sources, by its manifest or its folder's name.
func (m *Modules) crate(name string) (folder string, ok bool) {
	if folder, ok = m.Crates[name]; ok {
		return folder, true
	}
	for _, i := range m.byBase["lib.rs"] {
		folder = FolderOf(m.Files[i].Path)
		if strings.ReplaceAll(path.Base(strings.TrimSuffix(folder, "/src")), "-", "_") == name {
			return folder, true
		}
	}
	return "", false
}

// rustModule returns the file of the module whose children lie in a folder.
func (m *Modules) rustModule(folder string) []int {
	for _, name := range []string{"lib.rs", "main.rs", "mod.rs"} {
		if i, ok := m.byPath[path.Join(folder, name)]; ok {
			return []int{i}
		}
	}
	return m.at("Rust", folder)
}

// rustFolder returns the folder with the children of a file's module.
func rustFolder(p string) string {
	switch path.Base(p) {
	case "mod.rs", "lib.rs", "main.rs":
		return FolderOf(p)
	}
	return withoutExtension(p)
}

// crateOf returns the root folder of a file's crate: the nearest above with lib.rs or main.rs, else
// the file's own.
func (m *Modules) crateOf(from string) string {
	for folder := FolderOf(from); ; folder = FolderOf(folder) {
		for _, name := range []string{"lib.rs", "main.rs"} {
			if _, ok := m.byPath[path.Join(folder, name)]; ok {
				return folder
			}
		}
		if folder == "" {
			return FolderOf(from)
		}
	}
}

// followDotted finds the class that a name begins with, or the package that it is.
func (m *Modules) followDotted(from, lang string, parts []string) Lead {
	all := len(parts) > 0 && parts[len(parts)-1] == store.AllNames
	if all {
		parts = parts[:len(parts)-1]
	}
	if l := m.longest(2, parts, func(p string) Lead { return m.nearest(lang, from, p, nil) }); l.Found && (len(l.names) == 0 || !all) {
		return l
	}
	var l Lead
	for _, folder := range m.above[path.Base(strings.Join(parts, "/"))] {
		if all && strings.HasSuffix("/"+folder, "/"+strings.Join(parts, "/")) {
			l.Files, l.All, l.Found = append(l.Files, m.byFolder[folder]...), true, true
		}
	}
	return l
}

func (m *Modules) followPHP(from, target string) Lead {
	if strings.HasSuffix(target, ".php") {
		return m.oneOf("PHP", path.Join(FolderOf(from), target), strings.TrimPrefix(target, "/"))
	}
	return m.followDotted(from, "PHP", strings.Split(strings.Trim(target, `\`), `\`))
}

// followInclude looks beside the file, at the root, and for the nearest path with that end.
func (m *Modules) followInclude(from, target string) Lead {
	if l := m.oneOf("C", path.Join(FolderOf(from), target), target); l.Found {
		return l
	}
	var ends []int
	for _, i := range m.byBase[path.Base(target)] {
		if strings.HasSuffix("/"+m.Files[i].Path, "/"+target) {
			ends = append(ends, i)
		}
	}
	return m.nearestOf(from, ends)
}

func (m *Modules) followRuby(from, target string) Lead {
	target = strings.TrimSuffix(target, ".rb")
	if l := m.oneOf("Ruby", path.Join(FolderOf(from), target)); l.Found || strings.HasPrefix(target, ".") {
		return l
	}
	return m.nearest("Ruby", from, target, nil)
}
