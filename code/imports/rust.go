package imports

import (
	"path"
	"slices"
	"strings"

	"patina/code/lang"
	"patina/code/manifest"
)

// crates follows module paths of Rust.
type crates struct {
	*Resolver
	rules  *lang.Scope
	family string
}

// A rustRoot is the root module of a crate: its file and the folder of its children.
type rustRoot struct {
	files  []int
	folder string
}

// followRust follows the modules in a path, from the own crate, the own module or another crate.
func (r crates) followRust(from, imported string) Target {
	rest, outer := strings.CutPrefix(imported, "::")
	parts := strings.Split(rest, "::")
	root := r.rustRootOf(from)
	at, folder := r.rustChildren(root, from)
	switch first := parts[0]; {
	case outer:
		return r.inCrate(from, parts)
	case first == "crate":
		return r.rustDown(root.files, root.folder, parts[1:])
	case first == "self":
		return r.rustDown(at, folder, parts[1:])
	case first == "super":
		for len(parts) > 0 && parts[0] == "super" {
			if folder == root.folder || folder == "" {
				return Target{}
			}
			folder, parts = FolderOf(folder), parts[1:]
		}
		if at = r.rustModule(folder); folder == root.folder {
			at = root.files
		}
		return r.rustDown(at, folder, parts)
	}
	if t := r.inCrate(from, parts); t.found || r.NamesCrate(r.rules, from, parts[0]) {
		return t
	}
	// Otherwise it is a module that the file declares.
	if next := r.rustChild(folder, parts, from); len(next) > 0 {
		return r.rustDown(at, folder, parts)
	}
	if c, ok := r.manifests.cargoAbove(from); ok && !c.old {
		return Target{}
	}
	if len(r.rustChild(root.folder, parts, from)) > 0 {
		return r.rustDown(root.files, root.folder, parts)
	}
	return Target{}
}

// rustDown follows modules that are files. The remaining parts are names in the last one.
func (r crates) rustDown(at []int, folder string, parts []string) Target {
	for len(parts) > 0 {
		next, n := r.rustNext(folder, parts)
		if n == 0 {
			break
		}
		folder, parts, at = path.Join(folder, path.Join(parts[:n]...)), parts[n:], next
	}
	return Target{At: at, Names: parts, found: len(at) > 0}
}

// rustNext returns the file of the next module of a path: below the folder, or below the folder of
// an inline module there ("mod support { mod mpsc; }").
func (r crates) rustNext(folder string, parts []string) (files []int, n int) {
	for n = 1; n <= min(2, len(parts)); n++ {
		if files = r.filesAt(r.family, path.Join(folder, path.Join(parts[:n]...))); len(files) > 0 {
			return files, n
		}
	}
	return nil, 0
}

// rustChild returns the files of a module below a folder. Files beside a root in tests, benches and
// examples are not its modules, because they are crates.
func (r crates) rustChild(folder string, parts []string, from string) []int {
	next, _ := r.rustNext(folder, parts)
	if len(next) > 0 && slices.Contains([]string{"tests", "benches", "examples", "bin"}, path.Base(folder)) &&
		FolderOf(r.files[next[0]].Path) == folder && FolderOf(from) == folder {
		return nil
	}
	return next
}

// inCrate follows a path that begins with the name of a crate in the view.
func (r crates) inCrate(from string, parts []string) Target {
	if r.rules.Library.Has(parts[0]) {
		return Target{}
	}
	lib, known := "", false
	if c, ok := r.manifests.cargoAbove(from); ok {
		lib, known = r.manifests.crateFor(c, parts[0])
	} else {
		lib, known = r.crate(parts[0])
	}
	i, ok := r.byPath[lib]
	if !known || !ok {
		return Target{}
	}
	return r.rustDown([]int{i}, FolderOf(lib), parts[1:])
}

// NamesCrate reports whether a name is a crate that the file from needs: one of the standard
// library, by the rules of its language, or one that the nearest manifest names.
func (r *Resolver) NamesCrate(rules *lang.Scope, from, name string) bool {
	if rules.Library.Has(name) {
		return true
	}
	c, ok := r.manifests.cargoAbove(from)
	if !ok {
		return false
	}
	_, known := r.manifests.crateFor(c, name)
	return known
}

// crate returns the root of a library, by its manifest or by the name of its folder.
func (r crates) crate(name string) (lib string, ok bool) {
	if lib, ok = r.manifests.crates[name]; ok {
		return lib, true
	}
	for _, i := range r.byBase["lib.rs"] {
		lib = r.files[i].Path
		if manifest.CrateName(path.Base(strings.TrimSuffix(FolderOf(lib), "/src"))) == name {
			return lib, true
		}
	}
	return "", false
}

// rustModule returns the file of the module whose children are in a folder.
func (r crates) rustModule(folder string) []int {
	for _, name := range []string{"lib.rs", "main.rs", "mod.rs"} {
		if i, ok := r.byPath[path.Join(folder, name)]; ok {
			return []int{i}
		}
	}
	return r.filesAt(r.family, folder)
}

// rustChildren returns a file's own module and the folder of its children.
func (r crates) rustChildren(root rustRoot, from string) (at []int, folder string) {
	if i, ok := r.byPath[from]; ok {
		at = []int{i}
		if slices.Contains(root.files, i) {
			return at, root.folder
		}
	}
	switch path.Base(from) {
	case "mod.rs", "lib.rs", "main.rs":
		return at, FolderOf(from)
	}
	return at, WithoutExtension(from)
}

// rustRootOf returns the root of a file's crate. By Cargo's rules each file directly in tests,
// benches, examples and src/bin is one, and so is a main.rs in a folder there.
func (r crates) rustRootOf(from string) rustRoot {
	own := func(p string) (rustRoot, bool) {
		i, ok := r.byPath[p]
		if !ok {
			return rustRoot{folder: FolderOf(p)}, false
		}
		return rustRoot{[]int{i}, FolderOf(p)}, true
	}
	c, known := r.manifests.cargoAbove(from)
	if !known {
		return r.rustRootAbove(from)
	}
	rest := strings.TrimPrefix(strings.TrimPrefix(from, c.folder), "/")
	if rest == "build.rs" || from == c.lib || slices.Contains(c.targets, from) {
		root, _ := own(from)
		return root
	}
	for _, folder := range []string{"tests", "benches", "examples", "src/bin"} {
		inner, ok := strings.CutPrefix(rest, folder+"/")
		if !ok {
			continue
		}
		sub, _, deep := strings.Cut(inner, "/")
		if !deep {
			root, _ := own(from)
			return root
		}
		at := path.Join(c.folder, folder, sub)
		if root, ok := own(path.Join(at, "main.rs")); ok {
			return root
		}
		return rustRoot{folder: FolderOf(at)} // shared by several crates
	}
	for _, p := range append([]string{c.lib, path.Join(c.folder, "src/main.rs")}, c.targets...) {
		if below := FolderOf(p); below == "" || strings.HasPrefix(from, below+"/") {
			if path.Base(from) == "main.rs" && p == c.lib {
				continue
			}
			if root, ok := own(p); ok {
				return root
			}
		}
	}
	return r.rustRootAbove(from)
}

// rustRootAbove returns the nearest lib.rs or main.rs above a file without a manifest.
func (r crates) rustRootAbove(from string) rustRoot {
	for folder := FolderOf(from); ; folder = FolderOf(folder) {
		for _, name := range []string{"lib.rs", "main.rs"} {
			if i, ok := r.byPath[path.Join(folder, name)]; ok {
				return rustRoot{[]int{i}, folder}
			}
		}
		if folder == "" {
			return rustRoot{r.rustModule(FolderOf(from)), FolderOf(from)}
		}
	}
}
