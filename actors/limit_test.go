package actors

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"patina/actors/api"
	"patina/fusion"
	"patina/oracles"
	"patina/store/doc"
)

// ranks answers with as many commits as a question asks for, out of 500, in an order of its own.
func ranks(stride int) func(context.Context, oracles.Question) ([]oracles.List, error) {
	return func(_ context.Context, q oracles.Question) ([]oracles.List, error) {
		l := oracles.List{Kind: doc.Commit}
		for i := range min(q.Limit, 500) {
			l.Hits = append(l.Hits, doc.Ranked{
				DocID: fmt.Sprintf("commit:%012x", (i*stride)%500), Raw: float64(500 - i),
			})
		}
		return []oracles.List{l}, nil
	}
}

// A larger limit must only add results, without moving any.
func TestLimitChangesNoPlace(t *testing.T) {
	e := newEngine(t, Options{
		Projects: []Project{newProject(t, "p")},
		Oracles: []oracles.Oracle{
			script{"lexical", ranks(1)},
			// Ranks of the second list from 100 on are first ranks in the first.
			script{"semantic", ranks(499)},
			script{"belief", ranks(101)},
		},
	})
	ask := func(limit int) []fusion.Result {
		t.Helper()
		a, err := e.Scry(t.Context(), api.Request{Text: "evict", Limit: limit, Timeout: ample, Filter: doc.Filter{Kinds: []doc.Kind{doc.Commit}}})
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Results) != limit {
			t.Fatalf("limit %d: %d results", limit, len(a.Results))
		}
		return rankingOf(a)
	}
	longest := ask(150)
	for _, limit := range []int{1, 10, 33, 34, 100} {
		if got := ask(limit); !reflect.DeepEqual(got, longest[:limit]) {
			t.Errorf("the first %d differ between limits %d and 150", limit, limit)
		}
	}
}
