package graph

import "slices"

// A Point is a place in a drawing, in pixels from the upper left corner.
type Point struct{ X, Y float64 }

// A Box is a place of a node: its upper left corner and its size.
type Box struct {
	Point
	Width, Height float64
}

// A Path is the way of an edge, from the border of its start to that of its end. It has at least
// two points, except that a loop has one, the upper right corner of its node.
type Path []Point

// A Placing is a drawing without looks. Its boxes and paths are in the order of nodes and edges.
type Placing struct {
	Width, Height float64
	Boxes         []Box
	Paths         []Path
}

// Gaps are the distances in a drawing.
type Gaps struct {
	Column float64 // between layers
	Row    float64 // between boxes in one layer
	Margin float64 // around all
}

// lone is the number of columns of nodes without edges.
const lone = 4

// Place lays a graph out in layers from left to right. size returns the size of a node's box.
// Parts that are not connected are below each other, and nodes without edges are in rows at the
// end. No two boxes overlap. The graph must be tidy.
func Place(g *Graph, size func(Node) (width, height float64), gaps Gaps) *Placing {
	p := &Placing{Boxes: make([]Box, len(g.Nodes)), Paths: make([]Path, len(g.Edges))}
	at := make(map[string]int, len(g.Nodes))
	for i, n := range g.Nodes {
		at[n.ID] = i
		p.Boxes[i].Width, p.Boxes[i].Height = size(n)
	}
	y := gaps.Margin
	parts, alone := split(g, at)
	for _, part := range parts {
		y += p.placePart(g, at, part, y, gaps) + 2*gaps.Row
	}
	p.placeAlone(alone, y, gaps)
	for i, e := range g.Edges {
		if e.From == e.To {
			b := p.Boxes[at[e.From]]
			p.Paths[i] = Path{{b.X + b.Width, b.Y}}
		}
	}
	for _, b := range p.Boxes {
		p.Width = max(p.Width, b.X+b.Width+gaps.Margin)
		p.Height = max(p.Height, b.Y+b.Height+gaps.Margin)
	}
	for _, path := range p.Paths {
		for _, q := range path {
			p.Width, p.Height = max(p.Width, q.X+gaps.Margin), max(p.Height, q.Y+gaps.Margin)
		}
	}
	return p
}

// split returns the connected parts of a graph, the largest first, and the nodes without edges to
// others.
func split(g *Graph, at map[string]int) (parts [][]int, alone []int) {
	root := make([]int, len(g.Nodes))
	for i := range root {
		root[i] = i
	}
	find := func(i int) int {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for _, e := range g.Edges {
		a, b := find(at[e.From]), find(at[e.To])
		root[max(a, b)] = min(a, b)
	}
	of := make(map[int]int)
	for i := range g.Nodes {
		r := find(i)
		if _, ok := of[r]; !ok {
			of[r] = len(parts)
			parts = append(parts, nil)
		}
		parts[of[r]] = append(parts[of[r]], i)
	}
	slices.SortStableFunc(parts, func(a, b []int) int { return len(b) - len(a) })
	for len(parts) > 0 && len(parts[len(parts)-1]) == 1 {
		parts = parts[:len(parts)-1]
	}
	joined := make(map[int]bool)
	for _, part := range parts {
		for _, i := range part {
			joined[i] = true
		}
	}
	for i := range g.Nodes {
		if !joined[i] {
			alone = append(alone, i)
		}
	}
	return parts, alone
}

// placeAlone places nodes without edges in rows from y on.
func (p *Placing) placeAlone(alone []int, y float64, gaps Gaps) {
	widest := make([]float64, lone)
	for i, n := range alone {
		widest[i%lone] = max(widest[i%lone], p.Boxes[n].Width)
	}
	for len(alone) > 0 {
		x, tallest := gaps.Margin, 0.0
		for i, n := range alone[:min(lone, len(alone))] {
			p.Boxes[n].Point = Point{x, y}
			x += widest[i] + 2*gaps.Row
			tallest = max(tallest, p.Boxes[n].Height)
		}
		alone = alone[min(lone, len(alone)):]
		y += tallest + gaps.Row
	}
}
