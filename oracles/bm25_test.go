package oracles

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"patina/store/lookup"
)

func TestPNormIsThatOfTheBestChunks(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 200 {
		scores := make([]float32, r.Intn(100)+1)
		for i := range scores {
			scores[i] = max(0, r.Float32()-0.2)
		}
		sorted := slices.Clone(scores)
		slices.Sort(sorted)
		for _, p := range []int{shortNorm, longNorm} {
			sum := 0.0
			for _, s := range sorted[max(0, len(sorted)-16):] {
				sum += math.Pow(float64(s), float64(p))
			}
			if got, want := pnorm(scores, p, 0), math.Pow(sum, 1/float64(p)); math.Abs(got-want) > 1e-6 {
				t.Fatalf("%d scores: %v, want %v", len(scores), got, want)
			}
			if got := pnorm(scores, p, 1e9); got < pnorm(scores, p, 0)-1e-9 {
				t.Fatalf("below the floor a score may be too high, not too low: %v", got)
			}
		}
	}
}

func TestTopChunks(t *testing.T) {
	for _, c := range []struct {
		scores []float32
		want   []int
	}{
		{nil, nil},
		{[]float32{0, 0}, nil},
		{[]float32{1, 3, 2}, []int{1, 2, 0}},
		{[]float32{1, 1, 1, 1, 1, 1}, []int{0, 1, 2, 3}},
		{[]float32{5, 1, 4, 2, 3, 6}, []int{5, 0, 2, 4}},
	} {
		if got := topChunks(c.scores); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.scores, got, c.want)
		}
	}
}

func TestFirstWordsOfAMessage(t *testing.T) {
	for body, want := range map[string]string{
		"": "", "\n\nIt was slow.\nNow it is not.": "It was slow.", "Signed-off-by: Ann <a@b>\n": "",
		"Co-authored-by: Ann <a@b>\r\n\r\nFixes: it\n": "Fixes: it", "Change-Id: I12\nwhy": "why",
		"Before this, one was\nallowed. Now two are.\nMore": "Before this, one was allowed. Now two are.", "- one\n- two": "- one",
		"So\n- one": "So", "no full stop\n\nnext": "no full stop",
		"It was slow. It is fast.\nMore.":                           "It was slow. It is fast.",
		"A list\n- one\n- two":                                      "A list",
		"Also:\n\n- one thing\n- another":                           "Also: - one thing",
		"Reviewers: Ada <a@example.org>\n\nWhat it does.":           "What it does.",
		"Signed-off-by: Ada <a@example.org>\nAuthor: Ada <a@b.org>": "",
	} {
		if got := lookup.FirstWords(body); got != want {
			t.Errorf("%q: %q, want %q", body, got, want)
		}
	}
}
