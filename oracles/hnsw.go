package oracles

import (
	"errors"
	"fmt"
	"slices"

	"patina/store"
	"patina/store/vector"
)

// overfetched is how many rows of the graph are asked for, as a multiple of the documents wanted: a file has many rows, and some
// rows belong to documents that the view does not see. A row costs 5 µs (BenchmarkIndex): for a hundred hits 400 are asked for, 2 ms;
// 3,200 would take longer than a look at a million.
const overfetched = 2

// chooseByGraph adds groups of the segments that the graph covers, where one kind has many rows in it and nothing is filtered. It
// returns those segments: the others are to be scanned.
func (s *nearSearch) chooseByGraph(segments []*store.Segment) ([]*store.Segment, error) {
	graphed := s.rows.GraphRows()
	if graphed == 0 || s.allow != nil {
		return nil, nil
	}
	covered := make(map[string]int64)
	for _, x := range segments {
		if x.Vectors+x.VectorRows() <= graphed {
			covered[x.Space] += x.VectorRows()
		}
	}
	var done []*store.Segment // by first row
	limit := 0
	for _, x := range segments {
		if x.Vectors+x.VectorRows() <= graphed && covered[x.Space] >= s.rows.Many() {
			done = append(done, x)
			limit = max(limit, s.lists[store.Kind(x.Space)].limit)
		}
	}
	if len(done) == 0 {
		return nil, nil
	}
	slices.SortFunc(done, func(a, b *store.Segment) int { return int(a.Vectors - b.Vectors) })
	rows, dots, err := s.rows.Search(s.rounded, overfetched*limit)
	if errors.Is(err, vector.ErrClosed) { // a newer one has taken its place
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("search the graph of vectors: %w", store.Damaged(err))
	}
	type place struct {
		segment *store.Segment
		group   int
	}
	seen := make(map[place]bool)
	for i, row := range rows {
		at, exact := slices.BinarySearchFunc(done, row, func(x *store.Segment, row int64) int { return int(x.Vectors - row) })
		if !exact {
			at--
		}
		if at < 0 || row >= done[at].Vectors+done[at].VectorRows() {
			continue // of another kind
		}
		p := place{done[at], groupOf(done[at], row)}
		if seen[p] || p.segment.Hidden != nil && p.segment.Hidden[p.group] {
			continue
		}
		seen[p] = true // the best row of a group comes first
		if list := s.lists[store.Kind(p.segment.Space)]; dots[i] > list.floor {
			list.add(neighbour{p.segment, nil, p.group, dots[i]})
		}
	}
	return done, nil
}

// groupOf is the group that a row of the vector file belongs to.
func groupOf(g *store.Segment, row int64) int {
	at := row - g.Vectors
	if at >= int64(g.Chunks) {
		return int(at - int64(g.Chunks))
	}
	i, exact := slices.BinarySearch(g.Starts, uint32(at))
	if !exact {
		return i - 1
	}
	for g.Starts[i+1] == uint32(at) { // groups without chunks stand before it
		i++
	}
	return i
}
