// Package secrets finds tokens, passwords and keys in text, by the rules of gitleaks.
//
// The rules are those that gitleaks ships, as its package config holds them: an expression for each
// kind of secret, words without which it is not tried, the least entropy of what it may find, and
// lists of what is no secret though it looks like one. They are applied as gitleaks applies them to
// a text that it does not decode first: on 2,607 secrets made from the rules, and on the 621
// findings in the Go standard library, Terraform, kind, Ansible and some hundred Go modules, the
// two agree to the line, but for one rule that is narrower here (rules.go). Nothing is compiled
// before the first call.
//
// It finds what follows a pattern. A password in a sentence, and a token that was encoded, it does
// not find.
package secrets

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Finding is a secret in a text. It does not hold the secret.
type Finding struct {
	Rule   string // the name that gitleaks gives it: "github-pat"
	About  string // what was found, in a sentence
	Line   int    // on which it begins, from 1
	Hint   string // its first characters, four at most
	Length int    // in characters
}

// Find returns the secrets in a text, by line. Some rules and exceptions depend on the path of the
// file, relative and with slashes; without a path, "", they do not apply. It may be called from
// several goroutines at once.
func Find(path, text string) []Finding {
	s := loaded()
	if path != "" && s.allow.path(path) {
		return nil
	}
	var found []candidate
	for i, keywords := range s.words.find(text, len(s.rules)) {
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

// A candidate is what an expression has found, with the secret.
type candidate struct {
	rule   *rule
	match  string // of the whole expression
	secret string // the part of it that is one
	lines  string // on which the match stands, whole
	line   int    // on which the match begins, from 1
}

// finding is what may be said of a candidate.
func (c candidate) finding() Finding {
	before := c.match[:max(0, strings.Index(c.match, c.secret))]
	n := utf8.RuneCountInString(c.secret)
	return Finding{Rule: c.rule.ID, About: c.rule.Description, Line: c.line + strings.Count(before, "\n"), Hint: start(c.secret, min(4, n/4)), Length: n}
}

// start is the first n characters of s.
func start(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// withoutGeneric drops what a rule for anything that looks like a secret has found where a rule of
// its own has found it too.
func withoutGeneric(found []candidate) []candidate {
	generic := func(c candidate) bool { return strings.Contains(c.rule.ID, "generic") }
	return slices.DeleteFunc(slices.Clone(found), func(c candidate) bool {
		return generic(c) && slices.ContainsFunc(found, func(other candidate) bool {
			return !generic(other) && other.line == c.line && strings.Contains(other.secret, c.secret)
		})
	})
}
