package embed

import (
	"testing"

	"patina/store/doc"
)

// A word is known if it is one piece. Each word counts once, whatever part it is in.
func TestKnownWords(t *testing.T) {
	m := Base()
	skip := func(word string) bool { return word == "the" }
	for _, test := range []struct {
		parts        []string
		words, known int
	}{
		{nil, 0, 0},
		{[]string{""}, 0, 0},
		{[]string{"the The THE"}, 0, 0},
		{[]string{"the request handler"}, 2, 2},
		{[]string{"requestHandler", "handler of the request"}, 3, 3},
		{[]string{"yodelling goalkeeper"}, 2, 0},
		{[]string{"cache yodelling", "yodelling, cache?"}, 2, 1},
		{[]string{"\u0001 \xff 鼠"}, 1, 0},
	} {
		var parts []doc.QuestionPart
		for _, p := range test.parts {
			parts = append(parts, doc.QuestionPart{Text: p, Weight: 1})
		}
		if words, known := m.Known(parts, skip); words != test.words || known != test.known {
			t.Errorf("%q: %d of %d words, want %d of %d", test.parts, known, words, test.known, test.words)
		}
	}
}
