package prose

import (
	"slices"
	"strings"
	"unicode/utf8"

	"patina/internal/lazyregexp"
)

// The words that make a sentence an explanation. The first three are the rules for commits.
var (
	// alternative names something that was not done, or no longer is.
	alternative = lazyregexp.New(`(?i)\b(?:rather than|instead of|in favou?r of|decided|chose|chosen` +
		`|deliberate(?:ly)?|by design|trade-?offs?|no longer|must not|mustn't)\b`)

	// cause names a cause. "otherwise" may only be the other case, and "since" may be about time,
	// so the expressions below decide.
	cause = lazyregexp.New(`(?i)\b(?:because|so that|to avoid|due to)\b`)

	elseCause = lazyregexp.New(`(?i)\botherwise\b.*\b(?:would|could|will|won't|might|may|fails?|breaks?|los(?:e` +
		`|t))\b|\b(?:would|could|will|won't|might|may)\b.*\botherwise\b`)

	sinceCause = lazyregexp.New(`(?i)\bsince\s+(?:\S+\s+){0,6}?(?:is|are|was|were|has|have|had|can|cannot|can't` +
		`|could|will|would|does|doesn't|do|don't|did|didn't|may|might|must|should|isn't|aren't|wasn't|won't|need` +
		`|needs|means|makes|only|not|we|it's|there's|that's)\b`)
	sinceTime = lazyregexp.New(`(?i)\b(?:ever since|since (?:then|v?\d|version|release|at least|commit|[0-9a-f]{7,}` +
		`|(?:the|its|their|this|that) (?:last|previous|first|beginning|start|introduction|initial|release|commit` +
		`|change|version)))\b`)

	// constraint binds people who change the code.
	constraint = lazyregexp.New(`(?i)\b(?:must|cannot|can't|can not|never|always|only|should(?:n't| not)|do not` +
		`|don't|need(?:s)? to|ha(?:s|ve) to|required?|not (?:allowed|possible|safe)|won't|intentional(?:ly)?` +
		`|on purpose|instead)\b`)

	// causeReference leads to a cause: an issue, a bug, compatibility, a link.
	causeReference = lazyregexp.New(`(?i)\b(?:issues?|bugs?|(?:backwards?[- ])?compat(?:ib(?:le|ility))?|workaround` +
		`|work around)\b|#\d+\b|\bhttps?://`)
)

// The sizes of a sentence.
const (
	maxReasonText   = 400 // bytes
	maxReasonWords  = 70
	minCommitWords  = 8
	minCommentWords = 10
)

func hasSize(s string, least int) bool {
	n := len(strings.Fields(s))
	return n >= least && n <= maxReasonWords && len(s) <= maxReasonText
}

// namesCause reports whether a sentence names a cause.
func namesCause(s string) bool {
	return cause().MatchString(s) || elseCause().MatchString(s) ||
		sinceCause().MatchString(s) && !sinceTime().MatchString(s)
}

// mayExplain reports quickly whether a text may contain a reason. It is called first, because the
// expressions cost more.
func mayExplain(s string) bool { return explaining.hasWord(s) }

var (
	explaining = anyOf("because", "so that", "since", "to avoid", "otherwise", "due to", "issue", "bug", "compat", "#",
		"http", "workaround", "work around")
	legalWords = anyOf("copyright", "licen", "spdx-", "all rights", "warranty")
)

// A wordSet finds words in a text, in any case, also inside other words. It looks at the first two
// bytes of each word, because few pairs of bytes in a text begin a word.
type wordSet struct {
	words []string      // in lower case
	begin [1 << 10]bool // by five bits of each byte, which fold capitals
}

func anyOf(words ...string) *wordSet {
	w := &wordSet{words: words}
	for _, word := range words {
		for second := range 1 << 5 {
			if len(word) == 1 || int(word[1]%(1<<5)) == second {
				w.begin[int(word[0]%(1<<5))<<5|second] = true
			}
		}
	}
	return w
}

// hasWord reports whether a text contains one of the words.
func (w *wordSet) hasWord(s string) bool {
	for i := range len(s) {
		next := byte(0)
		if i+1 < len(s) {
			next = s[i+1]
		}
		switch {
		case s[i] >= utf8.RuneSelf: // a capital may have another length
			low := strings.ToLower(s)
			return slices.ContainsFunc(w.words, func(word string) bool { return strings.Contains(low, word) })
		case w.begin[int(s[i]%(1<<5))<<5|int(next%(1<<5))] && w.beginsWithWord(s[i:]):
			return true
		}
	}
	return false
}

// beginsWithWord reports whether a text begins with one of the words.
func (w *wordSet) beginsWithWord(s string) bool {
	return slices.ContainsFunc(w.words, func(word string) bool {
		return len(word) <= len(s) && strings.EqualFold(s[:len(word)], word)
	})
}
