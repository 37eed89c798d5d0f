package merge

import (
	"slices"
	"strings"
)

// Clash reports whether two notes that share their subject say different things about it: their
// numbers or names differ, one negates a word of the other, one has the opposite of a word of the
// other, or they differ in one detail (Contradict). Notes in which an order is stated clash unless
// their words are in the same order. It may report true for notes that say the same.
func Clash(a, b string) bool {
	if _, ok := Contradict(a, b); ok {
		return true
	}
	x, y := comparedWords(a), comparedWords(b)
	return !slices.Equal(sortedWords(x, isNumeral), sortedWords(y, isNumeral)) ||
		!slices.Equal(sortedWords(x, isProper), sortedWords(y, isProper)) ||
		negatesOther(a, b) || negatesOther(b, a) || hasOpposite(x, y) || hasOpposite(y, x) ||
		statesOrder(x) && statesOrder(y)
}

// sortedWords returns the distinct words that meet a condition, sorted.
func sortedWords(all []comparedWord, is func(w string) bool) (out []string) {
	for _, w := range all {
		if is(w.written) {
			out = append(out, w.root)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func isNumeral(w string) bool { return number(w) || numeral.FindString(w) == w && w != "" }

// isProper reports whether a word is a name or code, and no number. A hyphen alone makes no name.
func isProper(w string) bool { return !isNumeral(w) && isName(strings.ReplaceAll(w, "-", "")) }

// negatesOther reports whether a word that a note negates is in the other note without a negation.
func negatesOther(a, b string) bool {
	negated, also := negatedWords(a), negatedWords(b)
	for _, w := range comparedWords(b) {
		if slices.ContainsFunc(negated, func(n comparedWord) bool { return sameRoot(n, w) }) &&
			!slices.ContainsFunc(also, func(n comparedWord) bool { return sameRoot(n, w) }) {
			return true
		}
	}
	return false
}

// hasOpposite reports whether a note has a word whose opposite only the other note has.
func hasOpposite(x, y []comparedWord) bool {
	for _, w := range x {
		if !slices.ContainsFunc(y, func(v comparedWord) bool { return sameRoot(v, w) }) &&
			slices.ContainsFunc(y, func(v comparedWord) bool { return areOpposites(v.written, w.written) }) {
			return true
		}
	}
	return false
}

// statesOrder reports whether a note says which thing comes first.
func statesOrder(x []comparedWord) bool {
	return slices.ContainsFunc(x, func(w comparedWord) bool {
		switch strings.ToLower(w.written) {
		case "before", "after", "until", "then", "first", "over", "than", "from", "into":
			return true
		}
		return false
	})
}
