package imports

import (
	"path"

	"patina/code/manifest"
)

// Manifests collects the names that manifests give to folders. The zero value has read none, and is
// ready for use. Read must not be called once a Resolver has it.
type Manifests struct {
	goModules []goModule
	crates    map[string]string // from a crate of Rust to the root of its library
	scripts   []scriptPath      // of TypeScript

	packages      map[string]scriptPackage // of JavaScript, by their folders
	packagesNamed map[string][]string      // from a name to folders
	cargoPackages map[string]cargoPackage  // of Rust, by their folders

	pythonProjects map[string]*pythonProject // by their folders
	swift          map[string]string         // from a module of Swift to its folder
}

// A goModule is a go.mod. folder is "" for the root, and path is "" for the standard library.
type goModule struct{ folder, path string }

// IsManifest reports whether Read reads files of that name.
func IsManifest(file string) bool {
	switch path.Base(file) {
	case "go.mod", "Cargo.toml", "package.json", "pnpm-workspace.yaml",
		"tsconfig.json", "tsconfig.base.json", "jsconfig.json", "Package.swift",
		"pyproject.toml", "setup.cfg", "setup.py":
		return true
	}
	return false
}

// maxManifest bounds the bytes of a manifest, because larger ones are not written by hand.
const maxManifest = 256 << 10

// Read adds the names that the manifest at a path gives. It ignores a file that IsManifest does not
// know, one of more than 256 KiB, and every part that it cannot read.
func (m *Manifests) Read(file, body string) {
	if len(body) > maxManifest {
		return
	}
	switch folder := FolderOf(file); path.Base(file) {
	case "go.mod":
		m.goMod(folder, body)
	case "Cargo.toml":
		m.cargo(folder, body)
	case "package.json":
		m.packageJSON(folder, body)
	case "pnpm-workspace.yaml":
		m.addPackage(scriptPackage{folder: folder, members: manifest.ReadPnpmWorkspace(body)})
	case "pyproject.toml":
		m.python(folder, manifest.ReadPyproject(body).Places)
	case "setup.cfg":
		m.python(folder, manifest.ReadSetupCfg(body).Places)
	case "setup.py":
		m.python(folder, manifest.ReadSetupPlaces(body))
	case "Package.swift":
		m.packageSwift(folder, body)
	case "tsconfig.json", "tsconfig.base.json", "jsconfig.json":
		m.tsconfig(folder, body)
	}
}

func (m *Manifests) goMod(folder, body string) {
	name := manifest.ReadGoMod(body).Module
	switch name {
	case "":
		return
	case "std":
		name = ""
	}
	m.goModules = append(m.goModules, goModule{folder, name})
}

func (m *Manifests) packageSwift(folder, body string) {
	for _, t := range manifest.ReadPackageSwift(body) {
		if m.swift == nil {
			m.swift = make(map[string]string)
		}
		m.swift[t.Name] = path.Join(folder, t.Folder)
	}
}
