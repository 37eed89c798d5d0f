package manifest

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"patina/internal/lazyregexp"
)

// A Python is the content of one manifest of a Python project.
type Python struct {
	Name      string
	OtherName string // Poetry's name, if the project has another one as well
	Needs     []Need
	Places    []PythonPlace
}

// A PythonPlace is the folder of a package, relative to the folder of the manifest. If Package is
// "", imports begin in Folder.
type PythonPlace struct{ Package, Folder string }

func (p *Python) addPlace(name, folder string) {
	p.Places = append(p.Places, PythonPlace{name, folder})
}

// addNeed adds a requirement. It ignores a text without a name.
func (p *Python) addNeed(text string, scope Scope, line int) {
	if name := requirementName(text); name != "" {
		p.Needs = append(p.Needs, Need{name, scope, line})
	}
}

// requirementName returns the name at the beginning of a requirement (PEP 508), or "".
func requirementName(text string) string {
	const blanks = " \t\n\f\r"
	text = strings.TrimLeft(text, blanks)
	n := 0
	for n < len(text) && (isAlphanumeric(text[n]) || n > 0 && strings.IndexByte("._-", text[n]) >= 0) {
		n++
	}
	rest := strings.TrimLeft(text[n:], blanks)
	if rest == "" || text[n] == ' ' || strings.IndexByte("[<>=!~;@(,#", rest[0]) >= 0 {
		return text[:n]
	}
	return ""
}

func isAlphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// ReadPyproject reads a pyproject.toml: the project, and the dependencies and package folders in
// the settings of setuptools, Poetry, Hatch, PDM, uv, maturin, scikit-build-core and pytest.
func ReadPyproject(text string) (p Python) {
	poetry := map[int]PythonPlace{}
	eachTOML(text, func(t tomlText) bool {
		switch keys := t.keys; {
		case t.hasKeys("project", "name"):
			p.Name = t.value
		case t.hasKeys("project", "dependencies"):
			p.addNeed(t.value, ForUse, t.line)
		case len(keys) > 2 && keys[0] == "project" && keys[1] == "optional-dependencies":
			p.addNeed(t.value, ScopeOfGroup(strings.Join(keys[2:], ".")), t.line)
		case t.hasKeys("build-system", "requires"),
			keys[0] == "dependency-groups" && len(keys) > 1 && keys[len(keys)-1] != "include-group":
			p.addNeed(t.value, ForTests, t.line)
		case len(keys) > 2 && keys[0] == "tool":
			p.readTool(t, keys[1:], poetry)
		}
		return true
	})
	if p.Name == "" {
		p.Name, p.OtherName = p.OtherName, ""
	}
	for _, item := range slices.Sorted(maps.Keys(poetry)) {
		p.addPlace("", poetry[item].Folder)
	}
	return p
}

// readTool reads a value of [tool]. poetry keeps places, by item, until both of their values are
// read.
func (p *Python) readTool(t tomlText, keys []string, poetry map[int]PythonPlace) {
	is := func(want ...string) bool { return slices.Equal(keys, want) }
	last := keys[len(keys)-1]
	switch {
	case is("poetry", "name"):
		p.OtherName = t.value
	case is("uv", "dev-dependencies"), len(keys) > 2 && keys[0] == "pdm" && keys[1] == "dev-dependencies",
		keys[0] == "hatch" && keys[1] == "envs" && strings.HasSuffix(last, "ependencies"):
		p.addNeed(t.value, ForTests, t.line)
	case len(keys) == 3 && keys[0] == "setuptools" && keys[1] == "package-dir":
		p.addPlace(keys[2], t.value)
	case is("setuptools", "packages", "find", "where"), is("pytest", "ini_options", "pythonpath"),
		is("pdm", "build", "package-dir"), is("uv", "build-backend", "module-root"),
		is("maturin", "python-source"), keys[0] == "hatch" && last == "sources":
		p.addPlace("", t.value)
	case keys[0] == "hatch" && last == "packages", is("scikit-build", "wheel", "packages"):
		p.addPlace("", path.Dir(strings.TrimSuffix(t.value, "/")))
	case is("poetry", "packages", "include"):
		poetry[t.item] = PythonPlace{t.value, poetry[t.item].Folder}
	case is("poetry", "packages", "from"):
		poetry[t.item] = PythonPlace{poetry[t.item].Package, t.value}
	case len(keys) > 2 && keys[0] == "poetry":
		p.needPoetry(keys[1:], t.line)
	}
}

// needPoetry reads dependencies.NAME, dev-dependencies.NAME and group.GROUP.dependencies.NAME.
func (p *Python) needPoetry(keys []string, line int) {
	scope := ForTests
	switch {
	case keys[0] == "dependencies":
		scope, keys = ForUse, keys[1:]
	case keys[0] == "dev-dependencies":
		keys = keys[1:]
	case len(keys) >= 4 && keys[0] == "group" && keys[2] == "dependencies":
		keys = keys[3:]
	default:
		return
	}
	if len(keys) > 1 && keys[1] != "version" && keys[1] != "git" && keys[1] != "path" || keys[0] == "python" {
		return // a dependency must be added only once
	}
	p.Needs = append(p.Needs, Need{keys[0], scope, line})
}

// pyprojectName returns the name of a project, or "". It stops reading at [project] name.
func pyprojectName(text string) string {
	name, other := "", ""
	eachTOML(text, func(t tomlText) bool {
		switch {
		case !t.isString || t.listed:
		case t.hasKeys("project", "name"):
			name = t.value
		case t.hasKeys("tool", "poetry", "name"):
			other = t.value
		}
		return name == ""
	})
	return cmp.Or(name, other)
}

// ReadPipfile returns the needs of a Pipfile.
func ReadPipfile(text string) (needs []Need) {
	scopes := map[string]Scope{"packages": ForUse, "dev-packages": ForTests}
	eachTOML(text, func(t tomlText) bool {
		scope, ok := scopes[t.keys[0]]
		if ok && (len(t.keys) == 2 || len(t.keys) > 2 && t.keys[2] == "version") {
			needs = append(needs, Need{t.keys[1], scope, t.line})
		}
		return true
	})
	return needs
}

// ReadSetupCfg reads a setup.cfg.
func ReadSetupCfg(text string) (p Python) {
	eachSetting(text, func(s setting) {
		switch s.section + "." + strings.ReplaceAll(s.key, "-", "_") {
		case "metadata.name":
			p.Name = cmp.Or(p.Name, s.value)
		case "options.install_requires":
			p.addNeed(s.value, ForUse, s.line)
		case "options.tests_require", "options.setup_requires":
			p.addNeed(s.value, ForTests, s.line)
		case "options.package_dir":
			if name, folder, ok := strings.Cut(s.value, "="); ok {
				p.addPlace(strings.TrimSpace(name), strings.TrimSpace(folder))
			}
		case "options.packages.find.where", "options.packages.find_namespace.where", "tool:pytest.pythonpath":
			for _, folder := range strings.Fields(s.value) {
				p.addPlace("", folder)
			}
		default:
			if s.section == "options.extras_require" {
				p.addNeed(s.value, ScopeOfGroup(s.key), s.line)
			}
		}
	})
	return p
}

// A setup.py is never run. Only literal values count, such as package_dir={"": "src"}.
var (
	setupName = lazyregexp.New(`\bname\s*=\s*["']([^"'\n]+)["']\s*[,)\n]`)
	setupList = lazyregexp.New(`(?i)\b(install_requires|setup_requires|tests_require|requires|` +
		`requirements|dependencies)\s*=\s*\[`)
	setupDirs  = lazyregexp.New(`\bpackage_dir\s*=\s*(?:dict\()?\{([^{}]*)\}`)
	setupPair  = lazyregexp.New(`["']([\w.]*)["']\s*:\s*["']([^"'\n]+)["']`)
	setupWhere = lazyregexp.New(`\bfind(?:_namespace)?_packages\(\s*(?:where\s*=\s*)?["']([^"'\n]+)["']`)
	quoted     = lazyregexp.New(`["']([^"'\n]+)["']`)
)

// ReadSetupPy reads the name and the needs of a setup.py. It does not read its places.
func ReadSetupPy(text string) (p Python) {
	p.Name = matchFirst(setupName(), text)
	for _, at := range setupList().FindAllStringSubmatchIndex(text, -1) {
		list, _, ok := strings.Cut(text[at[1]:], "]\n")
		if !ok {
			list, _, _ = strings.Cut(text[at[1]:], "]")
		}
		scope := ForUse
		if name := strings.ToLower(text[at[2]:at[3]]); name == "setup_requires" || name == "tests_require" {
			scope = ForTests
		}
		line := 1 + strings.Count(text[:at[1]], "\n")
		for _, q := range quoted().FindAllStringSubmatchIndex(list, -1) {
			p.addNeed(list[q[2]:q[3]], scope, line+strings.Count(list[:q[2]], "\n"))
		}
	}
	return p
}

// ReadSetupPlaces returns the folders of packages in a setup.py.
func ReadSetupPlaces(text string) (places []PythonPlace) {
	if strings.Contains(text, "package_dir") {
		for _, dirs := range setupDirs().FindAllStringSubmatch(text, maxPlaces) {
			for _, pair := range setupPair().FindAllStringSubmatch(dirs[1], maxPlaces) {
				places = append(places, PythonPlace{pair[1], pair[2]})
			}
		}
	}
	if strings.Contains(text, "_packages(") {
		for _, where := range setupWhere().FindAllStringSubmatch(text, maxPlaces) {
			places = append(places, PythonPlace{"", where[1]})
		}
	}
	return places
}

// IsRequirements reports whether a path has the name of a requirements file for pip.
func IsRequirements(file string) bool { return requirementsFile().MatchString(file) }

var requirementsFile = lazyregexp.New(`(^|/)(requirements[^/]*|requirements/[^/]*)\.(txt|in)$`)

// ReadRequirements returns the needs of a requirements file. Their scope is Unsaid.
func ReadRequirements(text string) []Need {
	var p Python
	eachLine(text, func(n int, line string) { p.addNeed(line, Unsaid, n) })
	return p.Needs
}
