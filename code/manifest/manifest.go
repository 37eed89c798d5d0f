// Package manifest reads the files in which projects declare their name and their dependencies.
//
// It is the only reader of each kind of manifest. It reads one text and knows neither other files
// nor an index. Reading stops at the first mistake, and the values before it are kept. No build is
// run, so computed names are unknown.
//
// toml.go, json.go, xml.go and ini.go read formats that several kinds share. The other files read
// one ecosystem each: golang.go, cargo.go, npm.go, tsconfig.go, python.go, maven.go (with Gradle),
// dotnet.go, php.go, ruby.go, hex.go, pub.go and swift.go.
package manifest

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"patina/internal/lazyregexp"
)

// A Scope is the purpose for which a dependency is declared.
type Scope int

// Values for Scope.
const (
	Unsaid   Scope = iota // the manifest does not say
	ForUse                // also for building
	ForTests              // and for development
)

// A Need is a dependency that a manifest declares.
type Need struct {
	Name  string
	Scope Scope
	Line  int // from 1
}

// A Quote is a text in a manifest.
type Quote struct {
	Text string
	Line int // from 1
}

// maxDepth bounds the nesting of values.
const maxDepth = 50

// Name returns the name of a manifest's package, or "" if it has no literal name. base must be the
// name of the file without folders.
func Name(base, text string) string {
	switch {
	case base == "go.mod":
		return ReadGoMod(text).Module
	case base == "Cargo.toml":
		return cargoName(text)
	case base == "pyproject.toml":
		return pyprojectName(text)
	case base == "setup.cfg":
		return ReadSetupCfg(text).Name
	case base == "setup.py":
		return matchFirst(setupName(), text)
	case base == "pom.xml":
		return ReadPom(text).Artifact
	case base == "package.json" || base == "composer.json":
		return jsonName(text)
	case base == "CMakeLists.txt":
		return matchFirst(cmakeProject(), text)
	case path.Ext(base) == ".gemspec":
		return ReadGemspec(text).Name
	case path.Ext(base) == ".csproj":
		return ReadProject(base, text).packageName()
	}
	return ""
}

// Description returns the description of a package. It is empty if the manifest has no description
// or one of several lines.
func Description(base, text string) (q Quote) {
	switch base {
	case "package.json", "composer.json":
		q = jsonDescription(text)
	case "Cargo.toml":
		q = tomlDescription(text, "package", "workspace.package")
	case "pyproject.toml":
		q = tomlDescription(text, "project", "tool.poetry")
	}
	if strings.Contains(q.Text, "\n") {
		return Quote{}
	}
	return q
}

// cmakeProject matches the first project of a CMakeLists.txt.
var cmakeProject = lazyregexp.New(`(?mi)^[ \t]*project\s*\(\s*"?([^\s")]+)`)

// developerWords occur in names of dependency groups that only the project's developers need.
var developerWords = strings.Fields("dev development test tests testing doc docs lint linting typing ci bench " +
	"benchmark " +
	"benchmarks release coverage check mypy build tools")

// ScopeOfGroup returns the scope of a named dependency group.
func ScopeOfGroup(name string) Scope {
	for _, word := range strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r < 'a' || r > 'z' }) {
		if slices.Contains(developerWords, word) {
			return ForTests
		}
	}
	return ForUse
}

// eachLine calls f with each line, without its end, and its number from 1.
func eachLine(text string, f func(n int, line string)) {
	n := 0
	for line := range strings.Lines(text) {
		n++
		f(n, strings.TrimRight(line, "\r\n"))
	}
}

// eachMatch calls f with each match of an expression, and the line of its first group if it has
// one.
func eachMatch(re *regexp.Regexp, text string, f func(line int, groups []string)) {
	line, at := 1, 0
	for _, x := range re.FindAllStringSubmatchIndex(text, -1) {
		groups := make([]string, len(x)/2)
		for i := range groups {
			if x[2*i] >= 0 {
				groups[i] = text[x[2*i]:x[2*i+1]]
			}
		}
		start := x[0]
		if len(x) > 2 && x[2] >= 0 {
			start = x[2] // the match may begin with empty lines
		}
		line += strings.Count(text[at:start], "\n")
		at = start
		f(line, groups)
	}
}

// matchFirst returns the first group of the first match, or "". re must have a group.
func matchFirst(re *regexp.Regexp, text string) string {
	if m := re.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}
