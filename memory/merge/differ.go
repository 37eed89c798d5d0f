package merge

import "strings"

// Bounds for notes that may contradict each other.
const (
	minShared   = 2  // words, without articles and the like; shorter notes have no common subject
	maxCompared = 40 // words; longer notes may differ for other reasons
)

// Differ reports whether two notes may contradict each other: whether they have the same words in
// the same order, except in one place. There some words are replaced, or are in only one of the
// notes, fewer than the notes share. "The pool size is 8" differs from "The pool size is 16",
// "Use Zoom for calls" from "Use Google Meet for calls", and "Deploy on Fridays" from "Never deploy
// on Fridays".
func Differ(a, b string) bool {
	if len(a) > maxText || len(b) > maxText {
		return false
	}
	x, y := foldWords(a), foldWords(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(x) < minShared || len(y) > maxCompared {
		return false
	}
	first := 0
	for first < len(x) && x[first] == y[first] {
		first++
	}
	last := 0
	for last < len(x)-first && x[len(x)-1-last] == y[len(y)-1-last] {
		last++
	}
	shared := first + last
	return shared >= minShared && len(y) > shared && len(y)-shared < shared
}

// foldWords returns the words of a note in lower case, without full stops.
func foldWords(text string) []string {
	var out []string
	for _, w := range words(text) {
		if w != "." {
			out = append(out, strings.ToLower(w))
		}
	}
	return out
}
