package graph

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// random returns a tidy graph with n nodes and about m edges, cycles and loops among them.
func random(r *rand.Rand, n, m int) *Graph {
	g := &Graph{}
	for i := range n {
		g.Nodes = append(g.Nodes, Node{ID: fmt.Sprint("n", i), Weight: float64(r.IntN(5))})
	}
	for range m {
		g.Edges = append(g.Edges, Edge{
			From: fmt.Sprint("n", r.IntN(n)), To: fmt.Sprint("n", r.IntN(n)), Kind: Calls,
			Candidate: r.IntN(3) == 0, Weight: 1,
		})
	}
	g.Tidy()
	return g
}

func size(n Node) (width, height float64) { return 40 + 10*n.Weight, 20 + n.Weight }

var testGaps = Gaps{Column: 50, Row: 8, Margin: 10}

// checkPlacing fails if boxes overlap or leave the drawing, or if a path does not join the boxes of
// its edge.
func checkPlacing(t *testing.T, g *Graph, p *Placing) {
	t.Helper()
	at := map[string]Box{}
	for i, b := range p.Boxes {
		at[g.Nodes[i].ID] = b
		if b.X < 0 || b.Y < 0 || b.X+b.Width > p.Width || b.Y+b.Height > p.Height {
			t.Errorf("box %d is outside: %+v of %v × %v", i, b, p.Width, p.Height)
		}
		for j, c := range p.Boxes[:i] {
			if b.X < c.X+c.Width && c.X < b.X+b.Width && b.Y < c.Y+c.Height-0.01 && c.Y < b.Y+b.Height-0.01 {
				t.Errorf("boxes %d and %d overlap: %+v, %+v", i, j, b, c)
			}
		}
	}
	for i, e := range g.Edges {
		path := p.Paths[i]
		if e.From == e.To {
			if len(path) != 1 {
				t.Errorf("a loop has %d points", len(path))
			}
			continue
		}
		if len(path) < 2 || !atSide(at[e.From], path[0]) || !atSide(at[e.To], path[len(path)-1]) {
			t.Errorf("edge %d from %+v to %+v has the path %v", i, at[e.From], at[e.To], path)
		}
	}
}

// atSide reports whether a point is on the left or right side of a box.
func atSide(b Box, q Point) bool {
	return (q.X == b.X || q.X == b.X+b.Width) && q.Y > b.Y && q.Y < b.Y+b.Height
}

func TestPlaceRandomGraphs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 1 + r.IntN(60)
		g := random(r, n, r.IntN(3*n))
		p := Place(g, size, testGaps)
		checkPlacing(t, g, p)
		if again := Place(g, size, testGaps); !reflect.DeepEqual(p, again) {
			t.Fatal("the same graph was laid out differently")
		}
	}
}

// A long path and a large, dense graph with cycles must end, without a deep recursion.
func TestPlaceLargeGraphs(t *testing.T) {
	long := &Graph{}
	for i := range 2000 {
		long.Nodes = append(long.Nodes, Node{ID: fmt.Sprintf("n%04d", i)})
		long.Edges = append(long.Edges, Edge{From: fmt.Sprintf("n%04d", i), To: fmt.Sprintf("n%04d", (i+1)%2000)})
	}
	long.Tidy()
	r := rand.New(rand.NewPCG(3, 4))
	dense := random(r, 2000, 20_000)
	dense.CutNodes(400)
	dense.CutEdges()
	if dense.Whole != 2000 || len(dense.Nodes) != 400 || dense.ShownOf() != "400 of 2,000 shown: those with most edges and weight" {
		t.Errorf("%d of %d nodes: %s", len(dense.Nodes), dense.Whole, dense.ShownOf())
	}
	for _, g := range []*Graph{long, dense} {
		checkPlacing(t, g, Place(g, size, testGaps))
	}
}

// Without a cycle every edge leads to the right, and the centre of a star is beside all.
func TestPlaceLeadsToTheRight(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 50 {
		g := random(r, 30, 60)
		g.Edges = slices.DeleteFunc(g.Edges, func(e Edge) bool { return e.From >= e.To })
		p := Place(g, size, testGaps)
		for i := range g.Edges {
			if path := p.Paths[i]; path[0].X >= path[len(path)-1].X {
				t.Errorf("an edge leads to the left: %v", path)
			}
		}
	}
}

func TestUntangle(t *testing.T) {
	g := &Graph{}
	for i := range 6 {
		g.Nodes = append(g.Nodes, Node{ID: fmt.Sprint("a", i)}, Node{ID: fmt.Sprint("b", 5-i)})
		g.Edges = append(g.Edges, Edge{From: fmt.Sprint("a", i), To: fmt.Sprint("b", 5-i)})
		if i > 0 { // one part
			g.Edges = append(g.Edges, Edge{From: fmt.Sprint("a", i), To: fmt.Sprint("b", 6-i)})
		}
	}
	g.Tidy()
	at := map[string]int{}
	part, boxes := []int{}, make([]Box, len(g.Nodes))
	for i, n := range g.Nodes {
		at[n.ID], part = i, append(part, i)
	}
	l := newLayered(g, at, part, boxes)
	if n := l.crossings(); n == 0 {
		t.Error("the order at the start has no crossing: nothing is tested")
	}
	if l.untangle(); l.crossings() != 0 {
		t.Errorf("%d crossings are left", l.crossings())
	}
}

func TestInversions(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 100 {
		numbers := make([]int, r.IntN(40))
		for i := range numbers {
			numbers[i] = r.IntN(17)
		}
		want := 0
		for i, a := range numbers {
			for _, b := range numbers[i+1:] {
				if a > b {
					want++
				}
			}
		}
		if got := inversions(numbers, 17); got != want {
			t.Errorf("inversions(%v) = %d, want %d", numbers, got, want)
		}
	}
}

func TestTidy(t *testing.T) {
	g := &Graph{
		Nodes: []Node{{ID: "b"}, {ID: "a", Weight: 1}, {ID: "c", Centre: true}, {ID: "a", Label: "second"}},
		Edges: []Edge{
			{From: "a", To: "b", Kind: Calls, Candidate: true, Weight: 1, Note: "maybe"},
			{From: "a", To: "b", Kind: Calls, Weight: 2},
			{From: "a", To: "x", Kind: Calls},
			{From: "c", To: "b", Kind: Changes, Weight: 1},
			{From: "b", To: "c", Kind: Changes, Weight: 1},
		},
	}
	g.Tidy()
	wantNodes := []Node{{ID: "c", Centre: true}, {ID: "a", Weight: 1}, {ID: "b"}}
	wantEdges := []Edge{{From: "a", To: "b", Kind: Calls, Weight: 3}, {From: "b", To: "c", Kind: Changes, Weight: 2}}
	if !reflect.DeepEqual(g.Nodes, wantNodes) {
		t.Errorf("nodes %+v", g.Nodes)
	}
	if len(g.Edges) != 2 || g.Edges[0] != wantEdges[0] || g.Edges[1].Weight != 2 {
		t.Errorf("edges %+v", g.Edges)
	}
}

// The centre and its neighbour stay, even if a far node is heavier.
func TestCutKeepsTheNearest(t *testing.T) {
	g := &Graph{Nodes: []Node{{ID: "far", Weight: 100}, {ID: "x", Centre: true}, {ID: "near"}}}
	g.Edges = []Edge{{From: "x", To: "near", Kind: Calls}, {From: "near", To: "far", Kind: Calls}}
	g.Tidy()
	g.CutNodes(2)
	g.CutEdges()
	if len(g.Nodes) != 2 || g.Nodes[0].ID != "x" || g.Nodes[1].ID != "near" || len(g.Edges) != 1 {
		t.Errorf("%+v", g)
	}
	if want := "2 of 3 shown: the nearest, then those with most weight"; g.ShownOf() != want {
		t.Errorf("%q, want %q", g.ShownOf(), want)
	}
}

// What DropImplied drops is still reachable, and nothing that is left is implied.
func TestDropImplied(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 50 {
		g := random(r, 12, 40)
		before := closure(g)
		edges := len(g.Edges)
		if n := g.DropImplied(Calls); edges-n != len(g.Edges) {
			t.Errorf("%d of %d edges dropped, %d are left", n, edges, len(g.Edges))
		}
		if !reflect.DeepEqual(before, closure(g)) {
			t.Error("a node is no longer reachable")
		}
	}
	g := &Graph{Nodes: []Node{{ID: "a"}, {ID: "b"}, {ID: "c"}}}
	g.Edges = []Edge{{From: "a", To: "b", Kind: Imports}, {From: "b", To: "c", Kind: Imports}, {From: "a", To: "c", Kind: Imports}}
	if n := g.DropImplied(Imports); n != 1 {
		t.Errorf("%d dropped, want 1", n)
	}
}

func closure(g *Graph) map[[2]string]bool {
	out := map[[2]string]bool{}
	for _, e := range g.Edges {
		out[[2]string{e.From, e.To}] = true
	}
	for _, k := range g.Nodes {
		for _, i := range g.Nodes {
			for _, j := range g.Nodes {
				if out[[2]string{i.ID, k.ID}] && out[[2]string{k.ID, j.ID}] {
					out[[2]string{i.ID, j.ID}] = true
				}
			}
		}
	}
	return out
}

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1000: "-1,000"} {
		if got := Thousands(n); got != want {
			t.Errorf("Thousands(%d) = %q, want %q", n, got, want)
		}
	}
}

// FuzzPlace lays out the graph whose edges are pairs of bytes.
func FuzzPlace(f *testing.F) {
	f.Add([]byte{0, 1, 1, 2, 2, 0, 3, 3, 0, 4})
	f.Add([]byte("a graph"))
	f.Fuzz(func(t *testing.T, edges []byte) {
		g := &Graph{}
		for i := range 256 {
			if slices.Contains(edges, byte(i)) {
				g.Nodes = append(g.Nodes, Node{ID: fmt.Sprint(i), Weight: float64(i % 7)})
			}
		}
		for i := 0; i+1 < min(len(edges), 400); i += 2 {
			g.Edges = append(g.Edges, Edge{From: fmt.Sprint(edges[i]), To: fmt.Sprint(edges[i+1]), Kind: Calls})
		}
		g.Tidy()
		g.DropImplied(Calls)
		checkPlacing(t, g, Place(g, size, testGaps))
	})
}

func BenchmarkPlace(b *testing.B) {
	for _, n := range []int{40, 100, 400} {
		g := random(rand.New(rand.NewPCG(1, 1)), n, EdgesPerNode*n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				Place(g, size, testGaps)
			}
		})
	}
}

// Of too many edges the certain and heavy ones stay, and every node keeps one.
func TestCutEdges(t *testing.T) {
	g := random(rand.New(rand.NewPCG(11, 12)), 20, 400)
	for i := range g.Edges {
		g.Edges[i].Weight = float64(i % 9)
	}
	linked := map[string]bool{}
	for _, e := range g.Edges {
		linked[e.From], linked[e.To] = true, true
	}
	g.CutEdges()
	if len(g.Edges) != EdgesPerNode*20 || len(g.Notes) != 1 {
		t.Errorf("%d edges, notes %q", len(g.Edges), g.Notes)
	}
	candidates := 0
	for _, e := range g.Edges {
		delete(linked, e.From)
		delete(linked, e.To)
		candidates += rank(e.Candidate)
	}
	if len(linked) > 0 || candidates > 0 {
		t.Errorf("%d nodes lost their edges, %d candidates stay before certain edges", len(linked), candidates)
	}
}
