package graph

import "slices"

// bendWeight is how much more a bend pulls than a node, so that long edges become straight.
const bendWeight = 4

// bendGap is the share of a gap that a bend needs.
const bendGap = 0.6

// straighten gives each slot its height in the drawing. Layer by layer, each goes as near to the
// mean of the slots beside it as the order and the gaps in its layer let it. In the second half of
// the passes the bends of one edge go to one height.
func (l *layered) straighten(gap float64) {
	for _, layer := range l.layers {
		y := 0.0
		for _, s := range layer {
			l.slots[s].y = y + l.slots[s].height/2
			y += l.slots[s].height + gap
		}
		for _, s := range layer { // centred, so that the start does not favour the top
			l.slots[s].y -= y / 2
		}
	}
	chainOf := make([]int, len(l.slots))
	for i, c := range l.chains {
		for _, s := range c.slots[1 : len(c.slots)-1] {
			chainOf[s] = i
		}
	}
	half := l.sweeps()
	for i := range 2 * half {
		var level []float64
		if i >= half {
			level = l.levels()
		}
		for j := range l.layers {
			layer := l.layers[j]
			if i%2 == 1 {
				layer = l.layers[len(l.layers)-1-j]
			}
			l.settleLayer(layer, gap, func(s int) float64 {
				if level != nil && l.slots[s].node < 0 {
					return level[chainOf[s]]
				}
				return l.targetHeight(s, i, i >= half)
			})
		}
	}
}

// levels returns the mean height of each chain.
func (l *layered) levels() []float64 {
	out := make([]float64, len(l.chains))
	for i, c := range l.chains {
		for _, s := range c.slots {
			out[i] += l.slots[s].y / float64(len(c.slots))
		}
	}
	return out
}

// settleLayer moves the slots of a layer to their wanted heights, or as near as possible: with the
// smallest sum of squares under the distances that must be kept.
func (l *layered) settleLayer(layer []int, gap float64, wanted func(s int) float64) {
	type block struct{ sum, weight float64 }
	var blocks []block
	sizes := make([]int, 0, len(layer))
	offset := make([]float64, len(layer))
	for i, s := range layer {
		if i > 0 {
			above := &l.slots[layer[i-1]]
			between := gap
			if above.node < 0 || l.slots[s].node < 0 {
				between *= bendGap
			}
			offset[i] = offset[i-1] + (above.height+l.slots[s].height)/2 + between
		}
		weight := 1.0
		if l.slots[s].node < 0 {
			weight = bendWeight
		}
		blocks = append(blocks, block{(wanted(s) - offset[i]) * weight, weight})
		sizes = append(sizes, 1)
		for n := len(blocks); n > 1 && blocks[n-2].sum/blocks[n-2].weight > blocks[n-1].sum/blocks[n-1].weight; n-- {
			blocks[n-2].sum += blocks[n-1].sum
			blocks[n-2].weight += blocks[n-1].weight
			sizes[n-2] += sizes[n-1]
			blocks, sizes = blocks[:n-1], sizes[:n-1]
		}
	}
	i := 0
	for b, size := range sizes {
		for range size {
			l.slots[layer[i]].y = blocks[b].sum/blocks[b].weight + offset[i]
			i++
		}
	}
}

// targetHeight returns the mean height of the slots beside one: in turn on the left, on the right,
// and in later passes on both sides.
func (l *layered) targetHeight(s, pass int, both bool) float64 {
	var beside []int
	switch x := &l.slots[s]; {
	case both || len(x.left) == 0 || len(x.right) == 0:
		beside = slices.Concat(x.left, x.right)
	case pass%2 == 0:
		beside = x.left
	default:
		beside = x.right
	}
	if len(beside) == 0 {
		return l.slots[s].y
	}
	sum := 0.0
	for _, b := range beside {
		sum += l.slots[b].y
	}
	return sum / float64(len(beside))
}

// bounds returns the top and the bottom of all slots.
func (l *layered) bounds() (top, bottom float64) {
	for i, s := range l.slots {
		if i == 0 || s.y-s.height/2 < top {
			top = s.y - s.height/2
		}
		if i == 0 || s.y+s.height/2 > bottom {
			bottom = s.y + s.height/2
		}
	}
	return top, bottom
}

// portShare is the part of a box's side at which edges end.
const portShare = 0.6

// route makes the paths of the edges. Their ends are spread over the side of a box, in the order of
// their other ends, so that they do not cross there.
func (l *layered) route(p *Placing, lefts, widths []float64) {
	type end struct {
		chain int
		other float64 // height of the slot beside it
	}
	outs, ins := make(map[int][]end), make(map[int][]end)
	for i, c := range l.chains {
		first, last := c.slots[0], c.slots[len(c.slots)-1]
		outs[first] = append(outs[first], end{i, l.slots[c.slots[1]].y})
		ins[last] = append(ins[last], end{i, l.slots[c.slots[len(c.slots)-2]].y})
	}
	spread := func(all map[int][]end) []float64 {
		at := make([]float64, len(l.chains))
		for s, ends := range all {
			slices.SortStableFunc(ends, func(a, b end) int {
				switch {
				case a.other < b.other:
					return -1
				case a.other > b.other:
					return 1
				}
				return 0
			})
			for i, e := range ends {
				share := (float64(i)+0.5)/float64(len(ends)) - 0.5
				at[e.chain] = l.slots[s].y + share*portShare*l.slots[s].height
			}
		}
		return at
	}
	outAt, inAt := spread(outs), spread(ins)
	for i, c := range l.chains {
		var path Path
		for j, s := range c.slots {
			x := &l.slots[s]
			switch left := lefts[x.layer]; {
			case j == 0:
				path = append(path, Point{left + x.width, outAt[i]})
				if x.width < widths[x.layer] { // past the wider boxes of its layer
					path = append(path, Point{left + widths[x.layer], outAt[i]})
				}
			case j == len(c.slots)-1:
				path = append(path, Point{left, inAt[i]})
			default:
				path = append(path, Point{left, x.y}, Point{left + widths[x.layer], x.y})
			}
		}
		if c.back {
			slices.Reverse(path)
		}
		p.Paths[c.edge] = path
	}
}
