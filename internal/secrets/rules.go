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
	Path        string // expression; other files are skipped
	SecretGroup int    // 0: the first that is not empty
	Entropy     float64
	Keywords    []string // lower case; a text without any is skipped
	Allowlists  []*allowlist

	expression, onlyIn func() *regexp.Regexp
	probe              func() *probe
}

// An allowlist names texts that are no secrets. One criterion is enough; with the condition AND,
// all are needed.
type allowlist struct {
	Condition   string
	Paths       []string
	RegexTarget string // "match", "line", or "" for the secret
	Regexes     []string
	StopWords   []string

	paths, regexes func() *regexp.Regexp
}

// narrower gives a rule further exceptions. If a text contains the word Sourcegraph, any 40
// hexadecimal digits would be a token, but they are commit names.
var narrower = map[string]string{"sourcegraph-access-token": `^[0-9a-fA-F]{40}$`}

// A set is all rules, with the allowlist for all of them.
type set struct {
	allow    allowlist
	rules    []rule
	keywords *keywordFinder
}

// loaded reads the rules, once.
var loaded = sync.OnceValue(func() *set {
	s, err := parseRules(config.DefaultConfig)
	if err != nil {
		panic(err) // the file is built in, and tested
	}
	return s
})

// parseRules reads rules as gitleaks writes them. It compiles no expression.
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
		if r.Regex == "" { // a rule for paths alone: gitleaks reads no such file
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

// joinAlternatives joins expressions as gitleaks does: a flag in one of them also holds for later
// ones.
func joinAlternatives(expressions []string) string {
	return "(?:" + strings.Join(expressions, "|") + ")"
}
