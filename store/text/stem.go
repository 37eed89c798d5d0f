package text

import (
	"strings"

	"github.com/blevesearch/go-porterstemmer"
)

// Stem returns the stem of a word by Porter's algorithm. The word must be lower-cased. A stem must
// not be stemmed again.
//
// Words with other characters than a to z stay as they are, because Porter's rules are about
// English and a digit marks a name ("utf8s", "3des"). So do words with one or two letters, and
// words over MaxRun bytes.
func Stem(lower string) string {
	if len(lower) <= 2 || len(lower) > MaxRun {
		return lower
	}
	var buf [MaxRun]rune
	for i := range len(lower) {
		if lower[i] < 'a' || lower[i] > 'z' {
			return lower
		}
		buf[i] = rune(lower[i])
	}
	stem := porterstemmer.StemWithoutLowerCasing(buf[:len(lower)])
	if n := len(stem); endsAlike(lower, stem) {
		return lower[:n] // most stems are prefixes: no copy
	}
	return string(stem)
}

// endsAlike reports whether the stem is a prefix of the word. It compares from the end, because
// Porter changes only the last letters.
func endsAlike(word string, stem []rune) bool {
	for i := len(stem) - 1; i >= 0; i-- {
		if rune(word[i]) != stem[i] {
			return false
		}
	}
	return true
}

// IsStop reports whether a lower-cased run is a stop word.
func IsStop(lower string) bool {
	_, ok := stopWords[lower]
	return ok
}

// stopWords is the list that ranking was measured with; more words did not help.
var stopWords = func() map[string]struct{} {
	m := map[string]struct{}{}
	for _, w := range strings.Fields(`
		a an the is are was were be been being have has had do does did will would could should may might must can
		to of in for on with at by from as into about and or but if then than so not no
		what which who whom when where why how i me my you your we our they their it its this that these
		those there here
		between via per using used use uses within without work works working handle`) {
		m[w] = struct{}{}
	}
	return m
}()
