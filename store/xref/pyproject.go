package xref

import (
	"maps"
	"path"
	"slices"
	"strings"

	"patina/store/text"
)

// A pythonProject is what the manifests of a folder say of its packages.
type pythonProject struct {
	roots  []string          // folders in which absolute imports begin
	places map[string]string // a package → its folder, where it is named
}

// project enters a folder as a project of Python. Without more, imports begin in it and its "src".
func (m *Manifests) project(folder string) *pythonProject {
	if m.pythonProjects == nil {
		m.pythonProjects = make(map[string]*pythonProject)
	}
	p := m.pythonProjects[folder]
	if p == nil {
		p = &pythonProject{places: make(map[string]string)}
		m.pythonProjects[folder] = p
		for _, usual := range []string{"src", "", "lib", "python"} {
			p.roots = append(p.roots, path.Join(folder, usual))
		}
	}
	return p
}

// root adds a folder that a manifest names. It comes before the usual ones.
func (p *pythonProject) root(folder, place string) {
	at := path.Join(folder, place)
	if strings.ContainsAny(place, "*{$") || strings.HasPrefix(at, "..") || slices.Contains(p.roots, at) || len(p.roots) > maxPlaces {
		return
	}
	p.roots = slices.Insert(p.roots, 0, at)
}

// put says where a package lies; "" is all of them.
func (p *pythonProject) put(folder, name, place string) {
	if name == "" {
		p.root(folder, place)
	} else if len(p.places) < maxPlaces {
		p.places[name] = path.Join(folder, place)
	}
}

// pyproject reads the settings of setuptools, Poetry, Hatch, PDM, uv, maturin, scikit-build-core
// and pytest that say where packages lie.
func (m *Manifests) pyproject(folder, body string) {
	p := m.project(folder)
	type include struct{ name, from string }
	poetry := make(map[int]include)
	for _, t := range tomlTexts(body) {
		if len(t.key) < 3 || t.key[0] != "tool" {
			continue
		}
		switch key := t.key[1:]; {
		case len(key) == 3 && key[0] == "setuptools" && key[1] == "package-dir":
			p.put(folder, key[2], t.value)
		case slices.Equal(key, []string{"setuptools", "packages", "find", "where"}),
			slices.Equal(key, []string{"pytest", "ini_options", "pythonpath"}),
			slices.Equal(key, []string{"pdm", "build", "package-dir"}),
			slices.Equal(key, []string{"uv", "build-backend", "module-root"}),
			slices.Equal(key, []string{"maturin", "python-source"}),
			key[0] == "hatch" && key[len(key)-1] == "sources":
			p.root(folder, t.value)
		case key[0] == "hatch" && key[len(key)-1] == "packages",
			slices.Equal(key, []string{"scikit-build", "wheel", "packages"}):
			p.root(folder, path.Dir(strings.TrimSuffix(t.value, "/")))
		case slices.Equal(key, []string{"poetry", "packages", "include"}):
			poetry[t.item] = include{t.value, poetry[t.item].from}
		case slices.Equal(key, []string{"poetry", "packages", "from"}):
			poetry[t.item] = include{poetry[t.item].name, t.value}
		}
	}
	for _, item := range slices.Sorted(maps.Keys(poetry)) {
		p.put(folder, "", poetry[item].from)
	}
	slices.SortStableFunc(p.roots, func(a, b string) int { return p.order(folder, a) - p.order(folder, b) })
}

// order puts the folders that a manifest names before the usual ones.
func (p *pythonProject) order(folder, root string) int {
	return 1 + slices.Index([]string{path.Join(folder, "src"), folder, path.Join(folder, "lib"), path.Join(folder, "python")}, root)
}

// setupCfg reads package_dir and where of a setup.cfg.
func (m *Manifests) setupCfg(folder, body string) {
	p := m.project(folder)
	section, key := "", ""
	for line := range strings.Lines(body) {
		value := strings.TrimSpace(line)
		switch {
		case value == "" || value[0] == '#' || value[0] == ';':
			continue
		case value[0] == '[':
			section, key = strings.Trim(value, "[]"), ""
			continue
		case line[0] != ' ' && line[0] != '\t':
			var name string
			name, value, _ = strings.Cut(value, "=")
			key, value = strings.TrimSpace(name), strings.TrimSpace(value)
		}
		switch section + "." + strings.ReplaceAll(key, "-", "_") {
		case "options.package_dir":
			if name, place, ok := strings.Cut(value, "="); ok {
				p.put(folder, strings.TrimSpace(name), strings.TrimSpace(place))
			}
		case "options.packages.find.where", "options.packages.find_namespace.where", "tool:pytest.pythonpath":
			for _, root := range strings.Fields(value) {
				p.root(folder, root)
			}
		}
	}
}

// setupDirs are what a setup.py says in plain texts: package_dir={"": "src"} and where="src". It is
// never run.
var (
	setupDirs  = text.Lazy(`\bpackage_dir\s*=\s*(?:dict\()?\{([^{}]*)\}`)
	setupPair  = text.Lazy(`["']([\w.]*)["']\s*:\s*["']([^"'\n]+)["']`)
	setupWhere = text.Lazy(`\bfind(?:_namespace)?_packages\(\s*(?:where\s*=\s*)?["']([^"'\n]+)["']`)
)

func (m *Manifests) setupPy(folder, body string) {
	p := m.project(folder)
	for _, dirs := range setupDirs().FindAllStringSubmatch(body, maxPlaces) {
		for _, pair := range setupPair().FindAllStringSubmatch(dirs[1], maxPlaces) {
			p.put(folder, pair[1], pair[2])
		}
	}
	for _, where := range setupWhere().FindAllStringSubmatch(body, maxPlaces) {
		p.root(folder, where[1])
	}
}
