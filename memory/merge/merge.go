// Package merge decides whether two notes say the same, so that one can replace the other.
//
// A wrong merge loses knowledge, and a missed one costs only a line. No threshold on shared words
// or on vectors is safe, because contradictions share more words than paraphrases. So Same compares
// whole sequences of words. docs/memory.md has the figures.
//
// The package is pure: no I/O, no clock. Same is reflexive and symmetric.
package merge

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"patina/store/text"
)

// Bounds of the texts that are analysed. Longer texts are the same only if their bytes are equal.
const (
	maxText   = 64 << 10 // bytes
	maxWord   = 256      // bytes; longer words are not normalised
	maxTurned = 500      // words of a note in which a clause may move
)

// Same reports whether two notes say the same: their words are equal in order, apart from one
// closing clause that may be in front, or one is the other in the present passive (isRevoiced).
func Same(a, b string) bool {
	if a == b {
		return true
	}
	if len(a) > maxText || len(b) > maxText {
		return false
	}
	return sameOrTurned(words(a), words(b)) || isRevoiced(a, b) || isRevoiced(b, a)
}

// Key returns a hash of a note's words in any order and either voice. Notes for which Same is true
// have equal keys.
func Key(text string) string {
	if len(text) > maxText {
		return key(text, nil)
	}
	var w []string
	for _, s := range words(text) {
		if !voiced.Has(s) {
			w = append(w, root(singular(strings.ToLower(s))))
		}
	}
	return key(text, w)
}

// voiced lists words that depend on the voice.
var voiced = text.Set("by do does we get gets")

// OldKey returns the hash that earlier versions stored for a note: of its words in its own voice.
func OldKey(text string) string {
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

// clause lists the words that begin a clause that may come first or last.
var clause = text.Set("in on at for when if after before during since unless until while under within by from every because")

// turnable lists the words of clause, and others that begin a clause but join no two nouns.
var turnable = text.Set("in on at for when if after before during since unless until while under within by from every because " +
	"once whenever with without")

// fixed lists the words that forbid moving a clause, because its scope may change.
var fixed = text.Set("then first next last finally later afterwards only just even . ?")

// isTurned reports whether y is x with its closing clause moved to the front.
func isTurned(x, y []string) bool {
	if len(x) > maxTurned || turnable.Has(x[0]) || slices.ContainsFunc(x, func(w string) bool { return fixed.Has(w) }) {
		return false
	}
	for i := 1; i < len(x); i++ {
		if turnable.Has(x[i]) && slices.Equal(x[i:], y[:len(x)-i]) && slices.Equal(x[:i], y[len(x)-i:]) {
			return true
		}
	}
	return false
}
