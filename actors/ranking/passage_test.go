package ranking

import (
	"fmt"
	"testing"

	"patina/actors/api"
	"patina/fusion"
	"patina/oracles"
	"patina/store/doc"
)

// The limit must not move the shown place of a document. Chunks of hits that are listed only for
// the limit do not count if there are others.
func TestLimitChangesNoPassage(t *testing.T) {
	hits := make([]doc.Ranked, hitsAKind+2)
	for i := range hits {
		path := fmt.Sprintf("%d.go", i)
		hits[i] = doc.Ranked{DocID: path, Path: path, Raw: 1, Chunks: []int{7}}
	}
	near := doc.Ranked{DocID: hits[hitsAKind].DocID, Path: hits[hitsAKind].Path, Raw: 1, Chunks: []int{3}}
	got := []*api.Lists{{Lists: []oracles.List{
		{Channel: "lexical", Kind: doc.Code, Hits: hits},
		{Channel: "semantic", Kind: doc.Code, Hits: []doc.Ranked{near}},
	}}}
	keyed := func(path string) fusion.Key { return fusion.Key{Kind: string(doc.Code), ID: path} }
	ranked, behind := keyed(near.Path), keyed(hits[hitsAKind+1].Path)
	found := ChunksOf(got, map[fusion.Key]bool{ranked: true, behind: true})
	if f := found[ranked]; len(f) != 1 || f[0].Chunks[0] != 3 {
		t.Errorf("%+v", f)
	}
	if f := found[behind]; len(f) != 1 || f[0].Chunks[0] != 7 {
		t.Errorf("a document behind: %+v", f)
	}
}
