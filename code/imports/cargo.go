package imports

import (
	"cmp"
	"maps"
	"path"
	"slices"

	"patina/code/manifest"
)

// A cargoPackage is the content of a Cargo.toml.
type cargoPackage struct {
	folder  string
	name    string   // of its library, as paths spell it; "" without a package
	lib     string   // path of the root of its library
	targets []string // paths of other roots
	old     bool     // edition 2015, where paths of use begin at the crate's root
	needs   map[string]cargoNeed
	shares  map[string]cargoNeed // [workspace.dependencies]
	patches map[string]string    // from a package to the folder that replaces it
}

// A cargoNeed is a dependency. If folder is "", it comes from a registry.
type cargoNeed struct {
	folder  string
	inherit bool   // the workspace has the rest
	of      string // name of the package
}

// cargo adds a Cargo.toml.
func (m *Manifests) cargo(folder, body string) {
	said := manifest.ReadCargo(body)
	c := cargoPackage{
		folder: folder, name: manifest.CrateName(cmp.Or(said.Lib, said.Name)),
		lib: path.Join(folder, cmp.Or(said.LibPath, "src/lib.rs")),
		old: said.Edition == "" || said.Edition == "2015", patches: make(map[string]string),
	}
	c.needs, c.shares = c.needsOf(said.Needs), c.needsOf(said.Shares)
	for _, target := range said.Targets {
		c.targets = append(c.targets, path.Join(folder, target))
	}
	for name, at := range said.Patches {
		c.patches[name] = path.Join(".", folder, at)
	}
	if m.cargoPackages == nil {
		m.cargoPackages = make(map[string]cargoPackage)
	}
	m.cargoPackages[folder] = c
	if c.name != "" {
		if m.crates == nil {
			m.crates = make(map[string]string)
		}
		m.crates[c.name] = c.lib
	}
}

// needsOf returns dependencies by their names in paths.
func (c *cargoPackage) needsOf(list []manifest.CargoNeed) map[string]cargoNeed {
	needs := make(map[string]cargoNeed)
	for _, d := range list {
		name := manifest.CrateName(d.As)
		n := needs[name]
		if n.of == "" || d.Name != d.As {
			n.of = d.Name
		}
		if d.Path != "" {
			n.folder = path.Join(".", c.folder, d.Path) // "." for the root
		}
		n.inherit = n.inherit || d.Inherit
		needs[name] = n
	}
	return needs
}

// cargoAbove returns the nearest package above a file.
func (m *Manifests) cargoAbove(file string) (c cargoPackage, ok bool) {
	for folder := FolderOf(file); ; folder = FolderOf(folder) {
		if c, ok = m.cargoPackages[folder]; ok && c.name != "" {
			return c, true
		}
		if folder == "" {
			return cargoPackage{}, false
		}
	}
}

// crateFor returns the root of the library that a package means by a name: its own, or a dependency
// in the tree. known reports whether its manifest has the name at all.
func (m *Manifests) crateFor(c cargoPackage, name string) (lib string, known bool) {
	n, ok := c.needs[name]
	if ok {
		folder, here := m.cargoFolder(c, name, n)
		if !here {
			return "", true // from a registry
		}
		if to, ok := m.cargoPackages[folder]; ok {
			return to.lib, true
		}
		return path.Join(folder, "src/lib.rs"), true
	}
	if name == c.name {
		return c.lib, true
	}
	// A library may have another name than its package.
	for _, key := range slices.Sorted(maps.Keys(c.needs)) {
		folder, here := m.cargoFolder(c, key, c.needs[key])
		if to := m.cargoPackages[folder]; here && to.name == name {
			return to.lib, true
		}
	}
	return "", false
}

// cargoFolder returns the folder of a dependency: its path, that of the workspace, or a patch. here
// is false if it comes from a registry.
func (m *Manifests) cargoFolder(c cargoPackage, name string, n cargoNeed) (folder string, here bool) {
	for above := c.folder; ; above = FolderOf(above) {
		w := m.cargoPackages[above]
		if shared, ok := w.shares[name]; ok && n.inherit {
			n.folder, n.of, n.inherit = shared.folder, shared.of, false
		}
		if patch := w.patches[n.of]; patch != "" && n.folder == "" {
			n.folder = patch
		}
		if above == "" {
			break
		}
	}
	if n.folder == "." {
		return "", true
	}
	return n.folder, n.folder != ""
}
