package graph

import (
	"cmp"
	"slices"
)

// A slot is a node in a layer, or a bend of an edge that passes one.
type slot struct {
	node          int // of the graph, or -1 for a bend
	layer         int
	width, height float64
	y             float64 // of the centre
	left, right   []int   // slots in the layers beside it
}

// A layered is one connected part of a graph on its way to a layout.
type layered struct {
	slots  []slot
	layers [][]int // slots, from top to bottom
	chains []chain
}

// A chain is an edge as the slots that it passes, from left to right.
type chain struct {
	edge  int
	slots []int
	back  bool // the edge leads from right to left
}

// placePart lays one connected part out below y, and returns its height.
func (p *Placing) placePart(g *Graph, at map[string]int, part []int, y float64, gaps Gaps) float64 {
	l := newLayered(g, at, part, p.Boxes)
	l.untangle()
	l.straighten(gaps.Row)
	top, bottom := l.bounds()
	x := gaps.Margin
	lefts, widths := make([]float64, len(l.layers)), make([]float64, len(l.layers))
	for i, layer := range l.layers {
		for _, s := range layer {
			widths[i] = max(widths[i], l.slots[s].width)
		}
		lefts[i] = x
		x += widths[i] + gaps.Column
	}
	for i := range l.slots {
		s := &l.slots[i]
		s.y += y - top
		if s.node >= 0 {
			p.Boxes[s.node].Point = Point{lefts[s.layer], s.y - s.height/2}
		}
	}
	l.route(p, lefts, widths)
	return bottom - top
}

// newLayered assigns layers, and puts a bend in each layer that an edge passes.
func newLayered(g *Graph, at map[string]int, part []int, boxes []Box) *layered {
	l, slotOf := &layered{}, make(map[int]int, len(part))
	for _, n := range part {
		slotOf[n] = len(l.slots)
		l.slots = append(l.slots, slot{node: n, width: boxes[n].Width, height: boxes[n].Height})
	}
	next := make([][]int, len(part)) // edges by their first slot
	var edges []chain
	for i, e := range g.Edges {
		from, ok := slotOf[at[e.From]]
		if !ok || e.From == e.To {
			continue
		}
		next[from] = append(next[from], len(edges))
		edges = append(edges, chain{edge: i, slots: []int{from, slotOf[at[e.To]]}})
	}
	turnBack(edges, next)
	for i, layer := range layersOf(len(part), edges) {
		l.slots[i].layer = layer
	}
	for i := range l.slots {
		l.addSlot(i)
	}
	for _, c := range edges {
		from, to := c.slots[0], c.slots[1]
		passed := []int{from}
		for layer := l.slots[from].layer + 1; layer < l.slots[to].layer; layer++ {
			passed = append(passed, len(l.slots))
			l.slots = append(l.slots, slot{node: -1, layer: layer})
			l.addSlot(len(l.slots) - 1)
		}
		c.slots = append(passed, to)
		for i, s := range c.slots[1:] {
			l.slots[c.slots[i]].right = append(l.slots[c.slots[i]].right, s)
			l.slots[s].left = append(l.slots[s].left, c.slots[i])
		}
		l.chains = append(l.chains, c)
	}
	return l
}

func (l *layered) addSlot(s int) {
	for len(l.layers) <= l.slots[s].layer {
		l.layers = append(l.layers, nil)
	}
	l.layers[l.slots[s].layer] = append(l.layers[l.slots[s].layer], s)
}

// turnBack reverses the edges that close a cycle in a walk over the graph, so that it has no cycle.
// It has no recursion, because a path may be long.
func turnBack(edges []chain, next [][]int) {
	const isNew, isOpen, isDone = 0, 1, 2
	state, tried := make([]int, len(next)), make([]int, len(next))
	// A walk begins where nothing leads to, so that few edges turn back.
	into := make([]int, len(next))
	for _, c := range edges {
		into[c.slots[1]]++
	}
	order := make([]int, len(next))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(into[a]-len(next[a]), into[b]-len(next[b]))
	})
	for _, start := range order {
		if state[start] != isNew {
			continue
		}
		state[start] = isOpen
		walk := []int{start}
		for len(walk) > 0 {
			n := walk[len(walk)-1]
			if tried[n] == len(next[n]) {
				state[n] = isDone
				walk = walk[:len(walk)-1]
				continue
			}
			c := &edges[next[n][tried[n]]]
			tried[n]++
			switch to := c.slots[1]; state[to] {
			case isNew:
				state[to] = isOpen
				walk = append(walk, to)
			case isOpen:
				c.back = true
			}
		}
	}
	for i := range edges {
		if edges[i].back {
			slices.Reverse(edges[i].slots)
		}
	}
}

// layersOf returns the layer of each node: after the longest path that leads to it. A node to which
// no edge leads is directly before the first of those that it leads to. There must be no cycle.
func layersOf(n int, edges []chain) []int {
	next, into := make([][]int, n), make([]int, n)
	for _, c := range edges {
		next[c.slots[0]] = append(next[c.slots[0]], c.slots[1])
		into[c.slots[1]]++
	}
	sources := slices.Clone(into)
	var ready []int
	for i := range n {
		if into[i] == 0 {
			ready = append(ready, i)
		}
	}
	layers := make([]int, n)
	for len(ready) > 0 {
		i := ready[0]
		ready = ready[1:]
		for _, to := range next[i] {
			layers[to] = max(layers[to], layers[i]+1)
			if into[to]--; into[to] == 0 {
				ready = append(ready, to)
			}
		}
	}
	for i := range n {
		if sources[i] > 0 || len(next[i]) == 0 {
			continue
		}
		nearest := n
		for _, to := range next[i] {
			nearest = min(nearest, layers[to])
		}
		layers[i] = nearest - 1
	}
	return layers
}
