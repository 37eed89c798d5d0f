package merge

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"patina/internal/lazyregexp"
)

// The kinds of a Difference. The first four contradict. Notes that differ in a name or another word
// may both be true.
const (
	Negation = "negation" // "set X", "never set X"
	Number   = "number"   // "8", "16"
	Opposite = "opposite" // "before", "after"
	Order    = "order"    // "tabs over spaces", "spaces over tabs"
	Name     = "name"     // "Redis", "Memcached"
	Word     = "word"     // "blue", "green"
)

// A Difference is the one detail in which two notes differ.
type Difference struct {
	Kind string `json:"kind"`
	A    string `json:"there"` // of the first note; may be empty
	B    string `json:"here"`  // of the second note; may be empty
}

// Certain reports whether notes with this difference cannot both be true.
func (d Difference) Certain() bool { return d.Kind != Name && d.Kind != Word }

// maxContradicting bounds the notes that are compared, in bytes.
const maxContradicting = 4 << 10

// Contradict returns the detail in which two notes differ, if they are otherwise the same by
// Propose: a negation, a number, an opposite, the order of two things, a name or one other word. It
// reports false for notes that say the same, and for those that differ in more.
func Contradict(a, b string) (Difference, bool) {
	if len(a) > maxContradicting || len(b) > maxContradicting {
		return Difference{}, false
	}
	p, q := comparedWords(a), comparedWords(b)
	if len(p) > maxCompared || len(q) > maxCompared || alike(a, b) {
		return Difference{}, false
	}
	x, y := negatedWords(a), negatedWords(b)
	if !slices.EqualFunc(x, y, sameRoot) && !slices.Contains(slices.Concat(x, y), lastNegation) &&
		alike(dropNegations(a), dropNegations(b)) {
		return Difference{Negation, negationOf(x), negationOf(y)}, true
	}
	if d, ok := differIn(a, b, numeral(), "7", func(string, string) bool { return true }); ok {
		d.Kind = Number
		return d, true
	}
	if d, ok := differIn(a, b, opposed(), "opposed", areOpposites); ok {
		d.Kind = Opposite
		return d, true
	}
	if d, ok := exchanged(p, q); ok {
		return d, true
	}
	return replacedWord(p, q)
}

// alike reports whether two notes say the same, as far as the rules can tell.
func alike(a, b string) bool {
	_, ok := Propose(a, b)
	return ok
}

// differIn reports whether two notes are alike once each match of a pattern is replaced by a word.
// Matches that differ must exclude each other. It returns the first two.
func differIn(a, b string, pattern *regexp.Regexp, word string, exclude func(x, y string) bool) (d Difference, ok bool) {
	x, y := pattern.FindAllString(a, -1), pattern.FindAllString(b, -1)
	if len(x) == 0 || len(x) != len(y) || !alike(pattern.ReplaceAllString(a, word), pattern.ReplaceAllString(b, word)) {
		return d, false
	}
	for i := len(x) - 1; i >= 0; i-- {
		if strings.EqualFold(x[i], y[i]) {
			continue
		}
		if !exclude(x[i], y[i]) {
			return Difference{}, false
		}
		d, ok = Difference{A: x[i], B: y[i]}, true
	}
	return d, ok
}

// areOpposites reports whether two words exclude each other.
func areOpposites(x, y string) bool {
	return slices.Contains(opposites()[strings.ToLower(x)], strings.ToLower(y))
}

// numeral matches numbers that are words of their own, in digits or spelled.
var numeral = lazyregexp.New(`(?i)\b\d+(?:[.,]\d+)*|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|` +
	`eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|hundred|thousand|once|twice|first|second|third)\b`)

// opposites lists words with those that contradict them.
var opposites = sync.OnceValue(func() map[string][]string {
	m := map[string][]string{}
	for pair := range strings.FieldsSeq(`before:after on:off true:false enable:disable enabled:disabled enables:disables
		allow:deny allow:forbid allowed:denied allowed:forbidden use:avoid prefer:avoid uses:avoids include:exclude
		included:excluded left:right old:new oldest:newest min:max minimum:maximum sync:async synchronous:asynchronous
		public:private internal:external increase:decrease high:low higher:lower fast:slow faster:slower larger:smaller
		bigger:smaller longer:shorter more:less more:fewer most:least above:below over:under inside:outside local:remote
		ascending:descending append:prepend lock:unlock open:close opened:closed start:stop push:pull accept:reject
		required:optional mutable:immutable automatic:manual automatically:manually with:without valid:invalid safe:unsafe
		correct:wrong right:wrong leading:trailing upper:lower`) {
		one, other, _ := strings.Cut(pair, ":")
		m[one], m[other] = append(m[one], other), append(m[other], one)
	}
	return m
})

// opposed matches the words of opposites.
var opposed = sync.OnceValue(func() *regexp.Regexp {
	var all []string
	for w := range opposites() {
		all = append(all, w)
	}
	slices.Sort(all)
	return regexp.MustCompile(`(?i)\b(?:` + strings.Join(all, "|") + `)\b`)
})

// negating matches a negation with its auxiliary verb. "always" is the silent opposite of "never".
var negating = lazyregexp.New(`(?i)\b(?:(?:do|does|did)\s+not|(?:do|does|did)n['’]t|never|not|cannot|no longer|no)\b|n['’]t\b|\balways\b`)

// dropNegations returns a note without its negations.
func dropNegations(text string) string {
	return strings.TrimSpace(negating().ReplaceAllStringFunc(text, func(w string) string {
		if strings.EqualFold(w, "cannot") {
			return "can"
		}
		return ""
	}))
}

// lastNegation is in place of a word behind a negation at the end, as in "the browser is not".
var lastNegation = comparedWord{".", "."}

// negatedWords returns the words behind the negations of a note, sorted.
func negatedWords(text string) (out []comparedWord) {
	for _, at := range negating().FindAllStringIndex(text, -1) {
		if strings.EqualFold(text[at[0]:at[1]], "always") {
			continue
		}
		next := lastNegation
		if rest := dropFiller(words(text[at[1]:])); len(rest) > 0 {
			next = comparedWord{rest[0], root(strings.ToLower(rest[0]))}
		}
		out = append(out, next)
	}
	slices.SortFunc(out, func(a, b comparedWord) int { return strings.Compare(a.root, b.root) })
	return out
}

// negationOf returns a note's negations in words.
func negationOf(negated []comparedWord) string {
	var out []string
	for _, w := range negated {
		out = append(out, "not "+w.written)
	}
	return strings.Join(out, ", ")
}

// A comparedWord is a word of a note as it is written, and as it is compared.
type comparedWord struct{ written, root string }

// comparedWords returns the words of a note without filler and full stops.
func comparedWords(text string) (out []comparedWord) {
	for _, w := range dropFiller(words(text)) {
		if w != "." {
			out = append(out, comparedWord{w, root(strings.ToLower(w))})
		}
	}
	return out
}

func sameRoot(a, b comparedWord) bool { return a.root == b.root }

// maxExchanged bounds the words of each of two exchanged things.
const maxExchanged = 4

// exchanged reports whether two things of a note are each in the other's place.
func exchanged(x, y []comparedWord) (Difference, bool) {
	if len(x) != len(y) {
		return Difference{}, false
	}
	for len(x) > 0 && sameWritten(x[0], y[0]) {
		x, y = x[1:], y[1:]
	}
	for len(x) > 0 && sameWritten(x[len(x)-1], y[len(y)-1]) {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	n := len(x)
	for i := 1; i <= maxExchanged && i < n; i++ {
		for j := 1; j <= maxExchanged && i+j < n; j++ {
			if slices.EqualFunc(x[:i], y[n-i:], sameWritten) && slices.EqualFunc(x[n-j:], y[:j], sameWritten) &&
				slices.EqualFunc(x[i:n-j], y[j:n-i], sameWritten) && isOrderedBy(x[:i], x[i:n-j], x[n-j:]) {
				return Difference{Order, written(x[:i]) + " … " + written(x[n-j:]), written(y[:j]) + " … " + written(y[n-i:])}, true
			}
		}
	}
	return Difference{}, false
}

// sameWritten reports whether words are equal but for a capital. Another ending would be another
// voice, in which the order changes and the meaning does not.
func sameWritten(a, b comparedWord) bool { return strings.EqualFold(a.written, b.written) }

// isOrderedBy reports whether the words between two things give them an order. A conjunction does
// not, and a phrase may stand in front or at the end.
func isOrderedBy(one, between, other []comparedWord) bool {
	starts := func(w comparedWord) bool { return clause.Has(w.root) || links.Has(w.root) || w.root == "every" }
	switch between[len(between)-1].root {
	case "and", "or", "but", "while", "plus":
		return false
	}
	return !starts(one[0]) && !starts(other[0])
}

func written(w []comparedWord) string {
	var out []string
	for _, x := range w {
		out = append(out, x.written)
	}
	return strings.Join(out, " ")
}

// replacedWord reports whether one word of a note is another one in the other note.
func replacedWord(x, y []comparedWord) (Difference, bool) {
	if len(x) != len(y) {
		return Difference{}, false
	}
	at := -1
	for i := range x {
		if sameRoot(x[i], y[i]) {
			continue
		}
		if at >= 0 {
			return Difference{}, false
		}
		at = i
	}
	if at < 0 || len(x)-1 < minShared || x[at].root == "and" || y[at].root == "and" {
		return Difference{}, false
	}
	d := Difference{Word, x[at].written, y[at].written}
	switch {
	case at > 0 && number(x[at-1].written): // another unit
		d.Kind = Number
	case isName(d.A) || isName(d.B):
		d.Kind = Name
	}
	return d, true
}

// isName reports whether a word is a name or code: it has a capital, a digit or a mark.
func isName(w string) bool {
	return strings.ContainsFunc(w, func(c rune) bool { return !unicode.IsLower(c) && c != '\'' && c != '’' })
}
