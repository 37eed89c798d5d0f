package text

import "strings"

// usualWord is about the length of a word in such a text, with its space. Every start makes dozens
// of sets, and half of their cost was growth.
const usualWord = 8

// Set is a set of words, written with white space between them.
func Set(words string) map[string]bool {
	m := make(map[string]bool, len(words)/usualWord)
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}
