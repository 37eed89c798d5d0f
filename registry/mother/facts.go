package mother

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"patina/code/lang"
	"patina/code/manifest"
)

// The ecosystems, as lang.Language spells them: inside one a name means one package.
const (
	golang    = "Go"
	npm       = "npm"
	cargo     = "Cargo"
	pypi      = "PyPI"
	gems      = "RubyGems"
	packagist = "Packagist"
	maven     = "Maven"
	nuget     = "NuGet"
	hex       = "Hex"
	pub       = "Pub"
)

// A need is a dependency that a manifest declares.
type need struct {
	manifest.Need
	ecosystem, path string
}

// An imported name and its file.
type imported struct {
	ecosystem, name, path string
	test                  bool
}

// facts are all that a repository says of itself.
type facts struct {
	provides []provided
	modules  []provided // what its sources can be imported by
	needs    []need
	imports  []imported
	renamed  map[string]string // ecosystem and the name in sources → the package's name

	groups    []string   // of Gradle
	artifacts []provided // of Gradle, without their groups
}

// A provided name lies in a folder; the depth of the outermost one tells repositories apart that
// provide the same one.
type provided struct {
	ecosystem, name string
	depth           int
}

// aside are folders whose manifests and imports do not speak for what the repository does.
var aside = []string{
	"test", "tests", "testing", "spec", "specs", "__tests__", "e2e", "integration", "integration-tests", "example", "examples", "sample", "samples",
	"demo", "demos", "doc", "docs", "website", "site", "www", "bench", "benches", "benchmark", "benchmarks", "fuzz", "scripts", "tools", "ci", "playground",
	"test_suite", "test-suite", "testsuite",
}

// strange are folders whose manifests belong to nobody.
var strange = []string{"vendor", "node_modules", "third_party", "testdata", "fixture", "fixtures", "__fixtures__", "template", "templates"}

// isWithin reports whether one of a path's folders is among some.
func isWithin(p string, folders []string) bool {
	for _, part := range strings.Split(path.Dir(p), "/") {
		part = strings.ToLower(part)
		if slices.Contains(folders, part) {
			return true
		}
		if end := part[strings.LastIndexAny(part, ".-_")+1:]; end != part && (end == "tests" || end == "test" || end == "benchmarks" || end == "examples") {
			return slices.Contains(folders, "test")
		}
	}
	return false
}

// readFacts collects the facts of a repository.
func readFacts(r SuggestRepository) facts {
	f := facts{renamed: map[string]string{}}
	for _, ecosystem := range []string{golang, npm, cargo, pypi, gems, packagist, maven, nuget, hex, pub} {
		for _, name := range r.Packages {
			f.provide(ecosystem, name, "")
		}
	}
	published := map[string]bool{} // folders with a manifest that publishes
	for _, x := range r.Files {
		if base := path.Base(x.Path); strings.HasSuffix(base, ".gemspec") || base == "pyproject.toml" || base == "setup.py" || base == "setup.cfg" {
			published[path.Dir(x.Path)] = true
		}
	}
	catalog := gradleCatalog(r.Files)
	for _, x := range r.Files {
		if x.Vendored || isWithin(x.Path, strange) {
			continue
		}
		if enter := enterer(x.Path); enter != nil {
			enter(&declaration{
				facts: &f, path: x.Path, text: x.Text, aside: isWithin(x.Path, aside), published: published[path.Dir(x.Path)],
				above: published[path.Dir(path.Dir(x.Path))], catalog: catalog,
			})
		}
		f.source(x)
	}
	f.gradlePublished()
	return f
}

// provide adds a name under which others depend on the repository.
func (f *facts) provide(ecosystem, name, file string) {
	if name = clean(ecosystem, name); name != "" {
		f.provides = append(f.provides, provided{ecosystem, name, depthOf(file)})
	}
}

// depthOf counts the folders of a path.
func depthOf(file string) int { return strings.Count(file, "/") }

// module adds a name by which sources import the repository.
func (f *facts) module(ecosystem, name, file string) {
	if name != "" {
		f.modules = append(f.modules, provided{ecosystem, name, depthOf(file)})
	}
}

var separators = regexp.MustCompile(`[-_.]+`)

// clean writes a package's name as its ecosystem compares it.
func clean(ecosystem, name string) string {
	name = strings.TrimSpace(name)
	if len(name) > 200 || strings.ContainsAny(name, " \t\n${}") {
		return ""
	}
	switch ecosystem {
	case pypi: // PEP 503
		return separators.ReplaceAllString(strings.ToLower(name), "-")
	case nuget, packagist:
		return strings.ToLower(name)
	case cargo:
		return strings.ReplaceAll(name, "_", "-")
	}
	return name
}

// source adds what a file imports, and what it can be imported by.
func (f *facts) source(x File) {
	ecosystem := lang.Named(x.Language).Ecosystem
	if ecosystem == "" {
		return
	}
	test := x.Test || isWithin(x.Path, aside)
	names := x.Imports
	if ReadsImports(x.Language) {
		names = slices.Concat(names, importsIn(x.Language, x.Text))
	}
	for _, name := range names {
		if !leadsOut(ecosystem, name) {
			continue
		}
		f.imports = append(f.imports, imported{ecosystem, name, x.Path, test})
	}
	if !test {
		f.importable(ecosystem, x)
	}
}

// leadsOut reports whether an import may lead out of its repository.
func leadsOut(ecosystem, name string) bool {
	switch ecosystem {
	case golang:
		host, _, _ := strings.Cut(name, "/")
		return strings.Contains(host, ".")
	case npm, pypi:
		return name != "" && name[0] != '.' && name[0] != '/'
	case cargo:
		head, _, _ := strings.Cut(name, "::")
		return head != "crate" && head != "self" && head != "super" && head != "std" && head != "core" && head != "alloc"
	case gems:
		return !strings.HasPrefix(name, ".")
	}
	return name != ""
}

// ReadsImports reports whether the text of a source in a language is wanted: the index does not
// keep its imports in the form that its registries have.
func ReadsImports(language string) bool { return lang.Named(language).TextImports != nil }

func importsIn(language, text string) (names []string) {
	for _, m := range lang.Named(language).TextImports().FindAllStringSubmatch(text, -1) {
		names = append(names, strings.TrimRight(m[1], "."))
	}
	return names
}
