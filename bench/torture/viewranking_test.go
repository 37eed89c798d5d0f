package main

import (
	"fmt"
	"testing"

	"patina/bench/eval"
)

// TestDifferences: one place of one question in twenty is beyond the bound, in either direction; other systems are only told.
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
	one := all(1)
	one[3] = 2
	for _, x := range []struct {
		name      string
		view, own []int
		beyond    bool
	}{
		{"the same", all(1), all(1), false},
		{"one place lower", one, all(1), true},
		{"one place higher", all(1), one, true},
		{"all lower", all(2), all(1), true},
	} {
		var ds differences
		for range 3 {
			ds.add(system("fused", x.view...), system("fused", x.own...))
			ds.add(system("only lexical", all(1)...), system("only lexical", all(2)...))
		}
		if err := ds.tell(); (err != nil) != x.beyond {
			t.Errorf("%s: %v", x.name, err)
		}
		if d := ds[0]; d.trees != 3 || (d.within == 3) == x.beyond {
			t.Errorf("%s: %d trees, %d within", x.name, d.trees, d.within)
		}
	}
}
