package deliver

import (
	"bytes"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"patina/actors/api"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout"
	"patina/cmd/internal/layout/layouttest"
)

// wholeOf returns documents for the relevant results of an answer, with odd texts.
func wholeOf(r *rand.Rand, a *api.Answer) (docs []Document) {
	for _, x := range a.Relevant() {
		d := Document{
			Description: x.Description,
			Next:        func(p int) string { return dialect.CLI{}.Detail("q_260202143000_abc", x.Rank, p) },
		}
		for range r.Intn(60) {
			d.Body += layouttest.Nasty(r) + "\n"
		}
		docs = append(docs, d)
	}
	return docs
}

// Whole texts keep their ceiling, or a page a result without one. They are harmless, and what was
// cut is said with the call that shows it.
func TestFullKeepsItsPromises(t *testing.T) {
	for seed := range int64(60) {
		r := rand.New(rand.NewSource(seed))
		a := random(r)
		docs := wholeOf(r, a)
		for _, budget := range []int{0, 400, 1500, 20_000} {
			o := Options{Dialect: dialect.CLI{}, Logged: true, Budget: budget}
			var b bytes.Buffer
			if err := Full(&b, a, docs, o); err != nil {
				t.Fatal(err)
			}
			most := budget * layout.TokenBytes
			if budget == 0 {
				most = (1 + len(docs)) * layout.PageBytes
			}
			if b.Len() > most {
				t.Fatalf("seed %d: %d bytes in %d tokens", seed, b.Len(), budget)
			}
			if err := layouttest.Harmless(b.String()); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			left := ""
			for i, d := range docs {
				if shown := strings.Contains(b.String(), fmt.Sprintf("\n%d. ", i+1)); !shown && left == "" {
					left = fmt.Sprintf("%d more: --budget ", len(docs)-i)
				} else if shown && len(d.text()) > layout.PageBytes && !strings.Contains(b.String(), "cut, whole: ") {
					t.Fatalf("seed %d: a cut of %d bytes is not said", seed, len(d.text()))
				}
			}
			if !strings.Contains(b.String(), left) {
				t.Fatalf("seed %d, budget %d: want %q in\n%s", seed, budget, left, b.String())
			}
		}
	}
}
