package oracles

import (
	"errors"
	"fmt"
	"slices"

	"patina/store"
	"patina/store/doc"
	"patina/store/vector"
)

// overfetched is the number of rows fetched from the graph for each document wanted. It is above 1
// because a file has many rows, and some rows belong to hidden documents. A row costs 5 µs
// (BenchmarkIndex): for a hundred hits 400 rows cost 2 ms; 3,200 would cost more than a scan of a
// million.
const overfetched = 2

// chooseByGraph adds groups from the segments that the graph covers, if one kind has many rows
// there and nothing is filtered. It returns these segments; the caller must scan the others. It
// returns nil if the graph cannot be used.
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
	var done []*store.Segment // sorted by first row
	limit := 0
	for _, x := range segments {
		if x.Vectors+x.VectorRows() <= graphed && covered[x.Space] >= s.rows.Many() {
			done = append(done, x)
			limit = max(limit, s.lists[doc.Kind(x.Space)].limit)
		}
	}
	if len(done) == 0 {
		return nil, nil
	}
	slices.SortFunc(done, func(a, b *store.Segment) int { return int(a.Vectors - b.Vectors) })
	rows, dots, err := s.rows.Search(s.rounded, overfetched*limit)
	if errors.Is(err, vector.ErrClosed) { // a newer graph has replaced it
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("search the graph of vectors: %w", store.Damaged(err))
	}
	type place struct{ segment, group int32 }
	first := len(s.searched)
	for _, x := range done {
		s.searched = append(s.searched, searched{Segment: x})
	}
	seen := make(map[place]bool)
	for i, row := range rows {
		at, exact := slices.BinarySearchFunc(done, row, func(x *store.Segment, row int64) int {
			return int(x.Vectors - row)
		})
		if !exact {
			at--
		}
		if at < 0 || row >= done[at].Vectors+done[at].VectorRows() {
			continue // a row of another kind
		}
		segment, group := done[at], groupOf(done[at], row)
		p := place{int32(first + at), int32(group)}
		if seen[p] || segment.Hidden != nil && segment.Hidden[group] {
			continue
		}
		seen[p] = true // a group's best row comes first
		list := s.lists[doc.Kind(segment.Space)]
		list.push(neighbour{segment.Keys[group], p.segment, p.group, dots[i]})
	}
	return done, nil
}

// groupOf returns the group of a row, which must be a row of g.
func groupOf(g *store.Segment, row int64) int {
	at := row - g.Vectors
	if at >= int64(g.Chunks) {
		return int(at - int64(g.Chunks))
	}
	i, exact := slices.BinarySearch(g.Starts, uint32(at))
	if !exact {
		return i - 1
	}
	for g.Starts[i+1] == uint32(at) { // skip groups without chunks
		i++
	}
	return i
}
