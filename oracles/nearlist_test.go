package oracles

import (
	"math/rand/v2"
	"slices"
	"testing"

	"patina/store"
	"patina/store/vector"
)

// A list keeps the same items as sorting all of them, with ties by key.
func TestNearListIsTheFrontOfAll(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		limit := 1 + r.IntN(20)
		l := &nearList{limit: limit}
		var all []neighbour
		for key := range r.IntN(300) {
			n := neighbour{key: int64(key), best: r.Int32N(1000) - 100}
			l.push(n)
			if n.best > 0 {
				all = append(all, n)
			}
		}
		slices.SortFunc(all, neighbour.compareTo)
		want := all[:min(len(all), limit)]
		last := func(n neighbour) int32 { return n.best } // equally near ones are equal
		got := l.sorted()
		same := func(a, b neighbour) bool { return last(a) == last(b) }
		if !slices.EqualFunc(got, want, same) || !slices.IsSortedFunc(got, neighbour.compareTo) {
			t.Fatalf("limit %d: %v, want %v", limit, got, want)
		}
	}
}

func TestLeadingOfTies(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		items := make([]neighbour, 1+r.IntN(50))
		for i := range items {
			items[i] = neighbour{key: int64(i), best: r.Int32N(5)}
		}
		want := slices.Clone(items)
		slices.SortFunc(want, neighbour.compareTo)
		r.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
		n := r.IntN(len(items) + 1)
		selectFirst(items, n)
		slices.SortFunc(items[:n], neighbour.compareTo)
		if !slices.Equal(items[:n], want[:n]) {
			t.Fatalf("the first %d are %v, want %v", n, items[:n], want[:n])
		}
	}
}

// The chunks and the card of a group are one candidate. Hidden groups are left out.
func TestFoldJoinsRows(t *testing.T) {
	g := &store.Segment{
		Pooled: true, Chunks: 6, Starts: []uint32{0, 2, 2, 5, 6}, Keys: []int64{10, 20, 30, 40},
		Hidden: []bool{false, false, false, true},
	}
	found := &vector.Found{Rows: []int32{1, 2, 4, 5, 7, 8, 9}, Dots: []int32{3, 9, 5, 99, 7, 11, 98}}
	got := appendGroups(nil, g, found, 2)
	want := []neighbour{{10, 2, 0, 3}, {20, 2, 1, 7}, {30, 2, 2, 11}}
	if !slices.Equal(got, want) {
		t.Errorf("folded %v, want %v", got, want)
	}
	g.Pooled, g.Hidden = false, nil
	got = appendGroups(nil, g, &vector.Found{Rows: []int32{5}, Dots: []int32{-4}}, 0)
	if !slices.Equal(got, []neighbour{{40, 0, 3, -4}}) {
		t.Errorf("without cards: %v", got)
	}
}
