package xref

import (
	"encoding/json"
	"path"
	"strings"
)

// Manifest returns a reader for a file that names packages; nil for others.
func (p *Packages) Manifest(name string) func(folder, body string) {
	switch path.Base(name) {
	case "go.mod":
		return p.GoMod
	case "Cargo.toml":
		return p.cargo
	case "package.json":
		return p.script
	}
	return nil
}

func (p *Packages) GoMod(folder, body string) {
	for line := range strings.Lines(body) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "module "); ok {
			name, _, _ = strings.Cut(name, "//")
			if name = strings.Trim(name, " \t\""); name == "std" {
				name = ""
			}
			p.goModules = append(p.goModules, goModule{folder, name})
			return
		}
	}
}

// cargo reads a crate's name, in [package] or [lib]; its sources are in src.
func (p *Packages) cargo(folder, body string) {
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
			p.Crates[strings.ReplaceAll(name, "-", "_")] = path.Join(folder, "src")
		}
	}
}

func (p *Packages) script(folder, body string) {
	var manifest struct {
		Name string `json:"name"`
	}
	if json.Unmarshal([]byte(body), &manifest) == nil && manifest.Name != "" {
		p.Scripts[manifest.Name] = folder
	}
}
