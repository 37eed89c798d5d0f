package secrets

import (
	"math"
	"strings"
)

// allowed marks a line whose secret must be ignored.
const allowed = "gitleaks:allow"

const (
	mostOfOne = 1000 // findings by one rule in one text; more say nothing new
	longLine  = 2000 // bytes of a line kept before and after a match
	longMatch = 4000 // bytes of a match compared with allowlists
)

// apply applies one rule to a text. keywords must be the positions of the rule's keywords.
func (s *set) apply(r *rule, path, text string, keywords []int) []candidate {
	if path != "" && anyAllows(r.Allowlists, path) || r.Path != "" && !r.onlyIn().MatchString(path) {
		return nil
	}
	var out []candidate
	counted, line := 0, 1
	for _, at := range r.matches(text, keywords) {
		at[0] += len(text[at[0]:at[1]]) - len(strings.TrimLeft(text[at[0]:at[1]], "\n"))
		match := strings.TrimRight(text[at[0]:at[1]], "\n")
		c := candidate{rule: r, match: match}
		line, counted = line+strings.Count(text[counted:at[0]], "\n"), at[0]
		c.line = line
		c.lines = linesAround(text, at[0], at[0]+len(match))
		if strings.Contains(c.lines, allowed) {
			continue
		}
		c.secret = r.secretOf(match)
		if r.Entropy != 0 && shannonEntropy(c.secret) <= r.Entropy {
			continue
		}
		if !c.allowedBy(&s.allow, path) && !c.allowedByAny(path) {
			out = append(out, c)
		}
	}
	return out
}

// secretOf returns the secret within a match: a group of the expression, if it has groups.
func (r *rule) secretOf(match string) string {
	groups := r.expression().FindStringSubmatch(match)
	if r.SecretGroup > 0 && r.SecretGroup < len(groups) {
		return groups[r.SecretGroup]
	}
	for i, g := range groups {
		if i > 0 && g != "" {
			return g
		}
	}
	return match
}

// linesAround returns the lines that hold text[from:to]. They are cut if they are very long.
func linesAround(text string, from, to int) string {
	least, most := max(0, from-longLine), min(len(text), to+longLine)
	begin := least + strings.LastIndexByte(text[least:from], '\n') + 1
	if n := strings.IndexByte(text[to:most], '\n'); n >= 0 {
		return text[begin : to+n]
	}
	return text[begin:most]
}

func (c candidate) allowedByAny(path string) bool {
	for _, a := range c.rule.Allowlists {
		if c.allowedBy(a, path) {
			return true
		}
	}
	return false
}

// allowedBy reports whether a list says that the candidate is not a secret. It does not check lists
// of paths alone, because apply has.
func (c candidate) allowedBy(a *allowlist, path string) bool {
	target := c.secret
	switch a.RegexTarget {
	case "match":
		target = c.match
	case "line":
		target = c.lines
	}
	target = target[:min(len(target), longMatch)]
	byText := len(a.Regexes) > 0 && target != "" && a.regexes().MatchString(target)
	byWord := a.stops(c.secret[:min(len(c.secret), longMatch)])
	if !a.needsAll() {
		return byText || byWord
	}
	return (len(a.Paths) == 0 || a.path(path)) && (len(a.Regexes) == 0 || byText) && (len(a.StopWords) == 0 || byWord)
}

func (a *allowlist) needsAll() bool {
	return strings.EqualFold(a.Condition, "and") || a.Condition == "&&"
}

// path reports whether a list names a path.
func (a *allowlist) path(path string) bool {
	return len(a.Paths) > 0 && path != "" && a.paths().MatchString(path)
}

// stops reports whether s contains a stop word.
func (a *allowlist) stops(s string) bool {
	s = strings.ToLower(s)
	for _, w := range a.StopWords {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// anyAllows reports whether a list allows everything in the file at path.
func anyAllows(lists []*allowlist, path string) bool {
	for _, a := range lists {
		if a.path(path) && (!a.needsAll() || len(a.Regexes) == 0 && len(a.StopWords) == 0) {
			return true
		}
	}
	return false
}

// shannonEntropy returns Shannon's entropy in bits a character. It divides the counts of characters
// by the number of bytes, because gitleaks does.
func shannonEntropy(s string) (bits float64) {
	counts := map[rune]int{}
	for _, c := range s {
		counts[c]++
	}
	for _, n := range counts {
		share := float64(n) / float64(len(s))
		bits -= share * math.Log2(share)
	}
	return bits
}
