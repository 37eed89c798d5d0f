package manifest

import (
	"strings"

	"patina/internal/lazyregexp"
)

// A Mix is the content of a mix.exs.
type Mix struct {
	App   string
	Needs []Need
}

var (
	mixApp = lazyregexp.New(`\bapp:\s*:(\w+)`)
	mixDep = lazyregexp.New(`\{\s*:([a-z]\w*)\s*,\s*((?:"|~|\[?\s*(?:git|github|path|hex|only|override|in_umbrella|` +
		`runtime|optional):|[a-z]\w*\()[^}]*)\}`)
	mixDev = lazyregexp.New(`\bonly:\s*(\[[^\]]*\]|:\w+)`)
)

// ReadMix reads a mix.exs.
func ReadMix(text string) (m Mix) {
	m.App = matchFirst(mixApp(), text)
	eachMatch(mixDep(), text, func(line int, groups []string) {
		scope := ForUse
		if only := mixDev().FindString(groups[2]); only != "" && !strings.Contains(only, ":prod") {
			scope = ForTests
		}
		m.Needs = append(m.Needs, Need{groups[1], scope, line})
	})
	return m
}
