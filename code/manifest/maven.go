package manifest

import (
	"regexp"
	"slices"
	"strings"

	"patina/internal/lazyregexp"
)

// A Pom is the content of a pom.xml. Names of needs are "group:artifact".
type Pom struct {
	Group, Artifact string
	Needs           []Need
}

// ReadPom reads a pom.xml. It leaves out dependencies that are only managed, and those of plugins.
func ReadPom(text string) (p Pom) {
	var deps []element
	above := ""
	eachElement(text, func(e element) {
		switch {
		case len(e.path) == 2 && e.path[1] == "artifactId" && p.Artifact == "":
			p.Artifact = e.text
		case len(e.path) == 2 && e.path[1] == "groupId" && p.Group == "":
			p.Group = e.text
		case len(e.path) == 2 && e.path[1] == "parent":
			above = e.children["groupId"]
		case e.name() == "dependency" && !slices.ContainsFunc(e.path, func(s string) bool {
			return s == "dependencyManagement" || s == "build" || s == "reporting"
		}):
			deps = append(deps, e)
		}
	})
	if p.Group == "" {
		p.Group = above
	}
	own := strings.NewReplacer("${project.groupId}", p.Group, "${pom.groupId}", p.Group, "${groupId}", p.Group)
	for _, d := range deps {
		scope := ForUse
		if d.children["scope"] == "test" {
			scope = ForTests
		}
		name := own.Replace(d.children["groupId"]) + ":" + d.children["artifactId"]
		p.Needs = append(p.Needs, Need{name, scope, d.line})
	}
	return p
}

// A Gradle is the content of one Gradle file. Names of needs are "group:artifact".
type Gradle struct {
	Groups    []string // of the published artifacts
	Artifacts []string // without their groups
	Needs     []Need
}

var (
	gradleDep = lazyregexp.New(`^\s*["']?(\w*(?:[iI]mplementation|[aA]pi|[cC]ompileOnly|[rR]untimeOnly|[cC]ompile|` +
		`[pP]rovided|[rR]untime|kapt|ksp|[aA]nnotationProcessor|shadow))["']?[ \t(]+(.*)`)
	gradleGA  = lazyregexp.New(`["']([\w.-]+):([\w.-]+)(?::[^"']*)?["']`)
	gradleLib = lazyregexp.New(`\blibs\.([\w.]+)`)
	gradleMap = lazyregexp.New(`group\s*[:=]\s*["']([\w.-]+)["']\s*,\s*name\s*[:=]\s*["']([\w.-]+)["']`)
	gradleOf  = lazyregexp.New(`(?m)^\s*(?:project\.)?group\s*=?\s*["']([\w.-]+)["']`)
	gradleArt = lazyregexp.New(`\bartifactId\s*[=(]?\s*["']([\w.-]+)["']`)
	rootName  = lazyregexp.New(`rootProject\.name\s*=\s*["']([^"'\n]+)["']`)
	property  = lazyregexp.New(`(?m)^[ \t]*(GROUP|POM_ARTIFACT_ID|group)[ \t]*=[ \t]*(\S+)`)
	isTest    = lazyregexp.New(`\b[tT]est|[a-z]Test|TEST`)
)

// ReadGradle reads a build file line by line. Dependencies in a block for tests have the scope
// ForTests. catalog maps aliases to packages and may be nil. An alias without a package gives a
// need without a name.
func ReadGradle(text string, catalog map[string]string) (g Gradle) {
	var blocks []bool // the open blocks; true for tests
	eachLine(text, func(n int, line string) {
		if d := gradleDep().FindStringSubmatch(line); d != nil {
			scope := ForUse
			if isTest().MatchString(d[1]) || slices.Contains(blocks, true) {
				scope = ForTests
			}
			for _, re := range []*regexp.Regexp{gradleGA(), gradleMap()} {
				if m := re.FindStringSubmatch(d[2]); m != nil {
					g.Needs = append(g.Needs, Need{m[1] + ":" + m[2], scope, n})
				}
			}
			if m := gradleLib().FindStringSubmatch(d[2]); m != nil {
				g.Needs = append(g.Needs, Need{catalog[m[1]], scope, n})
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
	for _, m := range gradleOf().FindAllStringSubmatch(text, -1) {
		g.Groups = append(g.Groups, m[1])
	}
	for _, m := range gradleArt().FindAllStringSubmatch(text, -1) {
		g.Artifacts = append(g.Artifacts, m[1])
	}
	return g
}

// ReadGradleSettings reads a settings.gradle.
func ReadGradleSettings(text string) (g Gradle) {
	if name := matchFirst(rootName(), text); name != "" {
		g.Artifacts = []string{name}
	}
	return g
}

// ReadGradleProperties reads a gradle.properties.
func ReadGradleProperties(text string) (g Gradle) {
	for _, m := range property().FindAllStringSubmatch(text, -1) {
		if m[1] == "POM_ARTIFACT_ID" {
			g.Artifacts = append(g.Artifacts, m[2])
		} else {
			g.Groups = append(g.Groups, m[2])
		}
	}
	return g
}

// GradleCatalog is the path of the file that defines aliases of packages.
const GradleCatalog = "gradle/libs.versions.toml"

var aliasParts = lazyregexp.New(`[-_.]+`)

// ReadGradleCatalog adds the aliases of a catalog, as build files spell them, and their packages.
// catalog must not be nil.
func ReadGradleCatalog(text string, catalog map[string]string) {
	group := map[string]string{}
	eachTOML(text, func(t tomlText) bool {
		if len(t.keys) < 2 || t.keys[0] != "libraries" {
			return true
		}
		alias := aliasParts().ReplaceAllString(t.keys[1], ".")
		switch {
		case len(t.keys) == 2 || len(t.keys) == 3 && t.keys[2] == "module":
			if parts := strings.Split(t.value, ":"); len(parts) > 1 {
				catalog[alias] = parts[0] + ":" + parts[1]
			}
		case t.keys[2] == "group":
			group[alias] = t.value
		case t.keys[2] == "name":
			catalog[alias] = group[alias] + ":" + t.value
		}
		return true
	})
}
