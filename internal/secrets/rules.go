package secrets

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
	"github.com/zricethezav/gitleaks/v8/config"

	"patina/internal/lazyregexp"
)

// A rule finds one kind of secret.
type rule struct {
	ID          string
	Description string
	Regex       string
	Path        string // expression for paths; other files are skipped; may be empty
	SecretGroup int    // 0 means the first group that is not empty
	Entropy     float64
	Keywords    []string // in lower case; a text without any keyword is skipped
	Allowlists  []*allowlist

	expression, onlyIn func() *regexp.Regexp
	probe              func() *probe
}

// An allowlist describes texts that are not secrets. One criterion is enough, unless Condition is
// AND, in which case all must hold.
type allowlist struct {
	Condition   string
	Paths       []string
	RegexTarget string // "match", "line", or "" for the secret
	Regexes     []string
	StopWords   []string

	paths, regexes func() *regexp.Regexp
}

// narrower holds further exceptions of rules. In a text with the word Sourcegraph any 40
// hexadecimal digits would be a token, but they are names of commits.
var narrower = map[string]string{"sourcegraph-access-token": `^[0-9a-fA-F]{40}$`}

// A set holds all rules, and the allowlist that applies to all of them.
type set struct {
	allow    allowlist
	rules    []rule
	keywords *keywordFinder
}

// loaded returns the rules, which it reads once.
var loaded = sync.OnceValue(func() *set {
	s, err := parseRules(config.DefaultConfig)
	if err != nil {
		panic(err) // cannot happen, because the file is built in and tested
	}
	return s
})

// parseRules reads rules in the format of gitleaks. It compiles no expression.
func parseRules(text string) (*set, error) {
	var file struct {
		Allowlist allowlist
		Rules     []rule
	}
	if err := toml.Unmarshal([]byte(text), &file); err != nil {
		return nil, fmt.Errorf("read rules: %w", err)
	}
	s := &set{allow: file.Allowlist}
	s.allow.compileAll()
	for _, r := range file.Rules {
		if r.Regex == "" { // a rule for paths only: gitleaks does not read such a file
			continue
		}
		if more := narrower[r.ID]; more != "" {
			r.Allowlists = append(r.Allowlists, &allowlist{Regexes: []string{more}})
		}
		for _, a := range r.Allowlists {
			a.compileAll()
		}
		r.expression, r.onlyIn = lazyregexp.New(r.Regex), lazyregexp.New(r.Path)
		r.probe = sync.OnceValue(func() *probe { return newProbe(r.Regex, r.Keywords) })
		s.rules = append(s.rules, r)
	}
	s.keywords = newKeywordFinder(s.rules)
	return s, nil
}

func (a *allowlist) compileAll() {
	a.paths, a.regexes = lazyregexp.New(joinAlternatives(a.Paths)), lazyregexp.New(joinAlternatives(a.Regexes))
	for i, w := range a.StopWords {
		a.StopWords[i] = strings.ToLower(w)
	}
}

// joinAlternatives joins expressions like gitleaks does, so a flag in one of them also holds for
// later ones.
func joinAlternatives(expressions []string) string {
	return "(?:" + strings.Join(expressions, "|") + ")"
}
