package main

import (
	"fmt"
	"testing"

	"patina/bench/eval"
)

// TestDifferences: what a few questions have may be chance; what most have in all trees is beyond the bound, in either direction. Other
// systems are only told.
func TestDifferences(t *testing.T) {
	system := func(name string, ranks ...int) eval.System {
		s := eval.System{Name: name}
		for i, rank := range ranks {
			s.Rows = append(s.Rows, eval.Row{ID: fmt.Sprint(i), Rank: rank, NDCG: 1 / float64(rank)})
			s.Overall.MRR.Mean += 1 / float64(rank) / float64(len(ranks))
		}
		return s
	}
	all := func(rank int) (out []int) {
		for range 20 {
			out = append(out, rank)
		}
		return out
	}
	one, most := all(1), all(2)
	one[3] = 2
	copy(most, []int{1, 1, 1})
	for _, x := range []struct {
		name        string
		views, owns [3][]int // of three trees
		within      int
		beyond      bool
	}{
		{"the same", [3][]int{all(1), all(1), all(1)}, [3][]int{all(1), all(1), all(1)}, 3, false},
		{"one place lower", [3][]int{one, one, one}, [3][]int{all(1), all(1), all(1)}, 0, false},
		{"most lower", [3][]int{most, most, most}, [3][]int{all(1), all(1), all(1)}, 0, true},
		{"most higher", [3][]int{all(1), all(1), all(1)}, [3][]int{most, most, most}, 0, true},
		{"lower and higher", [3][]int{one, all(1), all(1)}, [3][]int{all(1), one, all(1)}, 1, false},
		{"all lower in one", [3][]int{all(1), all(2), all(1)}, [3][]int{all(1), all(1), all(1)}, 2, true},
	} {
		var ds differences
		for i := range x.views {
			ds.add(system("fused", x.views[i]...), system("fused", x.owns[i]...))
			ds.add(system("only lexical", all(1)...), system("only lexical", all(2)...))
		}
		if err := ds.tell(); (err != nil) != x.beyond {
			t.Errorf("%s: %v", x.name, err)
		}
		if d := ds[0]; d.trees != 3 || d.within != x.within {
			t.Errorf("%s: %d trees, %d within", x.name, d.trees, d.within)
		}
	}
}
