// Package merge decides whether two notes say the same, so that one may stand for both.
//
// A wrong merge loses what somebody learned, and a missed one costs a line. No threshold on shared
// words or on vectors is safe: contradictions share more words than paraphrases do. So Same
// compares whole sequences of words, and docs/memory.md has the figures.
//
// It is pure: no I/O, no clock. Same is reflexive and symmetric.
package merge

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// Bounds for what is read. Longer texts are the same only byte by byte.
const (
	maxText   = 64 << 10 // bytes
	maxWord   = 256      // bytes; longer ones stay as written
	maxTurned = 500      // words in a note that a clause may move in
)

// Same reports whether two notes say the same. Their words are equal in order, or one closing
// clause stands in front.
func Same(a, b string) bool {
	if a == b {
		return true
	}
	if len(a) > maxText || len(b) > maxText {
		return false
	}
	x, y := words(a), words(b)
	if len(x) == 0 || len(x) != len(y) {
		return false
	}
	return slices.Equal(x, y) || isTurned(x, y) || isTurned(y, x)
}

// Key returns a hash of a note's words in any order. Notes that are the same have equal keys.
func Key(text string) string {
	if len(text) > maxText {
		return key(text, nil)
	}
	return key(text, words(text))
}

func key(text string, w []string) string {
	if len(w) == 0 {
		w = []string{text}
	}
	slices.Sort(w)
	sum := sha256.Sum256([]byte(strings.Join(w, "\x00")))
	return hex.EncodeToString(sum[:12])
}

// clause lists the words that begin a clause which may stand first or last.
var clause = newWordSet("in on at for when if after before during since unless until while under within by from every because")

// fixed lists the words that tie a note to its order: a clause that moves may change their reach.
var fixed = newWordSet("then first next last finally later afterwards only just even . ?")

// isTurned reports whether y is x with its closing clause moved to the front.
func isTurned(x, y []string) bool {
	if len(x) > maxTurned || clause[x[0]] || slices.ContainsFunc(x, func(w string) bool { return fixed[w] }) {
		return false
	}
	for i := 1; i < len(x); i++ {
		if clause[x[i]] && slices.Equal(x[i:], y[:len(x)-i]) && slices.Equal(x[:i], y[len(x)-i:]) {
			return true
		}
	}
	return false
}

func newWordSet(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[w] = true
	}
	return m
}
