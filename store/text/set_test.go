package text

import "testing"

func TestSet(t *testing.T) {
	s := Set(" a\n\tb a ")
	if !s.Has("a") || !s.Has("b") || s.Has("") || s.Has("a\n") {
		t.Error("the words of a text are not its set")
	}
	if none := (*WordSet)(nil); Set("").Has("") || none.Has("a") {
		t.Error("an empty set has a word")
	}
}
