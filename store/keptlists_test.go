package store

import (
	"slices"
	"testing"
)

// Only long lists are kept, whole terms at a time, and no more than the bound.
func TestKeptListsAreBounded(t *testing.T) {
	segments := []*Segment{{ID: 1}, {ID: 2}}
	list := func(n int) PostingList { return PostingList{Len: n, Bytes: make([]byte, n)} }
	k := &keptLists{}
	k.keepLists(segments, []string{"rare", "common", "everywhere"}, [][]PostingList{
		{list(10), list(leastKeptList), list(keptListBytes)}, {{}, {}, {}},
	})
	lists, unknown := k.get(segments, []string{"common", "rare", "everywhere"})
	if !slices.Equal(unknown, []string{"rare", "everywhere"}) || lists[0][0].Len != leastKeptList || lists[1][0].Len != 0 {
		t.Errorf("kept %v, unknown %v", lists, unknown)
	}
	if _, unknown := k.get([]*Segment{{ID: 1}, {ID: 3}}, []string{"common"}); len(unknown) != 1 {
		t.Error("a term is known of a segment that was never read")
	}
	for term := range 100 {
		k.keepLists(segments[:1], []string{string(rune('a' + term))}, [][]PostingList{{list(keptListBytes / 8)}})
		if k.bytes > keptListBytes {
			t.Fatalf("%d bytes are kept", k.bytes)
		}
	}
}
