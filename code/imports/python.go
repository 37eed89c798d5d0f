package imports

import (
	"path"
	"slices"
	"strings"

	"patina/code/lang"
	"patina/store/text"
)

// strays are folders whose projects and modules others do not import, because tests contain whole
// projects and files of any name.
var strays = text.Set("test tests testing testdata fixtures example examples docs doc samples")

// isStray reports whether a folder is in one of strays.
func isStray(folder string) bool {
	return slices.ContainsFunc(strings.Split(folder, "/"), func(s string) bool { return strays.Has(s) })
}

// pythonModules follows imports of Python.
type pythonModules struct {
	*Resolver
	family string
}

// followPython resolves the longest beginning of a dotted name that is a module. A relative name
// begins at the file's package.
func (r pythonModules) followPython(rules *lang.Scope, from, imported string) Target {
	name := strings.TrimLeft(imported, ".")
	parts := strings.FieldsFunc(name, func(r rune) bool { return r == '.' })
	if dots := len(imported) - len(name); dots > 0 {
		base := FolderOf(from)
		for range dots - 1 {
			base = FolderOf(base)
		}
		return r.longest(0, parts, func(p string) Target {
			return r.placed(r.family, path.Join(base, p))
		})
	}
	if len(parts) == 0 {
		return Target{}
	}
	if t := r.inProject(from, parts); t.found {
		return t
	}
	if rules.Library.Has(parts[0]) {
		return Target{}
	}
	if folder := FolderOf(from); !r.isPackage(folder) { // beside a script
		if t := r.pythonIn(folder, parts); t.found {
			return t
		}
	}
	if t := r.inOtherProject(from, parts); t.found {
		return t
	}
	return r.pythonAbove(from, parts)
}

// inProject searches where an installed project's imports begin: above the file's own package, in
// the folders of the manifests above it, and at the root.
func (r pythonModules) inProject(from string, parts []string) Target {
	folder := FolderOf(from)
	if r.isPackage(folder) {
		for folder != "" && r.isPackage(folder) {
			folder = FolderOf(folder)
		}
		if t := r.pythonIn(folder, parts); t.found {
			return t
		}
	}
	for folder = FolderOf(from); ; folder = FolderOf(folder) {
		if p := r.manifests.pythonProjects[folder]; p != nil {
			if t := r.inRoots(p, parts); t.found {
				return t
			}
		}
		if folder == "" {
			break
		}
	}
	for _, root := range []string{"", "src", "lib"} {
		if t := r.pythonIn(root, parts); t.found {
			return t
		}
	}
	return Target{}
}

// inRoots searches the folders of one project.
func (r pythonModules) inRoots(p *pythonProject, parts []string) Target {
	for n := len(parts); n > 0; n-- {
		if place, ok := p.places[strings.Join(parts[:n], ".")]; ok {
			rest := parts[n:]
			return r.longest(0, rest, func(tail string) Target {
				return r.placed(r.family, path.Join(place, tail))
			})
		}
	}
	for _, root := range p.roots {
		if t := r.pythonIn(root, parts); t.found {
			return t
		}
	}
	return Target{}
}

// pythonIn searches one folder where imports begin. It returns no target if that is a package.
func (r pythonModules) pythonIn(root string, parts []string) Target {
	if r.isPackage(root) {
		return Target{}
	}
	return r.longest(1, parts, func(p string) Target {
		return r.placed(r.family, path.Join(root, p))
	})
}

// inOtherProject searches the nearest other project of the tree that has such a package, because
// several may be installed together. It leaves out projects in tests.
func (r pythonModules) inOtherProject(from string, parts []string) Target {
	var best Target
	shared, tie := -1, false
	for folder, p := range r.manifests.pythonProjects {
		n := CommonFolders(folder+"/x", from)
		if isStray(folder) || n < shared {
			continue
		}
		if t := r.inRoots(p, parts); t.found {
			tie = n == shared && (tie || !slices.Equal(t.At, best.At))
			best, shared = t, n
		}
	}
	if tie {
		return Target{}
	}
	return best
}

// pythonAbove searches for a package beside one of the folders above a file, as tests of a project
// without a manifest do. It does not accept a single module there, because any name matches some
// file.
func (r pythonModules) pythonAbove(from string, parts []string) Target {
	for folder := FolderOf(from); folder != ""; {
		folder = FolderOf(folder)
		t := r.pythonIn(folder, parts)
		if t.found && (len(parts)-len(t.Names) > 1 || isInit(r.files[t.At[0]].Path)) {
			return t
		}
	}
	if len(r.manifests.pythonProjects) > 0 {
		return Target{}
	}
	return r.longest(1, parts, func(p string) Target {
		return r.nearestModule(r.family, from, p, func(file string) bool {
			return r.beginsAt(file, p) && !isStray(FolderOf(file))
		})
	})
}

// beginsAt reports whether an absolute import of the module p may mean a deeper file: it must begin
// outside of packages and name a package.
func (r pythonModules) beginsAt(file, p string) bool {
	module := strings.TrimSuffix(WithoutExtension(file), "/__init__")
	start := strings.TrimSuffix(module, p)
	if !strings.HasSuffix("/"+module, "/"+p) || r.isPackage(strings.TrimSuffix(start, "/")) {
		return false
	}
	return strings.Contains(p, "/") || isInit(file)
}

// isPackage reports whether a folder is a package. An import must not begin inside one.
func (r pythonModules) isPackage(folder string) bool {
	files := r.filesAt(r.family, folder)
	return slices.ContainsFunc(files, func(i int) bool { return isInit(r.files[i].Path) })
}

// isInit reports whether a file makes its folder a package.
func isInit(p string) bool { return StemOf(p) == "__init__" }
