package store

import (
	"errors"
	"fmt"
	"slices"

	"patina/store/vector"
)

// overfetched is how many rows of the graph are asked for, as a multiple of the documents wanted: a file has many rows, and some
// rows belong to documents that the view does not see. A row costs 5 µs (BenchmarkIndex): for a hundred hits 400 are asked for, 2 ms;
// 3,200 would take longer than a look at a million.
const overfetched = 2

// chooseByGraph adds groups of the segments that the graph covers, where one kind has many rows in it and nothing is filtered. It
// returns those segments: the others are to be scanned.
func (s *nearSearch) chooseByGraph(segments []*segment) ([]*segment, error) {
	graphed := s.rows.graphRows()
	if graphed == 0 || s.allow != nil {
		return nil, nil
	}
	covered := make(map[string]int64)
	for _, x := range segments {
		if x.vectors+x.vectorRows() <= graphed {
			covered[x.space] += x.vectorRows()
		}
	}
	var done []*segment // by first row
	limit := 0
	for _, x := range segments {
		if x.vectors+x.vectorRows() <= graphed && covered[x.space] >= s.rows.many() {
			done = append(done, x)
			limit = max(limit, s.lists[Kind(x.space)].limit)
		}
	}
	if len(done) == 0 {
		return nil, nil
	}
	slices.SortFunc(done, func(a, b *segment) int { return int(a.vectors - b.vectors) })
	rows, dots, err := s.rows.search(s.rounded, overfetched*limit)
	if errors.Is(err, vector.ErrClosed) { // a newer one has taken its place
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("search the graph of vectors: %w", damaged(err))
	}
	type place struct {
		segment *segment
		group   int
	}
	seen := make(map[place]bool)
	for i, row := range rows {
		at, exact := slices.BinarySearchFunc(done, row, func(x *segment, row int64) int { return int(x.vectors - row) })
		if !exact {
			at--
		}
		if at < 0 || row >= done[at].vectors+done[at].vectorRows() {
			continue // of another kind
		}
		p := place{done[at], done[at].groupOf(row)}
		if seen[p] || p.segment.hidden != nil && p.segment.hidden[p.group] {
			continue
		}
		seen[p] = true // the best row of a group comes first
		if list := s.lists[Kind(p.segment.space)]; dots[i] > list.floor {
			list.add(neighbour{p.segment, nil, p.group, dots[i]})
		}
	}
	return done, nil
}

// groupOf is the group that a row of the vector file belongs to.
func (g *segment) groupOf(row int64) int {
	at := row - g.vectors
	if at >= int64(g.chunks) {
		return int(at - int64(g.chunks))
	}
	i, exact := slices.BinarySearch(g.starts, uint32(at))
	if !exact {
		return i - 1
	}
	for g.starts[i+1] == uint32(at) { // groups without chunks stand before it
		i++
	}
	return i
}
