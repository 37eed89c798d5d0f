package mine

import (
	"strings"

	"patina/internal/lazyregexp"
	"patina/internal/printable"
	"patina/store/text"
)

// Sentences that give a reason but are not rules. opening matches the start of a sentence, aside
// any part. aside is slow, and is used last.
var (
	opening = lazyregexp.New(`(?i)^(?:` + strings.Join([]string{
		// about the change
		`(?:(?:in )?this (?:commit|patch|pr|change|fix|pull|test|one)|previously|before this|until now|the (?:bug|issue|problem|failure|test)|(?:some|the|these) tests|(?:it )?turns|it (?:seems|looks))\b`,
		`(?:updat|fix|add|test|check|chang|remov|mov|renam|refactor|replac|delet|introduc|simplif|switch|split|adjust)(?:e?s|e|ed|y|ie[sd]|y?ing)?\b`,
		`(?:finally|now|next|currently|at the moment)\b|first,`,
		// about something before it
		`(?:it|they|this|that|these|those|its|here|there)\b|we (?:\S+ ){1,4}(?:this|these|those|it|them)\b`,
		`(?:also|however|but|so|and|then|thus|therefore|instead|otherwise)\b|(?-i:because|which|while|where|or|unless)\b`,
		// about its author, or for a time
		`i(?: |')|we (?:had|were|saw|got|found)|when (?:i|we) |as (?:discussed|suggested)`,
		`for now\b|note(?: that|:|\()|todo|fixme|hack\b|deprecated\b|not (?:yet )?implemented\b|https?:`,
	}, "|") + `)`)

	aside = lazyregexp.New(`(?i)\b(?:` + strings.Join([]string{
		// about the change
		`this (?:commit|patch|pr|pull request)|(?:the|these) changes? here|follow-?up|in (?:a|the) (?:next|later|follow)|review(?:er)? (?:item|comment|#)`,
		`in the future|(?:a|the) future version|no longer (?:needed|necessary|required|used|relevant)`,
		// about a bug
		`was (?:broken|failing)|stopped working|did(?: not|n't)|(?:we|it|they|this|that|there|which) used to|accidentally`,
		`issues? (?:here )?(?:is|are)\b|(?:was|were)\b.*\binstead of|throws\b.*\bbecause`,
		// about something before it
		`(?:in|for) (?:this|that|these|those|such)(?: \w+)? cases?|at this (?:point|time|stage)`,
		// two sentences with a mark or a link between them
		`(?-i:TODO|FIXME|XXX)\b|(?-i:NOTE):|https?://\S*[^\s:,;] (?:https?:|(?-i:[A-Z]))`,
		// about its author
		`(?-i:I) \w`,
	}, "|") + `)`)
)

// The sizes of a proposal, in bytes.
const (
	shortProposal = 40
	longProposal  = 320
)

// IsOfferable reports whether a sentence may stand alone, and be printed as it is.
func IsOfferable(s string) bool {
	return len(s) >= shortProposal && len(s) <= longProposal && !strings.HasSuffix(s, ":") &&
		printable.All(strings.ReplaceAll(s, "\t", " ")) &&
		!opening().MatchString(strings.TrimLeft(s, "([*- ")) && !aside().MatchString(s)
}

// sentences holds the words of several sentences. No two of them are alike.
type sentences []map[string]bool

// alike is the share of common words from which two sentences are alike, such as a copy with
// another name.
const alike = 0.75

// addSentence adds a sentence, unless it is like an earlier one. It reports whether it was added.
func (s *sentences) addSentence(sentence string) bool {
	words := map[string]bool{}
	text.Runs(strings.ToLower(sentence), func(run string) { words[run] = true })
	for _, other := range *s {
		both := 0
		for w := range words {
			if other[w] {
				both++
			}
		}
		if float64(both) >= alike*float64(len(words)+len(other)-both) {
			return false
		}
	}
	*s = append(*s, words)
	return true
}
