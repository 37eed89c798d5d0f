package imports

import (
	"path"
	"slices"
	"strings"

	"patina/store/text"
)

// scripts follows imports of JavaScript and its relatives.
type scripts struct {
	*Resolver
	family string
}

// followScript resolves a path relative to the file, or a name from a configuration, "imports" or a
// package in the view. Names that no manifest has are from outside.
func (r scripts) followScript(from, imported string) Target {
	if i := strings.IndexByte(imported, '?'); i > 0 { // ./x.svg?raw
		imported = imported[:i]
	}
	if strings.HasPrefix(imported, ".") {
		place := path.Join(FolderOf(from), imported)
		if t := r.scriptOrPackage(place); t.found {
			return t
		}
		p, rest := r.packageAround(from, place)
		return r.built(p, rest)
	}
	for _, place := range r.manifests.placesOf(from, imported) {
		if t := r.scriptOrPackage(place); t.found {
			return t
		}
	}
	if strings.HasPrefix(imported, "#") {
		return r.followPrivate(from, imported)
	}
	return r.followPackage(from, imported)
}

// followPackage resolves the name of a package and a path in it.
func (r scripts) followPackage(from, imported string) Target {
	parts := strings.SplitN(imported, "/", 3)
	n := 1
	if strings.HasPrefix(imported, "@") {
		n = 2
	}
	if len(parts) < n {
		return Target{}
	}
	p, ok := r.manifests.packageFor(from, strings.Join(parts[:n], "/"))
	if !ok {
		return Target{}
	}
	return r.inScriptPackage(p, strings.Join(parts[n:], "/"))
}

// packageAround returns the folder of the nearest package.json above a file, and the rest of a
// place below it.
func (r scripts) packageAround(from, place string) (folder, rest string) {
	for folder = FolderOf(from); folder != ""; folder = FolderOf(folder) {
		if _, ok := r.manifests.packages[folder]; ok {
			break
		}
	}
	if rest, ok := strings.CutPrefix(place, folder+"/"); ok {
		return folder, rest
	}
	return "", place
}

// followPrivate resolves a name of "imports" in the nearest package.json.
func (r scripts) followPrivate(from, imported string) Target {
	for folder := FolderOf(from); ; folder = FolderOf(folder) {
		if p, ok := r.manifests.packages[folder]; ok {
			places, _ := exportedPlaces(p.imports, imported)
			for _, place := range places {
				t := r.built(folder, place)
				if !strings.HasPrefix(place, ".") {
					t = r.followPackage(from, place)
				}
				if t.found {
					return t
				}
			}
			return Target{}
		}
		if folder == "" {
			return Target{}
		}
	}
}

// inScriptPackage returns a module of a package: the one of its export, otherwise the one at the
// path, in the package or its sources.
func (r scripts) inScriptPackage(p scriptPackage, sub string) Target {
	places, usual := p.mains, []string{"src/index", "index", "lib/index", "src/main", "src/node/index"}
	if sub != "" {
		places, usual = []string{sub}, []string{"src/" + sub, sub, "lib/" + sub}
	}
	if p.closed {
		written := "."
		if sub != "" {
			written = "./" + sub
		}
		var ok bool
		if places, ok = exportedPlaces(p.exports, written); !ok || len(places) == 0 {
			return Target{}
		}
	}
	// A file of types is the last choice, because the definitions are elsewhere.
	for _, types := range []bool{false, true} {
		for _, place := range places {
			t := r.built(p.folder, place)
			if t.found && (types || !strings.Contains(path.Base(r.files[t.At[0]].Path), ".d.")) {
				return t
			}
		}
	}
	for _, place := range usual {
		if t := r.script(path.Join(p.folder, place)); t.found {
			return t
		}
	}
	return Target{}
}

// outFolders are folders to which builds write, and outFormats are parts of their paths. They are
// the default ones of tsc, rollup, tsup, unbuild and Vite.
var (
	outFolders = text.Set("dist lib build out output es esm cjs types typings .build")
	outFormats = text.Set(`browser cjs commonjs development es es2015 es5 es6 esm mjs modern module
		node production src types typings umd`)
)

// built returns the source of a file of a package: the file itself, otherwise the one of the same
// path below "src" or the package if the path begins in a build folder.
func (r scripts) built(folder, place string) Target {
	at := path.Join(folder, place)
	if folder != "" && at != folder && !strings.HasPrefix(at, folder+"/") || strings.HasPrefix(at, "../") {
		return Target{}
	}
	if t := r.script(at); t.found {
		return t
	}
	stem, ok := withoutScript(strings.TrimPrefix(strings.TrimPrefix(at, folder), "/"))
	if !ok {
		return Target{}
	}
	tries := []string{stem}
	parts := strings.Split(stem, "/")
	if i := r.buildAt(folder, parts); i >= 0 && i+1 < len(parts) {
		head, inner := parts[:i], parts[i+1:]
		last := len(inner) - 1
		plain := slices.DeleteFunc(slices.Clone(inner[:last]), func(s string) bool { return outFormats.Has(s) })
		plain = append(plain, inner[last])
		for _, tail := range [][]string{inner, plain} {
			tries = append(tries, pathOf(head, "src", tail))
			if !r.hasFolder(path.Join(folder, path.Join(head...), "src")) {
				tries = append(tries, pathOf(head, "", tail))
			}
		}
		if n := len(plain); n > 1 { // dist/react/x-react.modern.mjs has all of src/react
			tries = append(tries, pathOf(head, "src", plain[:n-1]))
		}
	}
	for i, try := range tries {
		if t := r.oneOf(r.family, path.Join(folder, try)); t.found && try != "" {
			return t
		}
		if t := r.oneOf(r.family, path.Join(folder, beforeDot(try))); t.found && i > 0 {
			return t
		}
	}
	return Target{}
}

// buildAt returns the index of the first build folder in a path, or -1. Folders with sources do not
// count.
func (r scripts) buildAt(folder string, parts []string) int {
	for i, s := range parts {
		if (outFolders.Has(s) || strings.HasPrefix(s, "dist-")) &&
			!r.hasFolder(path.Join(folder, path.Join(parts[:i+1]...))) {
			return i
		}
	}
	return -1
}

// hasFolder reports whether a folder or one of its direct subfolders has sources.
func (r scripts) hasFolder(folder string) bool {
	if len(r.byFolder[folder]) > 0 {
		return true
	}
	if r.parents == nil {
		r.parents = make(map[string]bool, len(r.byFolder))
		for f := range r.byFolder {
			r.parents[FolderOf(f)] = true
		}
	}
	return r.parents[folder]
}

func pathOf(head []string, middle string, tail []string) string {
	return path.Join(path.Join(head...), middle, path.Join(tail...))
}

// withoutScript removes the extensions that compilers write: .js, .d.ts, .mjs, .min.js. It returns
// false for files that are not modules.
func withoutScript(p string) (stem string, ok bool) {
	switch ext := path.Ext(p); ext {
	case ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", "":
		p = strings.TrimSuffix(p, ext)
		return strings.TrimSuffix(strings.TrimSuffix(p, ".d"), ".min"), true
	}
	return "", false
}

// beforeDot cuts the last part of a path at its first dot: index for index.legacy-esm.
func beforeDot(p string) string {
	base := path.Base(p)
	if i := strings.IndexByte(base, '.'); i > 0 {
		return p[:len(p)-len(base)+i]
	}
	return p
}

// scriptOrPackage returns the module at a path. A folder without an index file uses its
// package.json.
func (r scripts) scriptOrPackage(place string) Target {
	if place == "." {
		place = ""
	}
	if t := r.script(place); t.found {
		return t
	}
	if p, ok := r.manifests.packages[place]; ok {
		for _, main := range p.mains {
			if t := r.built(place, main); t.found {
				return t
			}
		}
	}
	return Target{}
}

// script returns a module. TypeScript names it as the compiler will write it: a.js for a.ts.
func (r scripts) script(place string) Target {
	if place == "." {
		place = ""
	}
	if t := r.oneOf(r.family, place); t.found {
		return t
	}
	switch ext := path.Ext(place); ext {
	case ".js", ".mjs", ".cjs", ".jsx":
		return r.oneOf(r.family, strings.TrimSuffix(place, ext))
	}
	return Target{}
}
