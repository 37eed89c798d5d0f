package standing_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"patina/belief/standing"
)

func of(t *testing.T, g *standing.Graph, id string) float64 {
	t.Helper()
	s, ok := g.Score(id)
	if !ok {
		t.Fatalf("no score for %q", id)
	}
	return s
}

func attack(from, to string) standing.Edge { return standing.Edge{From: from, To: to, Weight: 1} }
func support(from, to string) standing.Edge {
	return standing.Edge{From: from, To: to, Supports: true, Weight: 1}
}

// The values were computed by hand from the formula in the package comment.
func TestScores(t *testing.T) {
	b := []standing.Belief{{ID: "a", Base: 0.8}, {ID: "b", Base: 0.5}, {ID: "c", Base: 0.5}}
	for _, test := range []struct {
		name  string
		edges []standing.Edge
		want  float64 // of a
	}{
		{"no edges", nil, 0.8},
		{"one attack", []standing.Edge{attack("b", "a")}, 0.8 - 0.8*0.2},
		{"one support", []standing.Edge{support("b", "a")}, 0.8 + 0.2*0.2},
		{"equal support and attack", []standing.Edge{attack("b", "a"), support("c", "a")}, 0.8},
		{"two attacks", []standing.Edge{attack("b", "a"), attack("c", "a")}, 0.4},
		{"half a weight", []standing.Edge{{From: "b", To: "a", Weight: 0.5}}, 0.8 - 0.8*0.0625/1.0625},
		{"an attacker that is attacked", []standing.Edge{attack("b", "a"), attack("c", "b")}, 0.8 - 0.8*0.16/1.16},
		{"an unknown attacker", []standing.Edge{attack("z", "a")}, 0.8},
		{"the same attack twice", []standing.Edge{attack("b", "a"), attack("b", "a")}, 0.8 - 0.8*0.2},
		{"support for itself", []standing.Edge{support("a", "a")}, 0.8},
		{"no weight", []standing.Edge{{From: "b", To: "a"}}, 0.8},
		{"a weight above 1", []standing.Edge{{From: "b", To: "a", Weight: 7}}, 0.8 - 0.8*0.2},
	} {
		if got := of(t, standing.New(b, test.edges), "a"); math.Abs(got-test.want) > 1e-6 {
			t.Errorf("%s: %.9f, want %.9f", test.name, got, test.want)
		}
	}
}

// A belief that attacks itself settles at the score that its own attack gives.
func TestSelfAttack(t *testing.T) {
	g := standing.New([]standing.Belief{{ID: "a", Base: 1}}, []standing.Edge{attack("a", "a")})
	s := of(t, g, "a")
	if want := 1 - s*s/(1+s*s); s >= 1 || s <= 0 || math.Abs(s-want) > 1e-6 {
		t.Errorf("score %.9f is no fixed point (%.9f)", s, want)
	}
}

// Cycles of every kind settle, and equal places in them get equal scores.
func TestCyclesConverge(t *testing.T) {
	for _, n := range []int{2, 3, 4, 5, 30} {
		for name, edge := range map[string]func(a, b string) standing.Edge{"attack": attack, "support": support} {
			var beliefs []standing.Belief
			var ring, all []standing.Edge
			id := func(i int) string { return fmt.Sprint("b", i%n) }
			for i := range n {
				beliefs = append(beliefs, standing.Belief{ID: id(i), Base: 0.8})
				ring = append(ring, edge(id(i), id(i+1)))
				for j := range n {
					all = append(all, edge(id(i), id(j)))
				}
			}
			for shape, edges := range map[string][]standing.Edge{"ring": ring, "complete": all} {
				g := standing.New(beliefs, edges)
				if ok, rounds := g.Settled(); !ok {
					t.Errorf("%s of %d by %s: not settled after %d rounds", shape, n, name, rounds)
				}
				for i := range n {
					if a, b := of(t, g, id(i)), of(t, g, id(0)); math.Abs(a-b) > 1e-6 {
						t.Errorf("%s of %d by %s: %s has %.6f, %s %.6f", shape, n, name, id(i), a, id(0), b)
					}
				}
			}
		}
	}
}

// Ten thousand beliefs settle in any shape, and every score solves its equation.
func TestTenThousand(t *testing.T) {
	const n = 10_000
	id := func(i int) string { return fmt.Sprint("b", i%n) }
	for shape, edge := range map[string]func(i int) standing.Edge{
		"every belief attacks itself":     func(i int) standing.Edge { return attack(id(i), id(i)) },
		"a ring of attacks":               func(i int) standing.Edge { return attack(id(i), id(i+1)) },
		"a chain of supports":             func(i int) standing.Edge { return support(id(i), id(min(i+1, n-1))) },
		"all attack one":                  func(i int) standing.Edge { return attack(id(i), id(0)) },
		"one attacks all":                 func(i int) standing.Edge { return attack(id(0), id(i)) },
		"all support one of ten":          func(i int) standing.Edge { return support(id(i), id(i%10)) },
		"attacks from and on the unknown": func(i int) standing.Edge { return attack(id(i), "nobody") },
	} {
		bs, es := make([]standing.Belief, n), make([]standing.Edge, 0, n)
		for i := range n {
			bs[i] = standing.Belief{ID: id(i), Base: float64(i%11) / 10}
			es = append(es, edge(i))
		}
		g := standing.New(bs, es)
		if ok, rounds := g.Settled(); !ok {
			t.Errorf("%s: not settled after %d rounds", shape, rounds)
		}
		for i := 0; i < n; i += 997 {
			x, _ := g.Explain(id(i))
			e := 0.0
			for _, source := range x.Sources {
				e += source.Energy
			}
			pull := e * e / (1 + e*e)
			want := x.Base + (1-x.Base)*pull
			if e < 0 {
				want = x.Base - x.Base*pull
			}
			if x.Score < 0 || x.Score > 1 || math.Abs(x.Score-want) > 1e-6 {
				t.Errorf("%s: %s has %v, its equation gives %v", shape, id(i), x.Score, want)
			}
		}
	}
}

// world returns a random graph with cycles.
func world(r *rand.Rand, n, edges int) ([]standing.Belief, []standing.Edge) {
	var bs []standing.Belief
	var es []standing.Edge
	for i := range n {
		bs = append(bs, standing.Belief{ID: fmt.Sprintf("b%05d", i), Base: r.Float64()})
	}
	for range edges {
		es = append(es, standing.Edge{
			From: bs[r.IntN(n)].ID, To: bs[r.IntN(n)].ID, Supports: r.IntN(2) == 0,
			Weight: r.Float64(),
		})
	}
	return bs, es
}

// Every random graph settles, every score is in 0 to 1 and solves its equation, and the order of
// the input has no effect.
func TestRandomGraphs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 1 + r.IntN(40)
		bs, es := world(r, n, r.IntN(6*n))
		g := standing.New(bs, es)
		if ok, _ := g.Settled(); !ok {
			t.Fatalf("%d beliefs, %d edges: not settled", n, len(es))
		}
		r.Shuffle(len(bs), func(i, j int) { bs[i], bs[j] = bs[j], bs[i] })
		r.Shuffle(len(es), func(i, j int) { es[i], es[j] = es[j], es[i] })
		again := standing.New(bs, es)
		for _, b := range bs {
			s := of(t, g, b.ID)
			x, _ := g.Explain(b.ID)
			if s < 0 || s > 1 || s != of(t, again, b.ID) {
				t.Fatalf("%s: %v, and %v in another order", b.ID, s, of(t, again, b.ID))
			}
			e := 0.0
			for _, i := range x.Sources {
				e += i.Energy
			}
			pull := e * e / (1 + e*e)
			want := b.Base + (1-b.Base)*pull
			if e < 0 {
				want = b.Base - b.Base*pull
			}
			if math.Abs(s-want) > 1e-6 {
				t.Fatalf("%s: %v, its equation gives %v", b.ID, s, want)
			}
		}
	}
}

// Without cycles, one more supporter or a stronger one never lowers a score. Attackers mirror that.
func TestMonotone(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		bs := []standing.Belief{{ID: "a", Base: r.Float64()}}
		var es []standing.Edge
		for i := range r.IntN(6) {
			bs = append(bs, standing.Belief{ID: fmt.Sprint(i), Base: r.Float64()})
			es = append(es, standing.Edge{From: fmt.Sprint(i), To: "a", Supports: r.IntN(2) == 0, Weight: r.Float64()})
		}
		before := of(t, standing.New(bs, es), "a")
		weak, strong := r.Float64(), r.Float64()
		weak, strong = min(weak, strong), max(weak, strong)
		with := func(base float64, supports bool) float64 {
			return of(t, standing.New(append(slices.Clone(bs), standing.Belief{ID: "new", Base: base}),
				append(slices.Clone(es), standing.Edge{From: "new", To: "a", Supports: supports, Weight: 1})), "a")
		}
		for i, s := range [][2]float64{
			{before, with(weak, true)},
			{with(weak, true), with(strong, true)},
			{with(weak, false), before},
			{with(strong, false), with(weak, false)},
		} {
			if s[0] > s[1]+1e-12 {
				t.Fatalf("pair %d: %v is above %v, for %v and %v", i, s[0], s[1], bs, es)
			}
		}
	}
}

// Undo names the fewest sources, and without them the score is the base score.
func TestExplain(t *testing.T) {
	bs := []standing.Belief{
		{ID: "a", Base: 0.8},
		{ID: "weak", Base: 0.3},
		{ID: "strong", Base: 0.9},
		{ID: "friend", Base: 0.5},
	}
	es := []standing.Edge{attack("weak", "a"), attack("strong", "a"), support("friend", "a")}
	x, ok := standing.New(bs, es).Explain("a")
	if !ok || len(x.Sources) != 3 || x.Sources[0].From != "strong" || x.Score >= x.Base {
		t.Fatalf("%+v", x)
	}
	if len(x.Undo) != 1 || x.Undo[0].From != "strong" {
		t.Errorf("undo: %+v", x.Undo)
	}
	if got := of(t, standing.New(bs, es[:1:1]), "a"); got >= x.Base {
		t.Error("the weak attack alone changes nothing")
	}
	without := of(t, standing.New(bs, []standing.Edge{es[0], es[2]}), "a")
	if without < x.Base || math.Abs(without-x.Undo[0].Without) > 1e-6 {
		t.Errorf("without the strong attack: %v, foretold %v", without, x.Undo[0].Without)
	}
	more := of(t, standing.New(append(bs, standing.Belief{ID: "new", Base: x.Balance}),
		append(es, support("new", "a"))), "a")
	if math.Abs(more-x.Base) > 1e-6 {
		t.Errorf("with support of %v: %v, want %v", x.Balance, more, x.Base)
	}
	if x, _ := standing.New(bs, nil).Explain("a"); len(x.Sources)+len(x.Undo) != 0 || x.Score != 0.8 {
		t.Errorf("without edges: %+v", x)
	}
	if _, ok := standing.New(bs, nil).Explain("nobody"); ok {
		t.Error("an unknown belief is explained")
	}
}

func TestOddNumbers(t *testing.T) {
	bs := []standing.Belief{
		{ID: "a", Base: math.NaN()},
		{ID: "b", Base: math.Inf(1)},
		{ID: "c", Base: -3},
		{ID: "b", Base: 0.1},
	}
	g := standing.New(bs, []standing.Edge{
		{From: "b", To: "a", Weight: math.NaN()},
		{From: "b", To: "c", Weight: math.Inf(1), Supports: true},
	})
	for id, want := range map[string]float64{"a": 0, "b": 1, "c": 0.5} {
		if got := of(t, g, id); math.Abs(got-want) > 1e-6 {
			t.Errorf("%s: %v, want %v", id, got, want)
		}
	}
}

// Any graph settles with scores in 0 to 1.
func FuzzScores(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8})
	f.Add([]byte{0, 0, 255, 0, 0, 255, 1, 255, 128})
	f.Fuzz(func(t *testing.T, data []byte) {
		var bs []standing.Belief
		for i := range 16 {
			bs = append(bs, standing.Belief{ID: string(rune('a' + i)), Base: float64(i) / 15})
		}
		var es []standing.Edge
		for ; len(data) >= 3 && len(es) < 300; data = data[3:] {
			es = append(es, standing.Edge{
				From: bs[data[0]%16].ID, To: bs[data[1]%16].ID, Supports: data[2]&1 == 0,
				Weight: float64(data[2]) / 255,
			})
		}
		g := standing.New(bs, es)
		for _, b := range bs {
			s, ok := g.Score(b.ID)
			x, _ := g.Explain(b.ID)
			if !ok || s < 0 || s > 1 || math.IsNaN(s) || x.Score != s || len(x.Undo) > len(x.Sources) {
				t.Fatalf("%+v", x)
			}
		}
	})
}

func BenchmarkTenThousand(b *testing.B) {
	bs, es := world(rand.New(rand.NewPCG(5, 6)), 10_000, 30_000)
	for b.Loop() {
		standing.New(bs, es)
	}
}
