package manifest

import (
	"strings"

	"patina/internal/lazyregexp"
)

// A Gemspec is the content of a .gemspec.
type Gemspec struct {
	Name  string // "" if it is computed
	Needs []Need
}

var (
	gemName = lazyregexp.New(`\.name\s*=\s*["']([^"'\n]+)["']`)
	gemDep  = lazyregexp.New(`\.add_(runtime_|development_)?dependency[ \t(]+["']([^"'\n]+)["']`)
	gemLine = lazyregexp.New(`^(\s*)gem[ \t(]+["']([^"'\n]+)["'](.*)`)
	gemOf   = lazyregexp.New(`^(\s*)group[ \t(]+(.*?)\bdo\b`)
	isDev   = lazyregexp.New(`:(test|development|doc|docs|lint)\b|["'](test|development)["']`)
)

// ReadGemspec reads a .gemspec.
func ReadGemspec(text string) (g Gemspec) {
	g.Name = matchFirst(gemName(), text)
	eachMatch(gemDep(), text, func(line int, groups []string) {
		scope := ForUse
		if groups[1] == "development_" {
			scope = ForTests
		}
		g.Needs = append(g.Needs, Need{groups[2], scope, line})
	})
	return g
}

// ReadGemfile returns the gems of a Gemfile.
func ReadGemfile(text string) (needs []Need) {
	indent := "" // of the open group for developers
	inside := false
	eachLine(text, func(n int, line string) {
		if g := gemOf().FindStringSubmatch(line); g != nil && isDev().MatchString(g[2]) {
			indent, inside = g[1], true
			return
		}
		if inside && strings.TrimRight(line, " \t") == indent+"end" {
			inside = false
		}
		if g := gemLine().FindStringSubmatch(line); g != nil {
			scope := ForUse
			if inside || strings.Contains(g[3], "group") && isDev().MatchString(g[3]) {
				scope = ForTests
			}
			needs = append(needs, Need{g[2], scope, n})
		}
	})
	return needs
}
