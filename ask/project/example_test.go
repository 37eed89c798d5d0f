package project

import "testing"

// The sentence about a symbol becomes a question without the symbol's name.
func TestSentenceWithoutName(t *testing.T) {
	for _, x := range []struct{ summary, symbol, want string }{
		{"Pour fills a cup to the brim.", "Pour", "fills a cup to the brim"},
		{"Pour fills a cup to the brim.", "Kettle.Pour", "fills a cup to the brim"},
		{"Fills a cup to the brim:", "pour", "Fills a cup to the brim"},
		{"Pour pours.", "Pour", ""},
		{"", "Pour", ""},
	} {
		if got := sentenceWithout(x.summary, x.symbol); got != x.want {
			t.Errorf("%q about %q: %q, want %q", x.summary, x.symbol, got, x.want)
		}
	}
}
