package dictionary

import (
	"slices"
	"strings"
	"testing"
)

// Every line of the built-in table is found by its word, and its terms are as written.
func TestOfFindsEveryWord(t *testing.T) {
	words := 0
	for l := range strings.Lines(table) {
		fields := strings.Fields(l)
		var got []string
		last := 2.0
		for term, p := range Of(fields[0]) {
			if p <= 0 || p > 1 {
				t.Errorf("Of(%q): %q has probability %v", fields[0], term, p)
			}
			got, last = append(got, term), p
		}
		var want []string
		for i := 1; i < len(fields); i += 2 {
			want = append(want, fields[i])
		}
		if len(want) == 0 || !slices.Equal(got, want) || last == 2 {
			t.Fatalf("Of(%q) = %q, want %q", fields[0], got, want)
		}
		words++
	}
	if words < 1000 {
		t.Errorf("the table has %d words", words)
	}
	if len(table) > 700_000 {
		t.Errorf("the table has %d bytes", len(table))
	}
}

// A word that the table lacks has no translations, wherever it would stand.
func TestOfYieldsNothingForOtherWords(t *testing.T) {
	for _, stem := range []string{"", " ", "0", "zzzzzz", "direct ori", "\n", "~"} {
		for term := range Of(stem) {
			t.Errorf("Of(%q) yields %q", stem, term)
		}
	}
	for _, small := range []string{"", "\n", "a", "a b 10", "a b 10\nc d 20\n", "a b x\n"} {
		for _, stem := range []string{"", "a", "b", "c", "d"} {
			n := 0
			for range in(small, stem) {
				n++
			}
			want := 0
			if stem == "a" && strings.HasPrefix(small, "a b 10") || stem == "c" && strings.Contains(small, "\nc d") {
				want = 1
			}
			if n != want {
				t.Errorf("in(%q, %q) yields %d terms, want %d", small, stem, n, want)
			}
		}
	}
}

// Random numbers are "rand" in code. A loop may stop early.
func TestOf(t *testing.T) {
	for term := range Of("random") {
		if term != "rand" && term != "rnd" && term != "rng" {
			t.Errorf("the best translation of random is %q", term)
		}
		break
	}
}
