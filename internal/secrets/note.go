package secrets

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"patina/internal/lazyregexp"
)

// A text that is kept is judged more strictly than a repository's file, because its author is at
// hand and can say that it is not a secret. The rules of gitleaks miss a key in lower case, which
// is the form of a tag, a part of a private key, and a password in an address.
var kept = []struct {
	rule, about string
	expression  func() *regexp.Regexp
}{
	{
		"url-password", "A password in an address.",
		lazyregexp.New(`(?i)\b[a-z][a-z0-9+.-]*://[^\s/?#:@"'<>]*:([^\s/?#"'<>]+)@[^\s@]`),
	},
	{"private-key", "The first line of a private key.", lazyregexp.New(`(?i)-----BEGIN[ A-Z0-9_-]*PRIVATE KEY`)},
	{
		"aws-access-token", "The id of an AWS access key.",
		lazyregexp.New(`(?i)\b((?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16})\b`),
	},
	{"gcp-api-key", "A key of the Google API.", lazyregexp.New(`(?i)\b(AIza[\w-]{35})`)},
}

// FindKept returns the secrets in a text that will be kept: a note, a tag, or a question in a log.
// It finds everything that Find does, and the secrets listed in docs/memory.md.
func FindKept(text string) []Finding {
	out := Find("", text)
	for _, c := range findStrictly(text) {
		out = append(out, c.finding())
	}
	slices.SortStableFunc(out, func(a, b Finding) int { return cmp.Compare(a.Line, b.Line) })
	return out
}

// findStrictly returns the candidates of the stricter rules.
func findStrictly(text string) (out []candidate) {
	for i := range kept {
		k := &kept[i]
		for _, at := range k.expression().FindAllStringSubmatchIndex(text, mostOfOne) {
			from, to := at[0], at[1]
			if len(at) > 2 {
				from, to = at[2], at[3]
			}
			secret := text[from:to]
			if k.rule == "url-password" && isPlaceholder(secret) || k.rule == "aws-access-token" && isWords(secret) {
				continue
			}
			out = append(out, candidate{
				rule: &rule{ID: k.rule, Description: k.about}, match: text[at[0]:at[1]], secret: secret,
				line: 1 + strings.Count(text[:at[0]], "\n"),
			})
		}
	}
	return out
}

// isPlaceholder reports whether a password is a variable or masked: $PASS, {{pass}}, ***. s must
// not be empty.
func isPlaceholder(s string) bool {
	return strings.ContainsRune("$%{[", rune(s[0])) || strings.Trim(s, "*xX.…") == ""
}

// isWords reports whether a key is in lower case without digits: asiapacificsoutheast.
func isWords(s string) bool { return s == strings.ToLower(s) && !strings.ContainsAny(s, "0123456789") }

// Redacted replaces a secret in a text.
const Redacted = "[secret]"

// Redact returns a text with each secret replaced by Redacted.
func Redact(text string) string {
	if !mayHold(text) {
		return text
	}
	return redactAll(text)
}

func redactAll(text string) string {
	found := findAll(text)
	// The longest comes first, because another may be a part of it.
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(len(b.secret), len(a.secret)) })
	for _, c := range found {
		if secret := strings.TrimSpace(c.secret); secret != "" {
			text = strings.ReplaceAll(text, secret, Redacted)
		}
	}
	return text
}

// findAll returns the candidates of all rules, the stricter ones too.
func findAll(text string) []candidate {
	found := findStrictly(text)
	s := loaded()
	for i, keywords := range s.keywords.findKeywords(text, len(s.rules)) {
		if r := &s.rules[i]; len(keywords) > 0 || len(r.Keywords) == 0 {
			found = append(found, s.apply(r, "", text, keywords)...)
		}
	}
	return found
}

// mayHold reports whether a text may hold a secret: a long word, a word with a digit, an address or
// a key. Redact loads the rules only for such a text, because loading takes longer than a look-up.
func mayHold(text string) bool {
	if strings.Contains(text, "://") || strings.Contains(strings.ToLower(text), "private key") {
		return true
	}
	return slices.ContainsFunc(strings.Fields(text), func(word string) bool {
		return len(word) >= shortestSecret && strings.ContainsAny(word, "0123456789") || len(word) >= longestWord
	})
}

const (
	shortestSecret = 10 // bytes of the shortest word that a rule finds
	longestWord    = 30 // bytes from which a word without a digit may be a secret
)
