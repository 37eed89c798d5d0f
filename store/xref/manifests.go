package xref

import (
	"encoding/json"
	"path"
	"strings"

	"patina/store/text"
)

// Manifests collects the names that manifests give to folders. The zero value is ready for use.
type Manifests struct {
	goModules []goModule
	crates    map[string]string // name of a crate of Rust → folder of its sources
	npm       map[string]string // name of a package of JavaScript → its folder
	scripts   []scriptPath      // of TypeScript
	swift     map[string]string // name of a module of Swift → its folder, where it says one
}

// A goModule is a go.mod: its folder ("" for the root) and its module path ("" for the standard
// library).
type goModule struct{ folder, path string }

// IsManifest reports whether Read knows a file by its name.
func IsManifest(file string) bool {
	switch path.Base(file) {
	case "go.mod", "Cargo.toml", "package.json", "tsconfig.json", "tsconfig.base.json", "jsconfig.json", "Package.swift":
		return true
	}
	return false
}

// Read adds the name in a manifest. It leaves out what it cannot read.
func (m *Manifests) Read(file, body string) {
	switch folder := FolderOf(file); path.Base(file) {
	case "go.mod":
		m.goMod(folder, body)
	case "Cargo.toml":
		m.cargo(folder, body)
	case "package.json":
		m.packageJSON(folder, body)
	case "Package.swift":
		m.packageSwift(folder, body)
	case "tsconfig.json", "tsconfig.base.json", "jsconfig.json":
		m.tsconfig(folder, body)
	}
}

func (m *Manifests) goMod(folder, body string) {
	for line := range strings.Lines(body) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "module "); ok {
			name, _, _ = strings.Cut(name, "//")
			if name = strings.Trim(name, " \t\""); name == "std" {
				name = ""
			}
			m.goModules = append(m.goModules, goModule{folder, name})
			return
		}
	}
}

// cargo reads the name of a crate, in [package] or [lib]; its sources are in src.
func (m *Manifests) cargo(folder, body string) {
	section := ""
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section = strings.Trim(line, "[]")
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		if strings.TrimSpace(key) != "name" || section != "package" && section != "lib" {
			continue
		}
		if name := strings.Trim(strings.TrimSpace(value), `"'`); name != "" {
			if m.crates == nil {
				m.crates = make(map[string]string)
			}
			m.crates[strings.ReplaceAll(name, "-", "_")] = path.Join(folder, "src")
		}
	}
}

func (m *Manifests) packageJSON(folder, body string) {
	var manifest struct {
		Name string `json:"name"`
	}
	if json.Unmarshal([]byte(body), &manifest) != nil || manifest.Name == "" {
		return
	}
	if m.npm == nil {
		m.npm = make(map[string]string)
	}
	m.npm[manifest.Name] = folder
}

// swiftTarget is a module in a Package.swift that lies in a folder of another name.
var swiftTarget = text.Lazy(`\.(?:target|executableTarget|testTarget|macro|plugin)\(\s*name:\s*"([^"\n]+)"[^()]*?(?:\([^()]*\)[^()]*?)*?\bpath:\s*"([^"\n]+)"`)

func (m *Manifests) packageSwift(folder, body string) {
	for _, at := range swiftTarget().FindAllStringSubmatch(body, -1) {
		if m.swift == nil {
			m.swift = make(map[string]string)
		}
		m.swift[at[1]] = path.Join(folder, at[2])
	}
}
