package text

import "strings"

// usualWord is about the length of a word in such a text, with its space. A set gets its final size
// at once, because every start makes dozens of sets, and half of their cost was growth.
const usualWord = 8

// Set returns the set of the words in a text, separated by white space. It is never nil.
func Set(words string) map[string]bool {
	m := make(map[string]bool, len(words)/usualWord)
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}
