// Package manifest reads the files by which projects name themselves and say what they need.
//
// It is the only reader of each kind: whoever asks what a go.mod or a package.json says asks here.
// It looks at one text, and knows neither the files around it nor an index. What cannot be read is
// left out, and costs nothing that stands before it. No build is run: a name that a build computes
// is not known.
//
// toml.go, json.go, xml.go and ini.go read forms that several kinds share. The other files read one
// ecosystem each: golang.go, cargo.go, npm.go, tsconfig.go, python.go, maven.go (with Gradle),
// dotnet.go, php.go, ruby.go, hex.go, pub.go and swift.go.
package manifest

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"patina/internal/lazyregexp"
)

// A Scope says what a dependency is declared for.
type Scope int

// Values for Scope.
const (
	Unsaid   Scope = iota // the manifest does not tell
	ForUse                // also for building
	ForTests              // and for development
)

// A Need is a dependency that a manifest declares.
type Need struct {
	Name  string
	Scope Scope
	Line  int // from 1
}

// A Quote is a text of a manifest.
type Quote struct {
	Text string
	Line int // from 1
}

// maxDepth bounds how deep values lie in one another.
const maxDepth = 50

// Name returns the name that a manifest gives to its package, or "". base is the name of the file
// without folders.
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

// Description returns what a manifest says its package is for, in one line. It has no text where
// none is given.
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

// cmakeProject finds the first project of a CMakeLists.txt.
var cmakeProject = lazyregexp.New(`(?mi)^[ \t]*project\s*\(\s*"?([^\s")]+)`)

// developerWords are words for groups of dependencies that only a project's own people need.
var developerWords = strings.Fields("dev development test tests testing doc docs lint linting typing ci bench benchmark " +
	"benchmarks release coverage check mypy build tools")

// ScopeOfGroup returns the scope of a named group of dependencies.
func ScopeOfGroup(name string) Scope {
	for _, word := range strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r < 'a' || r > 'z' }) {
		if slices.Contains(developerWords, word) {
			return ForTests
		}
	}
	return ForUse
}

// eachLine calls f with every line and its number, without the end of line.
func eachLine(text string, f func(n int, line string)) {
	n := 0
	for line := range strings.Lines(text) {
		n++
		f(n, strings.TrimRight(line, "\r\n"))
	}
}

// eachMatch calls f with every match of an expression, and the line of its first group.
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

// matchFirst returns the first group of the first match, or "".
func matchFirst(re *regexp.Regexp, text string) string {
	if m := re.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}
