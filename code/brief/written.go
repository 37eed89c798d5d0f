package brief

import (
	"path"
	"slices"
	"strings"

	"patina/internal/lazyregexp"
	"patina/scrape/prose"
)

func isReadme(base string) bool {
	low := strings.ToLower(base)
	return strings.TrimSuffix(low, path.Ext(low)) == "readme"
}

// These are the sizes of a purpose.
const (
	minPurpose = 6   // words of the first sentence
	maxPurpose = 300 // bytes
)

// maxIntroduction is the number of paragraphs of a README in which its purpose is looked for.
const maxIntroduction = 20

// PurposeOf returns the first paragraph of a README that introduces its subject, cut to whole
// sentences that fit. Badges, calls for money and lists of links do not count. Below the second
// heading, only a definition counts, and then sure is false.
func PurposeOf(name, source string) (q Quote, sure, ok bool) {
	format, _ := prose.FormatOf(name)
	left, headings := maxIntroduction, 0
	for _, b := range prose.Read(format, []byte(source)).Blocks {
		if b.Kind == prose.Heading {
			headings++
		}
		if b.Kind != prose.Paragraph && b.Kind != prose.Quote {
			continue
		}
		if left--; left < 0 {
			break
		}
		sentences := b.Sentences()
		if len(sentences) == 0 || !isIntroduction(b, sentences[0].Text) {
			continue
		}
		if first := sentences[0].Text; headings <= 1 || defines().MatchString(first) && !advises().MatchString(first) {
			return joinSentences(name, sentences), headings <= 1, true
		}
	}
	return q, false, false
}

// advises matches sentences that tell the reader to do something.
var advises = lazyregexp.New(`(?i)^(?:optionally|to|if|when|in order|first|you|we|run|use|install|make|` +
	`all|most|some|this (?:section|document|page))\b`)

// joinSentences joins as many of the first sentences as fit into maxPurpose. sentences must not be
// empty.
func joinSentences(name string, sentences []prose.Sentence) Quote {
	q := Quote{sentences[0].Text, name, sentences[0].First}
	for _, s := range sentences[1:] {
		if len(q.Text)+1+len(s.Text) > maxPurpose || strings.HasSuffix(s.Text, ":") { // a list follows
			break
		}
		q.Text += " " + s.Text
	}
	return q
}

// defines matches sentences such as "x is a tool" and "A tool for y".
var defines = lazyregexp.New(`(?i)\b(?:is|are|provides?|implements?|offers|lets you|allows)\b|^(?:an?|the)\s|` +
	`\b(?:library|framework|tool|toolkit|client|server|engine|plugin|command-line|cli|package|jobs|implementation)\b`)

var noIntroduction = lazyregexp.New(`(?i)\b(?:sponsor\w*|donat\w*|translat\w*|this readme|documentation for|` +
	`looking for|` +
	`moved to|deprecated|star us|join us|announc\w*|t-shirts|newsletter|survey)\b|` +
	`^[*_]*(?:please|see|click|check out|visit|read|note|warning|for (?:questions|help|support|more))\b`)

func isIntroduction(b prose.Block, first string) bool {
	links := strings.Count(b.Text, "](") + strings.Count(b.Text, "<a ")
	return saysSomething(first) && len(strings.Fields(first)) >= minPurpose && links <= 4 &&
		!noIntroduction().MatchString(first) && !strings.HasSuffix(first, ":") && strings.Count(first, "|") < 2
}

// strict matches rules without exception.
var strict = lazyregexp.New(`(?i)\b(?:must|never|always|do not|don't|should not|make sure)\b`)

// describes matches a sentence that describes a behaviour: "Only works with JDBC".
var describes = lazyregexp.New(`^Only [a-z]+[^s\W]s\b`)

// RulesIn reads the rules of a file for agents or contributors. In a guide for contributors, only
// rules without exception count, because other sentences there describe more than they demand.
func RulesIn(name, source string) (found []Quote) {
	rules, _ := prose.ParseRules(name, []byte(source))
	for _, r := range rules {
		if describes().MatchString(r.Text) ||
			prose.RuleSourceOf(name) == prose.GuideRules && !strict().MatchString(r.Whole()) {
			continue
		}
		found = append(found, Quote{r.Whole(), name, r.First})
	}
	return found
}

// bestRules orders rules and drops repetitions. Rules for agents come before rules for
// contributors, files at the root before others, and rules without exception first.
func bestRules(all []Quote) []Quote {
	rank := func(q Quote) int {
		n := strings.Count(q.Path, "/")
		if prose.RuleSourceOf(q.Path) == prose.GuideRules {
			n += 100
		}
		if !strict().MatchString(q.Text) {
			n += 10
		}
		return n
	}
	slices.SortStableFunc(all, func(a, b Quote) int { return rank(a) - rank(b) })
	seen := map[string]bool{}
	all = slices.DeleteFunc(all, func(q Quote) bool {
		again := seen[q.Text]
		seen[q.Text] = true
		return again
	})
	return all[:min(len(all), maxRules)]
}
