package actors

import (
	"context"
	"fmt"
	"reflect"
	"testing"

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

// A larger limit moves no result and changes no number. It only adds further ones.
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
		a, err := e.Scry(t.Context(), Request{Text: "evict", Limit: limit, Timeout: ample, Filter: doc.Filter{Kinds: []doc.Kind{doc.Commit}}})
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Results) != limit {
			t.Fatalf("limit %d: %d results", limit, len(a.Results))
		}
		return ranking(a)
	}
	longest := ask(150)
	for _, limit := range []int{1, 10, 33, 34, 100} {
		if got := ask(limit); !reflect.DeepEqual(got, longest[:limit]) {
			t.Errorf("the first %d differ between limits %d and 150", limit, limit)
		}
	}
}

// Nor does it move the place shown of a document: chunks of a hit that is listed only for the limit
// do not count beside chunks of one that ranks.
func TestLimitChangesNoPassage(t *testing.T) {
	hits := make([]doc.Ranked, hitsAKind+2)
	for i := range hits {
		path := fmt.Sprintf("%d.go", i)
		hits[i] = doc.Ranked{DocID: path, Path: path, Raw: 1, Chunks: []int{7}}
	}
	near := doc.Ranked{DocID: hits[hitsAKind].DocID, Path: hits[hitsAKind].Path, Raw: 1, Chunks: []int{3}}
	got := []*Lists{{Lists: []oracles.List{
		{Channel: "lexical", Kind: doc.Code, Hits: hits},
		{Channel: "semantic", Kind: doc.Code, Hits: []doc.Ranked{near}},
	}}}
	keyed := func(path string) fusion.Key { return fusion.Key{Kind: string(doc.Code), ID: path} }
	ranked, behind := keyed(near.Path), keyed(hits[hitsAKind+1].Path)
	found := foundOf(got, map[fusion.Key]bool{ranked: true, behind: true})
	if f := found[ranked]; len(f) != 1 || f[0].Chunks[0] != 3 {
		t.Errorf("%+v", f)
	}
	if f := found[behind]; len(f) != 1 || f[0].Chunks[0] != 7 {
		t.Errorf("a document behind: %+v", f)
	}
}
