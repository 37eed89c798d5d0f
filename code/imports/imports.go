package imports

import (
	"path"
	"strings"

	"patina/code/lang"
	"patina/store/doc"
)

// followImport returns the target of an import, by the rules of its family.
func (r *Resolver) followImport(family string, rules *lang.Scope, from, imported string) Target {
	if rules.Modules == lang.FolderPackages {
		return r.followGo(imported)
	}
	r.findPlaces()
	switch rules.Modules {
	case lang.DottedModules:
		return pythonModules{r, family}.followPython(rules, from, imported)
	case lang.ScriptModules:
		return scripts{r, family}.followScript(from, imported)
	case lang.CrateModules:
		return crates{r, rules, family}.followRust(from, imported)
	case lang.DeclaredPackages:
		return r.followPackaged(rules, from, family, imported)
	case lang.ClassNamespaces:
		return r.followPHP(family, from, imported)
	case lang.HeaderIncludes:
		return r.followInclude(from, imported)
	case lang.OpaqueNamespaces: // a namespace is not a file
		return Target{}
	case lang.LoadPaths:
		return r.followRuby(family, from, imported)
	case lang.SourceFolders:
		return r.followSwift(imported)
	case lang.NamedModules:
		return r.followModule(rules, family, from, imported)
	}
	if !strings.HasSuffix(imported, rules.FileEnding) { // a package of the build system
		return Target{}
	}
	return r.oneOf(family, path.Join(FolderOf(from), imported), imported)
}

// followGo returns the folder of a package: below the module with the longest matching path, or
// vendored. In a tree without a go.mod it is the folder in which the import ends.
func (r *Resolver) followGo(imported string) Target {
	at := r.holdsSources
	longest, folder := -1, ""
	for _, x := range r.manifests.goModules {
		rest, ok := strings.CutPrefix(imported, x.path)
		if x.path != "" && (!ok || rest != "" && rest[0] != '/') {
			continue
		}
		if f := path.Join(x.folder, strings.Trim(rest, "/")); at(f) && len(x.path) > longest {
			longest, folder = len(x.path), f
		}
	}
	if longest >= 0 {
		return Target{Folder: folder, found: true}
	}
	for _, x := range append([]goModule{{}}, r.manifests.goModules...) {
		if f := path.Join(x.folder, "vendor", imported); at(f) {
			return Target{Folder: f, found: true}
		}
	}
	for rest := imported; len(r.manifests.goModules) == 0 && rest != ""; {
		if at(rest) {
			return Target{Folder: rest, found: true}
		}
		_, rest, _ = strings.Cut(rest, "/")
	}
	return Target{}
}

// isMajorVersion reports whether a part of a path is like "v2" or "yaml.v3". It uses no regular
// expression, because it is called for every import.
func isMajorVersion(base string) bool {
	base = base[strings.LastIndexByte(base, '.')+1:]
	return len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == ""
}

// GoName guesses the name of a package of Go from the last part of its path that is not a
// version: "yaml" for "gopkg.in/yaml.v3". The files of a package may give it another name.
func GoName(imported string) string {
	base := path.Base(imported)
	if isMajorVersion(base) {
		if name, _, ok := strings.Cut(base, ".v"); ok {
			return name
		}
		base = path.Base(path.Dir(imported))
	}
	return strings.TrimPrefix(base, "go-")
}

// followDotted returns the class in which a dotted name begins, if it has at least two parts,
// otherwise a whole package.
func (r *Resolver) followDotted(from, family string, parts []string) Target {
	all := len(parts) > 0 && parts[len(parts)-1] == doc.AllNames
	if all {
		parts = parts[:len(parts)-1]
	}
	t := r.longest(2, parts, func(p string) Target { return r.nearestModule(family, from, p, nil) })
	if t.found && (len(t.Names) == 0 || !all) {
		return t
	}
	t = Target{}
	for _, folder := range r.above[path.Base(strings.Join(parts, "/"))] {
		if all && strings.HasSuffix("/"+folder, "/"+strings.Join(parts, "/")) {
			t.At, t.Whole, t.found = append(t.At, r.byFolder[folder]...), true, true
		}
	}
	return t
}

func (r *Resolver) followPHP(family, from, imported string) Target {
	if strings.HasSuffix(imported, ".php") {
		beside := path.Join(FolderOf(from), imported)
		return r.oneOf(family, beside, strings.TrimPrefix(imported, "/"))
	}
	return r.followDotted(from, family, strings.Split(strings.Trim(imported, `\`), `\`))
}

func (r *Resolver) followRuby(family, from, imported string) Target {
	imported = strings.TrimSuffix(imported, ".rb")
	t := r.oneOf(family, path.Join(FolderOf(from), imported))
	if t.found || strings.HasPrefix(imported, ".") {
		return t
	}
	return r.nearestModule(family, from, imported, nil)
}

// longest tries ever shorter beginnings of a dotted name, down to least parts. The remaining parts
// are names in the module.
func (r *Resolver) longest(least int, parts []string, find func(p string) Target) Target {
	for n := len(parts); n >= least; n-- {
		if t := find(strings.Join(parts[:n], "/")); t.found {
			t.Names = parts[n:]
			return t
		}
	}
	return Target{}
}
