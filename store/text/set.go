package text

import "strings"

// Set is a set of words, written with white space between them.
func Set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}
