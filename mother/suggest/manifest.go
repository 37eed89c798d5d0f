package suggest

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// A manifest is a file that names packages, while it is read.
type manifest struct {
	*facts
	path, text string
	aside      bool              // it lies with tests, examples or tools
	published  bool              // another manifest of its folder publishes the package
	above      bool              // one of the folder above does
	catalog    map[string]string // of Gradle: alias → package
}

// readers are the manifests by their names; "*.x" for an extension.
var readers = map[string]func(*manifest){
	"go.mod":              (*manifest).goMod,
	"package.json":        (*manifest).packageJSON,
	"composer.json":       (*manifest).composer,
	"Cargo.toml":          (*manifest).cargo,
	"pyproject.toml":      (*manifest).pyproject,
	"Pipfile":             (*manifest).pipfile,
	"setup.cfg":           (*manifest).setupCfg,
	"setup.py":            (*manifest).setupPy,
	"Gemfile":             (*manifest).gemfile,
	"*.gemspec":           (*manifest).gemspec,
	"pom.xml":             (*manifest).pom,
	"build.gradle":        (*manifest).gradle,
	"build.gradle.kts":    (*manifest).gradle,
	"settings.gradle":     (*manifest).gradleSettings,
	"settings.gradle.kts": (*manifest).gradleSettings,
	"gradle.properties":   (*manifest).gradleProperties,
	"*.csproj":            (*manifest).project,
	"*.fsproj":            (*manifest).project,
	"*.vbproj":            (*manifest).project,
	"*.props":             (*manifest).project,
	"packages.config":     (*manifest).project,
	"mix.exs":             (*manifest).mix,
	"pubspec.yaml":        (*manifest).pubspec,
}

// catalogFile is where Gradle keeps the names of packages.
const catalogFile = "gradle/libs.versions.toml"

// reader returns how a manifest is read; nil for all other files.
func reader(p string) func(*manifest) {
	base := path.Base(p)
	if r := readers[base]; r != nil {
		return r
	}
	if r := readers["*"+path.Ext(base)]; r != nil && path.Ext(base) != base {
		return r
	}
	switch {
	case strings.HasSuffix(base, ".gradle"), strings.HasSuffix(base, ".gradle.kts"):
		// Conventions that builds share.
		return (*manifest).gradle
	case requirements().MatchString(p):
		return (*manifest).requirements
	}
	return nil
}

var requirements = lazy(`(^|/)(requirements[^/]*|requirements/[^/]*)\.(txt|in)$`)

// IsManifest reports whether the text of a file is wanted, by its path.
func IsManifest(p string) bool {
	return reader(p) != nil || p == catalogFile || strings.HasSuffix(p, "/"+catalogFile)
}

// named adds a package that the repository publishes.
func (m *manifest) named(ecosystem, name string) {
	if !m.aside {
		m.provide(ecosystem, name, m.path)
	}
}

// need adds a dependency.
func (m *manifest) need(ecosystem, name string, use scope, line int) {
	if name = clean(ecosystem, name); name == "" {
		return
	}
	if m.aside {
		use = forTests
	}
	m.needs = append(m.needs, need{ecosystem, name, use, m.path, line})
}

// each calls f for every line, counted from 1.
func (m *manifest) each(f func(n int, line string)) {
	n := 0
	for line := range strings.Lines(m.text) {
		n++
		f(n, strings.TrimRight(line, "\r\n"))
	}
}

// matches calls f for every match of an expression, with its line.
func (m *manifest) matches(re *regexp.Regexp, f func(line int, groups []string)) {
	line, at := 1, 0
	for _, x := range re.FindAllStringSubmatchIndex(m.text, -1) {
		groups := make([]string, len(x)/2)
		for i := range groups {
			if x[2*i] >= 0 {
				groups[i] = m.text[x[2*i]:x[2*i+1]]
			}
		}
		start := x[0]
		if len(x) > 2 && x[2] >= 0 {
			start = x[2] // of the first group: the match may begin with empty lines
		}
		line += strings.Count(m.text[at:start], "\n")
		at = start
		f(line, groups)
	}
}

// developer are words for groups of dependencies that only the repository's own people need.
var developer = []string{"dev", "development", "test", "tests", "testing", "doc", "docs", "lint", "linting", "typing", "ci", "bench", "benchmark", "benchmarks", "release", "coverage", "check", "mypy", "build", "tools"}

// ofGroup is the scope of a named group of dependencies.
func ofGroup(name string) scope {
	for _, word := range strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r < 'a' || r > 'z' }) {
		if slices.Contains(developer, word) {
			return forTests
		}
	}
	return forUse
}

// goMod reads a module and what it requires itself. The file does not part tests from the rest.
func (m *manifest) goMod() {
	block := ""
	m.each(func(n int, line string) {
		text, comment, _ := strings.Cut(line, "//")
		words := strings.Fields(text)
		if len(words) == 0 {
			return
		}
		switch {
		case words[0] == ")":
			block = ""
			return
		case len(words) > 1 && words[1] == "(":
			block = words[0]
			return
		case block != "":
			words = append([]string{block}, words...)
		}
		if len(words) < 2 {
			return
		}
		name := strings.Trim(words[1], "\"`")
		switch words[0] {
		case "module":
			m.named(golang, name)
		case "require":
			if !strings.Contains(comment, "indirect") {
				m.need(golang, name, unsaid, n)
			}
		}
	})
}

var (
	gemName = lazy(`\.name\s*=\s*["']([^"'\n]+)["']`)
	gemDep  = lazy(`\.add_(runtime_|development_)?dependency[ \t(]+["']([^"'\n]+)["']`)
	gemLine = lazy(`^(\s*)gem[ \t(]+["']([^"'\n]+)["'](.*)`)
	gemOf   = lazy(`^(\s*)group[ \t(]+(.*?)\bdo\b`)
	isDev   = lazy(`:(test|development|doc|docs|lint)\b|["'](test|development)["']`)
)

func (m *manifest) gemspec() {
	if found := gemName().FindStringSubmatch(m.text); found != nil {
		m.named(gems, found[1])
	}
	m.matches(gemDep(), func(line int, g []string) {
		use := forUse
		if g[1] == "development_" {
			use = forTests
		}
		m.need(gems, g[2], use, line)
	})
}

// gemfile reads the gems of an application. Beside a gemspec they are those of its developers.
func (m *manifest) gemfile() {
	indent := "" // of the group of developers that is open
	inside := false
	m.each(func(n int, line string) {
		if g := gemOf().FindStringSubmatch(line); g != nil && isDev().MatchString(g[2]) {
			indent, inside = g[1], true
			return
		}
		if inside && strings.TrimRight(line, " \t") == indent+"end" {
			inside = false
		}
		if g := gemLine().FindStringSubmatch(line); g != nil {
			use := forUse
			if m.published || inside || strings.Contains(g[3], "group") && isDev().MatchString(g[3]) {
				use = forTests
			}
			m.need(gems, g[2], use, n)
		}
	})
}

var (
	mixApp = lazy(`\bapp:\s*:(\w+)`)
	mixDep = lazy(`\{\s*:([a-z]\w*)\s*,\s*((?:"|~|\[?\s*(?:git|github|path|hex|only|override|in_umbrella|runtime|optional):|[a-z]\w*\()[^}]*)\}`)
	mixDev = lazy(`\bonly:\s*(\[[^\]]*\]|:\w+)`)
)

func (m *manifest) mix() {
	if found := mixApp().FindStringSubmatch(m.text); found != nil {
		m.named(hex, found[1])
	}
	m.matches(mixDep(), func(line int, g []string) {
		use := forUse
		if only := mixDev().FindString(g[2]); only != "" && !strings.Contains(only, ":prod") {
			use = forTests
		}
		m.need(hex, g[1], use, line)
	})
}

// pubspec reads a package of Dart: its dependencies are the keys one level below their section.
func (m *manifest) pubspec() {
	section, indent := "", -1
	m.each(func(n int, line string) {
		body := strings.TrimLeft(line, " ")
		key, value, ok := strings.Cut(body, ":")
		if !ok || body[0] == '#' {
			return
		}
		switch depth := len(line) - len(body); {
		case depth == 0:
			section, indent = key, -1
			if key == "name" {
				m.named(pub, strings.Trim(value, " \"'"))
			}
		case indent < 0 || depth == indent:
			indent = depth
			switch section {
			case "dependencies":
				m.need(pub, key, forUse, n)
			case "dev_dependencies":
				m.need(pub, key, forTests, n)
			}
		}
	})
}
