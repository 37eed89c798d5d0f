package text_test

import (
	"slices"
	"strings"
	"testing"

	"patina/store/text"
)

// Lines are the same as those of strings.Split.
func TestLinesAreThoseOfSplit(t *testing.T) {
	for _, body := range []string{"", "\n", "a", "a\n", "a\nb", "\n\n", "a\r\nb\r\n\n c"} {
		want := strings.Split(strings.TrimSuffix(body, "\n"), "\n")
		l := text.CutLines(body)
		if got := l.Between(1, l.Len()); !slices.Equal(got, want) {
			t.Errorf("%q has %q, want %q", body, got, want)
		}
		for i, line := range want {
			if l.At(i+1) != line {
				t.Errorf("line %d of %q is %q", i+1, body, l.At(i+1))
			}
		}
	}
	if l := (text.Lines{}); l.Len() != 0 || len(l.Between(1, 0)) != 0 {
		t.Error("there are lines of no text")
	}
}
