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
	_, ok := Mismatch(a, b)
	return ok || statesOrder(comparedWords(a)) && statesOrder(comparedWords(b))
}

// Mismatch returns the first of these in which two notes differ, whatever else they say: their
// numbers, their names, the words that they negate, and opposites.
func Mismatch(a, b string) (Difference, bool) {
	x, y := comparedWords(a), comparedWords(b)
	if p, q := sortedWords(x, isNumeral), sortedWords(y, isNumeral); !slices.Equal(p, q) {
		return Difference{Number, strings.Join(p, " "), strings.Join(q, " ")}, true
	}
	if p, q := sortedWords(x, isProper), sortedWords(y, isProper); !slices.Equal(p, q) {
		return Difference{Name, strings.Join(p, " "), strings.Join(q, " ")}, true
	}
	if negatesOther(a, b) || negatesOther(b, a) {
		return Difference{Negation, negationOf(negatedWords(a)), negationOf(negatedWords(b))}, true
	}
	if v, w, ok := oppositesIn(x, y); ok {
		return Difference{Opposite, v, w}, true
	}
	return Difference{}, false
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

func isNumeral(w string) bool { return number(w) || numeral().FindString(w) == w && w != "" }

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

// oppositesIn returns a word of x and its opposite in y, if neither note has the other's word.
func oppositesIn(x, y []comparedWord) (v, w string, ok bool) {
	has := func(list []comparedWord, w comparedWord) bool {
		return slices.ContainsFunc(list, func(v comparedWord) bool { return sameRoot(v, w) })
	}
	for _, a := range x {
		for _, b := range y {
			if areOpposites(a.written, b.written) && (!has(y, a) || !has(x, b)) {
				return a.written, b.written, true
			}
		}
	}
	return "", "", false
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
