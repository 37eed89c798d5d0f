package route

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
)

// The sums over all terms give for any question the counts of its words, also when the sums of
// two machines are added up.
func TestSumCountsAsCount(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var all []Sketch
	for range 40 {
		c := Contents{Chunks: r.IntN(5000), Terms: map[string]int{}}
		for range r.IntN(900) {
			c.Terms[fmt.Sprint("w", r.IntN(2000))] = 1 + r.IntN(300)
		}
		for range r.IntN(20) {
			c.Stated = append(c.Stated, []string{fmt.Sprint("w", r.IntN(2000)), fmt.Sprint("w", r.IntN(2000))})
		}
		all = append(all, New(c))
	}
	var terms []string
	for i := range 2100 {
		terms = append(terms, fmt.Sprint("w", i))
	}
	want := Count(terms, all)
	if len(want.Terms) < 1000 || len(want.Terms) == len(terms) {
		t.Fatalf("%d terms are known", len(want.Terms))
	}
	if got := Sum(all).Of(terms); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	a, b := Sum(all[:13]), Sum(all[13:])
	before := a.Terms[HashOf("w1")]
	if got := a.Plus(b).Of(terms); !reflect.DeepEqual(got, want) {
		t.Errorf("in two parts: %v, want %v", got, want)
	}
	if a.Terms[HashOf("w1")] != before {
		t.Error("Plus changes what it adds to")
	}
	if got := (Counts{}).Plus(a); !reflect.DeepEqual(got, a) {
		t.Error("nothing and something is not something")
	}
	if got := Sum(nil).Of(terms); got.Chunks != 0 || len(got.Terms) != 0 {
		t.Errorf("no sketches: %v", got)
	}
}
