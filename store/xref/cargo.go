package xref

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// A cargoPackage is a Cargo.toml.
type cargoPackage struct {
	folder  string
	name    string   // of its library, as paths spell it; "" for a workspace alone
	lib     string   // path of the root of its library
	targets []string // paths of other roots that it names
	old     bool     // edition 2015: paths of use begin at the root of the crate
	needs   map[string]cargoNeed
	shares  map[string]cargoNeed // [workspace.dependencies]
	patches map[string]string    // package → the folder that stands for it
}

// A cargoNeed is a dependency. Without a folder it comes from a registry.
type cargoNeed struct {
	folder  string
	inherit bool   // the workspace says more
	of      string // the package, where the name is another one
}

// crateName is the name of a crate as paths spell it.
func crateName(s string) string { return strings.ReplaceAll(s, "-", "_") }

// cargo reads a Cargo.toml.
func (m *Manifests) cargo(folder, body string) {
	c := cargoPackage{
		folder: folder, lib: path.Join(folder, "src/lib.rs"), old: true,
		needs: make(map[string]cargoNeed), shares: make(map[string]cargoNeed), patches: make(map[string]string),
	}
	name := ""
	for _, t := range tomlTexts(body) {
		switch {
		case t.is("package", "name"):
			name = crateName(t.value)
		case len(t.key) > 1 && t.key[0] == "package" && t.key[1] == "edition":
			c.old = t.value == "2015"
		case t.is("lib", "name"):
			c.name = crateName(t.value)
		case t.is("lib", "path"):
			c.lib = path.Join(folder, t.value)
		case len(t.key) == 2 && t.key[1] == "path" && slices.Contains([]string{"bin", "test", "bench", "example"}, t.key[0]):
			c.targets = append(c.targets, path.Join(folder, t.value))
		case len(t.key) > 3 && t.key[0] == "target":
			c.need(c.needs, t.key[2:], t.value)
		case len(t.key) > 2 && t.key[0] == "workspace":
			c.need(c.shares, t.key[1:], t.value)
		case len(t.key) == 4 && t.key[0] == "patch" && t.key[3] == "path":
			c.patches[t.key[2]] = path.Join(".", folder, t.value)
		default:
			c.need(c.needs, t.key, t.value)
		}
	}
	if c.name == "" {
		c.name = name
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

// need reads one line of dependencies.
func (c *cargoPackage) need(into map[string]cargoNeed, key []string, value string) {
	if len(key) < 2 || !slices.Contains([]string{"dependencies", "dev-dependencies", "build-dependencies"}, key[0]) {
		return
	}
	name := crateName(key[1])
	n := into[name]
	if n.of == "" {
		n.of = key[1]
	}
	if len(key) == 3 {
		switch key[2] {
		case "path":
			n.folder = path.Join(".", c.folder, value) // "." for the root
		case "workspace":
			n.inherit = value == "true"
		case "package":
			n.of = value
		}
	}
	into[name] = n
}

// cargoAbove is the nearest package above a file.
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

// crateFor finds the root of the library that a package means by a name: its own, or a dependency
// that is a folder of the tree. known reports whether its manifest names it at all.
func (m *Manifests) crateFor(c cargoPackage, name string) (lib string, known bool) {
	n, ok := c.needs[name]
	if ok {
		folder, here := m.cargoFolder(c, name, n)
		if !here {
			return "", true // of a registry
		}
		if to, ok := m.cargoPackages[folder]; ok {
			return to.lib, true
		}
		return path.Join(folder, "src/lib.rs"), true
	}
	if name == c.name {
		return c.lib, true
	}
	// A library may be named unlike its package.
	for _, key := range slices.Sorted(maps.Keys(c.needs)) {
		folder, here := m.cargoFolder(c, key, c.needs[key])
		if to := m.cargoPackages[folder]; here && to.name == name {
			return to.lib, true
		}
	}
	return "", false
}

// cargoFolder finds the folder of a dependency: by its path, that in the workspace, or a patch.
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
