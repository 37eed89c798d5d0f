package prose

import (
	"strings"

	"patina/internal/lazyregexp"
)

// A Rule is one instruction, in the words of its file.
type Rule struct {
	Text      string
	Condition string // the sentence or heading that governs it, or ""
	Heading   string // the headings above it, joined by " > "
	Scope     string // the globs of the files to which it applies, or ""
	First     int
	Last      int
}

// Whole returns the rule after the sentence that governs it.
func (r Rule) Whole() string {
	if r.Condition == "" {
		return r.Text
	}
	return r.Condition + " " + r.Text
}

const (
	minRuleWords = 3
	maxWords     = 60
	maxText      = 400   // bytes
	maxRules     = 1_000 // of one file
	maxLevels    = 6
)

// ParseRules returns the rules of a file, or nil if RuleSourceOf(name) is NoRules. cut is true if
// the file continues after a limit.
func ParseRules(name string, source []byte) (rules []Rule, cut bool) {
	from := RuleSourceOf(name)
	if from == NoRules {
		return nil, false
	}
	format, _ := FormatOf(name)
	d := Read(format, source)
	scope := strings.Join(List(strings.Join(d.Values("globs", "applyto", "paths"), ",")), ", ")
	var headings []Block
	leads := leading{rest: source, line: 1}
	seen := map[string]bool{}
	for _, b := range d.Blocks {
		if b.Kind == Heading {
			headings = nestHeading(headings, b)
			leads.head(titleOf(b))
			continue
		}
		if b.Kind == Row {
			continue
		}
		leads.enter(b)
		// The numbered items of a guide are steps.
		for _, s := range b.Sentences() {
			r := Rule{
				Text: s.Text, Condition: leads.condition(s.Text), Heading: titles(headings), Scope: scope,
				First: s.First, Last: s.Last,
			}
			leads.readSentence(b, s.Text)
			if !isRule(s.Text, from) || from == GuideRules && b.Ordered && !demands().MatchString(s.Text) ||
				leadsToList(s.Text) || seen[r.Whole()] || len(r.Whole()) > maxText {
				continue
			}
			if len(rules) == maxRules {
				return rules, true
			}
			seen[r.Whole()] = true
			rules = append(rules, r)
		}
	}
	return rules, d.Cut
}

func titleOf(b Block) string { return Plain(b.Text) }

// nestHeading adds a heading to the headings above it, and drops those at its level or deeper.
func nestHeading(headings []Block, b Block) []Block {
	for len(headings) > 0 && headings[len(headings)-1].Level >= b.Level {
		headings = headings[:len(headings)-1]
	}
	return append(headings, b)
}

// titles joins the texts of headings.
func titles(headings []Block) string {
	var texts []string
	for _, h := range headings[max(0, len(headings)-maxLevels):] {
		texts = append(texts, titleOf(h))
	}
	return strings.Join(texts, " > ")
}

// leadsToList reports whether a sentence only announces the list below it.
func leadsToList(text string) bool {
	return strings.HasSuffix(text, ":") || strings.HasSuffix(text, ",")
}

// isRule reports whether a sentence instructs somebody. A sentence that only names a command does
// not.
func isRule(text string, from RuleSource) bool {
	words := len(strings.Fields(text))
	if words < minRuleWords || words > maxWords || len(text) > maxText || strings.HasSuffix(text, "?") {
		return false
	}
	if from == GuideRules && !namesCode(text) || strings.IndexByte(text, ':') > 0 && listing().MatchString(text) {
		return false
	}
	if first := bareWord(text[:strings.IndexByte(text, ' ')]); first == "see" || first == "that" || first == "this" {
		return false // points elsewhere, or back
	}
	return instructs(text) || demandsSomething(text)
}

// codeToken finds a name of code that is not marked as such.
var codeToken = lazyregexp.New(`\b[a-z]+[A-Z]\w*\b|\b\w+_\w+\b|\b\w+\(\)|(?:^|\s)--?[a-z][\w-]+|\b[\w-]+\.(?:go|rs` +
	`|py|js|ts|tsx|java|rb|php|cs|c|h|cpp|md|json|toml|yaml|yml|sh|sql)\b`)

// namesCode reports whether a sentence has a token of code.
func namesCode(text string) bool {
	return strings.Count(text, "`") > 1 || codeToken().MatchString(text)
}
