package recall

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestWords(t *testing.T) {
	for in, want := range map[string]string{
		"She went to Ann's three houses": "go ann 3 hous",
		"readFile failed":                "readfil read file fail",
		"'s ''":                          "",
		"the children have forgotten":    "child forget",
	} {
		if got := strings.Join(Words(in), " "); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if got := Question("retry, retried, retries"); len(got) != 1 {
		t.Errorf("one word thrice: %q", got)
	}
}

// The base forms of irregular words must map to themselves, otherwise a note and a question would
// differ.
func TestIrregularFormsAreStable(t *testing.T) {
	for form, base := range irregular() {
		if again, ok := irregular()[base]; ok {
			t.Errorf("%q leads to %q, and that to %q", form, base, again)
		}
	}
}

func dialogue() *Index {
	may := time.Date(2023, time.May, 8, 0, 0, 0, 0, time.UTC)
	return NewIndex([]Item{
		{Session: "1", At: may, Speaker: "Ann", Text: "What did you adopt?"},
		{Session: "1", At: may, Speaker: "Bob", Text: "A grey one, from the shelter."},
		{Session: "1", At: may, Speaker: "Ann", Text: "Lovely!"},
		{Session: "2", Speaker: "Ann", Text: "I run marathons."},
		{Session: "2", Speaker: "Bob", Text: "Marathons bore me."},
		{Text: "Deploys need a ticket", Tags: []string{"release"}, Path: "ops/deploy.go", Symbol: "startRollout"},
	})
}

// A turn is as near to a question by meaning as it and its neighbours are, and not the turns of
// another session. Cosines of unrelated texts count nothing.
func TestTurnsNearByMeaning(t *testing.T) {
	x := dialogue()
	ranked := x.Rank("kitten", []float64{UnrelatedCosine, .2, .6, .2, UnrelatedCosine, 0}, Measured)
	var order []int
	for _, r := range ranked {
		order = append(order, r.Item)
	}
	if !slices.Equal(order, []int{2, 1, 0}) {
		t.Errorf("%v", ranked)
	}
	words := x.Rank("marathons", nil, Measured)
	for _, cosines := range [][]float64{{0, 0, 0, 0, 0, 0}, {.2, .1, .2, .2, .1, .2}} {
		if got := x.Rank("marathons", cosines, Measured); got[0].Item != words[0].Item {
			t.Errorf("%v: %v, want %v", cosines, got, words)
		}
	}
}

func TestCandidates(t *testing.T) {
	x := dialogue()
	for question, want := range map[string]int{
		"the shelter":               1,
		"who said so in May 2023":   1,
		"does Ann run a marathon":   3,
		"What bores Bob, marathons": 4,
		"release":                   5,
		"rollout":                   5,
	} {
		got, scale := x.Candidates(question), 0.0
		best := -1
		for i, c := range got {
			if s := ScaleOf(got).Score(c); s > scale {
				best, scale = i, s
			}
		}
		if best != want && !(question == "who said so in May 2023" && best <= 2) {
			t.Errorf("%q: %d, want %d: %+v", question, best, want, got)
		}
	}
	if c := x.Candidates("what did Bob adopt?"); c[1].Words == 0 || !c[1].Asked || c[1].Words <= c[2].Words ||
		c[3].Words > 0 {
		t.Errorf("the turn after the word: %+v", c)
	}
	for i, c := range x.Candidates("bore") {
		if c.Words > 0 && i < 3 {
			t.Errorf("turn %d has a word from another session", i)
		}
	}
}

func TestDecay(t *testing.T) {
	day := 24 * time.Hour
	for _, c := range []struct {
		age    time.Duration
		pinned bool
		want   string
	}{
		{0, false, "1.000"},
		{15 * day, false, "0.707"},
		{30 * day, false, "0.500"},
		{900 * day, false, "0.500"},
		{900 * day, true, "1.000"},
		{-day, false, "1.000"},
	} {
		if got := fmt.Sprintf("%.3f", Decay(c.age, c.pinned)); got != c.want {
			t.Errorf("%v, pinned %v: %s, want %s", c.age, c.pinned, got, c.want)
		}
	}
}

func TestSpecification(t *testing.T) {
	year := 365 * 24 * time.Hour
	for _, c := range []struct {
		c             Candidate
		words, hybrid string
	}{
		{Candidate{BM25: 50, WordRank: 1, VectorRank: 1, Confidence: 1}, "1.0000", "0.0328"},
		{Candidate{BM25: 12.5, WordRank: 2, Confidence: .8}, "0.4000", "0.0129"},
		{Candidate{BM25: 12.5, WordRank: 2, Confidence: .8, Age: year}, "0.2000", "0.0000"},
		{Candidate{BM25: 1.2, VectorRank: 60, Confidence: 1}, "0.0000", "0.0000"},
	} {
		if got := fmt.Sprintf("%.4f", SpecifiedWords(c.c)); got != c.words {
			t.Errorf("%+v: words %s, want %s", c.c, got, c.words)
		}
		if got := fmt.Sprintf("%.4f", SpecifiedHybrid(c.c)); got != c.hybrid {
			t.Errorf("%+v: hybrid %s, want %s", c.c, got, c.hybrid)
		}
	}
}

func FuzzFit(f *testing.F) {
	f.Add("a\nbbbb\ncc", 6, 2)
	f.Fuzz(func(t *testing.T, text string, budget, most int) {
		lines, used := strings.Split(text, "\n"), 0
		shown := Fit(lines, budget, most)
		for _, i := range shown {
			used += len(lines[i]) + 1
		}
		if len(shown) > 0 && used > budget || most > 0 && len(shown) > most || !slices.IsSorted(shown) {
			t.Fatalf("%q within %d, %d at most: %v uses %d", lines, budget, most, shown, used)
		}
	})
}

func FuzzWords(f *testing.F) {
	f.Add("Ann's \x00 ''s “日本”")
	f.Fuzz(func(t *testing.T, s string) {
		if n := len(Question(s)); n > 64 {
			t.Fatalf("%d words", n)
		}
		NewIndex([]Item{{Text: s, Session: s, Speaker: s}}).Candidates(s)
	})
}
