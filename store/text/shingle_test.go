package text_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"patina/store/text"
)

func randomLines(r *rand.Rand, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("line %d of %x", i, r.Int63())
	}
	return out
}

// Samples of copied lines must be the same wherever the lines are.
func TestShinglesOfCopiedLines(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	part, more := randomLines(r, 2000), randomLines(r, 1000)
	own := text.Shingles([]byte(strings.Join(part, "\n")))
	if n := len(own); n < 40 || n > 90 {
		t.Errorf("%d samples of 2000 lines", n)
	}
	if !slices.IsSorted(own) {
		t.Error("the samples are out of order")
	}
	for name, whole := range map[string]string{
		"indented":         "{\n\t\t" + strings.Join(part, "  \r\n\n\t}\n\t\t") + "\n}",
		"within others":    strings.Join(slices.Concat(more[:500], part, more[500:]), "\n"),
		"written two fold": strings.Join(append(slices.Clone(part), part...), "\n"),
	} {
		got := text.Shingles([]byte(whole))
		for _, s := range own {
			if !slices.Contains(got, s) {
				t.Errorf("%s: sample %x is missing", name, s)
			}
		}
	}
	others := text.Shingles([]byte(strings.Join(more, "\n")))
	if slices.ContainsFunc(others, func(s uint32) bool { return slices.Contains(own, s) }) {
		t.Error("other lines have a sample in common")
	}
}

func TestShinglesOfLittle(t *testing.T) {
	for _, s := range []string{"", "\n", "}\n}\n}\n}\n", "one line", "one line\nanother", "\x00\xff"} {
		if got := text.Shingles([]byte(s)); len(got) != 0 {
			t.Errorf("%q: %x", s, got)
		}
	}
}
