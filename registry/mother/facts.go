package mother

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"patina/code/lang"
	"patina/code/manifest"
)

// The ecosystems, as lang.Language spells them. A name means one package within an ecosystem.
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

// An imported is an import and the file that holds it.
type imported struct {
	ecosystem, name, path string
	test                  bool
}

// facts holds everything that a repository says about itself.
type facts struct {
	provides []provided
	modules  []provided // names by which sources can import it
	needs    []need
	imports  []imported
	renamed  map[string]string // ecosystem and name in sources → name of the package

	groups    []string   // of Gradle
	artifacts []provided // of Gradle, without their groups
}

// A provided is a name that a repository provides. If several repositories provide it, the one with
// the lowest depth of its folder counts.
type provided struct {
	ecosystem, name string
	depth           int
}

// aside lists folders whose manifests and imports say nothing about the product of a repository.
var aside = []string{
	"test", "tests", "testing", "spec", "specs", "__tests__", "e2e", "integration", "integration-tests", "example",
	"examples", "sample", "samples",
	"demo", "demos", "doc", "docs", "website", "site", "www", "bench", "benches", "benchmark", "benchmarks", "fuzz",
	"scripts", "tools", "ci", "playground",
	"test_suite", "test-suite", "testsuite",
}

// strange lists folders whose manifests do not belong to the repository.
var strange = []string{
	"vendor", "node_modules", "third_party", "testdata", "fixture", "fixtures", "__fixtures__", "template", "templates",
}

// isWithin reports whether a folder of a path is in a list. Names such as "unit-tests" count as
// "test".
func isWithin(p string, folders []string) bool {
	for _, part := range strings.Split(path.Dir(p), "/") {
		part = strings.ToLower(part)
		if slices.Contains(folders, part) {
			return true
		}
		end := part[strings.LastIndexAny(part, ".-_")+1:]
		if end != part && (end == "tests" || end == "test" || end == "benchmarks" || end == "examples") {
			return slices.Contains(folders, "test")
		}
	}
	return false
}

// readFacts returns the facts of a repository.
func readFacts(r SuggestRepository) facts {
	f := facts{renamed: map[string]string{}}
	for _, ecosystem := range []string{golang, npm, cargo, pypi, gems, packagist, maven, nuget, hex, pub} {
		for _, name := range r.Packages {
			f.provide(ecosystem, name, "")
		}
	}
	published := map[string]bool{} // folders with a manifest that publishes
	for _, x := range r.Files {
		base := path.Base(x.Path)
		if strings.HasSuffix(base, ".gemspec") ||
			base == "pyproject.toml" || base == "setup.py" || base == "setup.cfg" {
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
				facts: &f, path: x.Path, text: x.Text, aside: isWithin(x.Path, aside),
				published: published[path.Dir(x.Path)],
				above:     published[path.Dir(path.Dir(x.Path))], catalog: catalog,
			})
		}
		f.source(x)
	}
	f.gradlePublished()
	return f
}

// provide adds a name under which others depend on the repository. An empty or impossible name is
// ignored.
func (f *facts) provide(ecosystem, name, file string) {
	if name = clean(ecosystem, name); name != "" {
		f.provides = append(f.provides, provided{ecosystem, name, depthOf(file)})
	}
}

// depthOf returns the number of folders in a path.
func depthOf(file string) int { return strings.Count(file, "/") }

// module adds a name by which sources import the repository. An empty name is ignored.
func (f *facts) module(ecosystem, name, file string) {
	if name != "" {
		f.modules = append(f.modules, provided{ecosystem, name, depthOf(file)})
	}
}

var separators = regexp.MustCompile(`[-_.]+`)

// clean returns the name of a package in the form in which its ecosystem compares names. It returns
// "" for a name that cannot be one.
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

// source adds the imports of a file, and the names by which it can be imported.
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
		return !slices.Contains([]string{"crate", "self", "super", "std", "core", "alloc"}, head)
	case gems:
		return !strings.HasPrefix(name, ".")
	}
	return name != ""
}

// ReadsImports reports whether Suggest needs the text of sources in a language, because the index
// does not keep their imports in the form that the registries have.
func ReadsImports(language string) bool { return lang.Named(language).TextImports != nil }

func importsIn(language, text string) (names []string) {
	for _, m := range lang.Named(language).TextImports().FindAllStringSubmatch(text, -1) {
		names = append(names, strings.TrimRight(m[1], "."))
	}
	return names
}
