package suggest

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// A tomlEntry is a scalar of TOML, or one in a list.
type tomlEntry struct {
	key   []string // with those of its tables
	value string
	line  int
}

// tomlTexts lists the scalars of a text, up to the first mistake.
func tomlTexts(text string) (all []tomlEntry) {
	var p unstable.Parser
	b := []byte(text)
	p.Reset(b)
	line, at := 1, 0
	lineOf := func(n *unstable.Node) int {
		to := int(n.Raw.Offset)
		if to < at || to > len(b) {
			return line
		}
		line += strings.Count(text[at:to], "\n")
		at = to
		return line
	}
	var put func(key []string, v *unstable.Node, line, depth int)
	put = func(key []string, v *unstable.Node, line, depth int) {
		if depth > maxDepth {
			return
		}
		switch v.Kind {
		case unstable.InlineTable:
			for it := v.Children(); it.Next(); {
				put(join(key, it.Node()), it.Node().Value(), line, depth+1)
			}
		case unstable.Array:
			for it := v.Children(); it.Next(); {
				at := line
				if it.Node().Kind == unstable.String {
					at = lineOf(it.Node())
				}
				put(key, it.Node(), at, depth+1)
			}
		default:
			all = append(all, tomlEntry{key, string(v.Data), line})
		}
	}
	var table []string
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = join(nil, e)
		case unstable.KeyValue:
			line := line
			if it := e.Key(); it.Next() {
				line = lineOf(it.Node())
			}
			put(join(table, e), e.Value(), line, 0)
		}
	}
	return all
}

// join adds the parts of a key.
func join(table []string, e *unstable.Node) []string {
	key := slices.Clone(table)
	for it := e.Key(); it.Next() && len(key) < maxDepth; {
		key = append(key, string(it.Node().Data))
	}
	return key
}

// cargoScopes are the tables of Cargo that list dependencies. A build script's are needed to use
// the crate.
var cargoScopes = map[string]scope{"dependencies": forUse, "build-dependencies": forUse, "dev-dependencies": forTests}

func (m *manifest) cargo() {
	name, hidden := "", false
	var deps []need
	real := map[string]string{} // table and key → the crate that it names otherwise
	for _, e := range tomlTexts(m.text) {
		k := e.key
		switch {
		case len(k) == 2 && k[0] == "package" && k[1] == "name":
			name = e.value
			continue
		case len(k) == 2 && k[0] == "package" && k[1] == "publish":
			hidden = e.value == "false"
			continue
		case len(k) == 2 && k[0] == "lib" && k[1] == "name":
			if !m.aside {
				m.module(cargo, e.value, m.path)
			}
			continue
		}
		if len(k) > 3 && k[0] == "target" {
			k = k[2:]
		}
		use, ok := cargoScopes[k[0]]
		if !ok || len(k) < 2 {
			continue
		}
		if len(k) == 3 && k[2] == "package" {
			real[k[0]+" "+k[1]] = e.value
		}
		if n := len(deps); n == 0 || deps[n-1].name != k[1] || deps[n-1].path != k[0] {
			deps = append(deps, need{name: k[1], path: k[0], scope: use, line: e.line})
		}
	}
	if !hidden {
		m.named(cargo, name)
	}
	for _, d := range deps {
		crate := d.name
		if other := real[d.path+" "+d.name]; other != "" {
			crate = other
			m.renamed[cargo+" "+strings.ReplaceAll(d.name, "-", "_")] = strings.ReplaceAll(other, "-", "_")
		}
		m.need(cargo, crate, d.scope, d.line)
	}
}

// requirement finds the name that a requirement of Python begins with (PEP 508).
var requirement = lazy(`^\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:$|[\[<>=!~;@(, #])`)

// requires adds a requirement of Python.
func (m *manifest) requires(text string, use scope, line int) {
	if found := requirement().FindStringSubmatch(text); found != nil {
		m.need(pypi, found[1], use, line)
	}
}

func (m *manifest) pyproject() {
	for _, e := range tomlTexts(m.text) {
		k := strings.Join(e.key, ".")
		is := func(prefix string) (rest string, ok bool) { return strings.CutPrefix(k, prefix) }
		switch {
		case k == "project.name" || k == "tool.poetry.name":
			m.named(pypi, e.value)
		case k == "project.dependencies":
			m.requires(e.value, forUse, e.line)
		case k == "build-system.requires" || k == "tool.uv.dev-dependencies":
			m.requires(e.value, forTests, e.line)
		default:
			if group, ok := is("project.optional-dependencies."); ok {
				m.requires(e.value, ofGroup(group), e.line)
			} else if _, ok := is("dependency-groups."); ok && !strings.HasSuffix(k, ".include-group") {
				m.requires(e.value, forTests, e.line)
			} else if _, ok := is("tool.pdm.dev-dependencies."); ok {
				m.requires(e.value, forTests, e.line)
			} else if strings.HasPrefix(k, "tool.hatch.envs.") && strings.HasSuffix(k, "ependencies") {
				m.requires(e.value, forTests, e.line)
			} else if len(e.key) >= 4 && strings.HasPrefix(k, "tool.poetry.") {
				m.poetry(e)
			}
		}
	}
}

// poetry reads tool.poetry.dependencies.NAME, tool.poetry.dev-dependencies.NAME and
// tool.poetry.group.GROUP.dependencies.NAME.
func (m *manifest) poetry(e tomlEntry) {
	k := e.key[2:]
	use := forTests
	switch {
	case k[0] == "dependencies":
		use, k = forUse, k[1:]
	case k[0] == "dev-dependencies":
		k = k[1:]
	case len(k) >= 4 && k[0] == "group" && k[2] == "dependencies":
		k = k[3:]
	default:
		return
	}
	if len(k) > 1 && k[1] != "version" && k[1] != "git" && k[1] != "path" || k[0] == "python" {
		return // one line for each is enough
	}
	m.need(pypi, k[0], use, e.line)
}

func (m *manifest) pipfile() {
	for _, e := range tomlTexts(m.text) {
		if len(e.key) < 2 || len(e.key) > 2 && e.key[2] != "version" {
			continue
		}
		switch e.key[0] {
		case "packages":
			m.need(pypi, e.key[1], forUse, e.line)
		case "dev-packages":
			m.need(pypi, e.key[1], forTests, e.line)
		}
	}
}

// setupCfg reads name and requirements: lists are indented, one a line.
func (m *manifest) setupCfg() {
	section, key := "", ""
	m.each(func(n int, line string) {
		value := strings.TrimSpace(line)
		switch {
		case value == "" || value[0] == '#' || value[0] == ';':
			return
		case value[0] == '[':
			section, key = strings.Trim(value, "[] "), ""
			return
		case line[0] != ' ' && line[0] != '\t':
			key, value, _ = strings.Cut(line, "=")
			key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		}
		switch {
		case value == "":
		case section == "metadata" && key == "name":
			m.named(pypi, value)
		case section == "options" && key == "install_requires":
			m.requires(value, forUse, n)
		case section == "options" && (key == "tests_require" || key == "setup_requires"):
			m.requires(value, forTests, n)
		case section == "options.extras_require":
			m.requires(value, ofGroup(key), n)
		}
	})
}

var (
	setupName = lazy(`\bname\s*=\s*["']([^"'\n]+)["']\s*[,)\n]`)
	setupList = lazy(`(?i)\b(install_requires|setup_requires|tests_require|requires|requirements|dependencies)\s*=\s*\[`)
	quoted    = lazy(`["']([^"'\n]+)["']`)
)

// setupPy reads lists of texts. Those that are computed are not known.
func (m *manifest) setupPy() {
	if found := setupName().FindStringSubmatch(m.text); found != nil {
		m.named(pypi, found[1])
	}
	for _, at := range setupList().FindAllStringSubmatchIndex(m.text, -1) {
		list, _, ok := strings.Cut(m.text[at[1]:], "]\n")
		if !ok {
			list, _, _ = strings.Cut(m.text[at[1]:], "]")
		}
		use := forUse
		if name := strings.ToLower(m.text[at[2]:at[3]]); name == "setup_requires" || name == "tests_require" {
			use = forTests
		}
		line := 1 + strings.Count(m.text[:at[1]], "\n")
		for _, q := range quoted().FindAllStringSubmatchIndex(list, -1) {
			m.requires(list[q[2]:q[3]], use, line+strings.Count(list[:q[2]], "\n"))
		}
	}
}

// requirements reads a list of pip. Beside a manifest that publishes, it is one for developers.
func (m *manifest) requirements() {
	use := ofGroup(strings.TrimSuffix(path.Base(m.path), path.Ext(m.path)))
	if m.published || within(m.path, aside) || publishedAbove(m) {
		use = forTests
	}
	m.each(func(n int, line string) { m.requires(line, use, n) })
}

// publishedAbove reports whether a list lies in the folder requirements of a package that is
// published.
func publishedAbove(m *manifest) bool {
	return path.Base(path.Dir(m.path)) == "requirements" && m.above
}

// gradleCatalog reads the names of packages that the builds of a repository share.
func gradleCatalog(files []File) map[string]string {
	catalog := map[string]string{}
	for _, x := range files {
		if x.Path != catalogFile && !strings.HasSuffix(x.Path, "/"+catalogFile) {
			continue
		}
		group := map[string]string{}
		for _, e := range tomlTexts(x.Text) {
			if len(e.key) < 2 || e.key[0] != "libraries" {
				continue
			}
			alias := separators.ReplaceAllString(e.key[1], ".")
			switch {
			case len(e.key) == 2 || len(e.key) == 3 && e.key[2] == "module":
				if parts := strings.Split(e.value, ":"); len(parts) > 1 {
					catalog[alias] = parts[0] + ":" + parts[1]
				}
			case e.key[2] == "group":
				group[alias] = e.value
			case e.key[2] == "name":
				catalog[alias] = group[alias] + ":" + e.value
			}
		}
	}
	return catalog
}

var (
	gradleDep = lazy(`^\s*["']?(\w*(?:[iI]mplementation|[aA]pi|[cC]ompileOnly|[rR]untimeOnly|[cC]ompile|[pP]rovided|[rR]untime|kapt|ksp|[aA]nnotationProcessor|shadow))["']?[ \t(]+(.*)`)
	gradleGA  = lazy(`["']([\w.-]+):([\w.-]+)(?::[^"']*)?["']`)
	gradleLib = lazy(`\blibs\.([\w.]+)`)
	gradleMap = lazy(`group\s*[:=]\s*["']([\w.-]+)["']\s*,\s*name\s*[:=]\s*["']([\w.-]+)["']`)
	gradleOf  = lazy(`(?m)^\s*(?:project\.)?group\s*=?\s*["']([\w.-]+)["']`)
	gradleArt = lazy(`\bartifactId\s*[=(]?\s*["']([\w.-]+)["']`)
	rootName  = lazy(`rootProject\.name\s*=\s*["']([^"'\n]+)["']`)
	property  = lazy(`(?m)^[ \t]*(GROUP|POM_ARTIFACT_ID|group)[ \t]*=[ \t]*(\S+)`)
)

// gradle reads the dependencies of a build by its lines. Those in a block for tests are for tests.
func (m *manifest) gradle() {
	var blocks []bool // those that are open: for tests
	m.each(func(n int, line string) {
		if d := gradleDep().FindStringSubmatch(line); d != nil {
			use := forUse
			if isTest().MatchString(d[1]) || slices.Contains(blocks, true) {
				use = forTests
			}
			for _, re := range []*regexp.Regexp{gradleGA(), gradleMap()} {
				if g := re.FindStringSubmatch(d[2]); g != nil {
					m.need(maven, g[1]+":"+g[2], use, n)
				}
			}
			if g := gradleLib().FindStringSubmatch(d[2]); g != nil {
				m.need(maven, m.catalog[g[1]], use, n)
			}
		}
		for _, r := range line {
			switch {
			case r == '{':
				blocks = append(blocks, isTest().MatchString(line))
			case r == '}' && len(blocks) > 0:
				blocks = blocks[:len(blocks)-1]
			}
		}
	})
	for _, g := range gradleOf().FindAllStringSubmatch(m.text, -1) {
		m.groups = append(m.groups, g[1])
	}
	if m.aside {
		return
	}
	for _, g := range gradleArt().FindAllStringSubmatch(m.text, -1) {
		m.artifacts = append(m.artifacts, provided{maven, g[1], depthOf(m.path)})
	}
	if folder := path.Base(path.Dir(m.path)); folder != "." {
		m.artifacts = append(m.artifacts, provided{maven, folder, depthOf(m.path)})
	}
}

var isTest = lazy(`\b[tT]est|[a-z]Test|TEST`)

func (m *manifest) gradleSettings() {
	if g := rootName().FindStringSubmatch(m.text); g != nil && !m.aside {
		m.artifacts = append(m.artifacts, provided{maven, g[1], depthOf(m.path)})
	}
}

func (m *manifest) gradleProperties() {
	for _, g := range property().FindAllStringSubmatch(m.text, -1) {
		switch {
		case g[1] != "POM_ARTIFACT_ID":
			m.groups = append(m.groups, g[2])
		case !m.aside:
			m.artifacts = append(m.artifacts, provided{maven, g[2], depthOf(m.path)})
		}
	}
}

// gradlePublished adds what the builds of Gradle publish: an artifact in each of their groups, for
// the files do not say which belongs to which.
func (f *facts) gradlePublished() {
	for _, group := range f.groups {
		for _, a := range f.artifacts {
			f.provides = append(f.provides, provided{maven, group + ":" + a.name, a.depth})
		}
	}
}
