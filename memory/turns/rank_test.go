package turns

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"patina/memory/recall"
)

// The ranking by segments, which passes over most turns, must agree with that of package recall,
// which scores every turn.
func TestRankIsThatOfRecall(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	var vocabulary []string
	for len(vocabulary) < 400 {
		if w := fmt.Sprintf("%c%c%c%c", 'a'+r.IntN(26), 'a'+r.IntN(26), 'a'+r.IntN(26), 'k'+r.IntN(5)); len(recall.Words(w)) == 1 {
			vocabulary = append(vocabulary, w)
		}
	}
	word := func() string { // the first are much more frequent
		return vocabulary[int(float64(len(vocabulary))*math.Pow(r.Float64(), 3))]
	}
	text := func(n int) string {
		var words []string
		for range n {
			words = append(words, word())
		}
		return strings.Join(words, " ")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "transcripts.db")
	var items []recall.Item
	var sources []Source
	for s := range 60 {
		day := time.Date(2025, time.Month(1+s/6), 1+s%28, 9, 0, 0, 0, time.UTC)
		var list []message
		for range 1 + r.IntN(30) {
			m := message{r.IntN(2) == 0, text(6 + r.IntN(60))}
			speaker := "agent"
			if m.user {
				speaker = "user"
			}
			list = append(list, m)
			items = append(items, recall.Item{Text: m.text, Speaker: speaker, Session: fmt.Sprint(s), At: day})
		}
		sources = append(sources, put(t, dir, fmt.Sprintf("%02d.jsonl", s), transcriptOf(day.Format(time.DateOnly), list...)))
	}
	if _, err := Ingest(t.Context(), path, sources, Options{Limit: 1 << 30, batch: 100}); err != nil {
		t.Fatal(err)
	}
	checkStore(t, path)
	index := recall.NewIndex(items)
	for range 300 {
		question := text(1 + r.IntN(8))
		switch r.IntN(4) {
		case 0:
			question = "did I " + question
		case 1:
			question += " in March 2025"
		}
		found, err := Find(t.Context(), path, Query{Text: question, Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		want := index.Candidates(question)
		scale := recall.ScaleOf(want)
		byText := map[string]recall.Candidate{}
		for i, c := range want {
			byText[items[i].Text] = c
		}
		slices.SortStableFunc(want, func(a, b recall.Candidate) int { return cmp.Compare(scale.Score(b), scale.Score(a)) })
		for i, f := range found {
			if strings.HasSuffix(question, "2025") {
				// Turns that have no word of the question but lie in the month are not found, and
				// therefore scores are shares of another one.
				want[i] = byText[f.Text]
				f.Score = scale.Score(want[i])
			}
			if math.Abs(f.Score-scale.Score(want[i])) > 2e-4 || math.Abs(f.Relevance-min(1, want[i].Share)) > 2e-4 {
				t.Fatalf("%q, place %d: score %f and relevance %f, want %f and %f", question, i+1, f.Score, f.Relevance,
					scale.Score(want[i]), want[i].Share)
			}
		}
		if len(found) == 0 && scale.Words > 0 {
			t.Fatalf("%q: nothing found", question)
		}
	}
}
