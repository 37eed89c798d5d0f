package store

import "patina/store/vector"

// A vectorReader is the vectors of one generation, and the graph over them that is open, if any.
type Vectors struct {
	file  *vector.File
	of    *vectorFile
	graph *vectorGraph
}

// Vectors returns the vectors of a generation; the caller releases them.
func (r *Reader) Vectors(snap *Snapshot) (*Vectors, error) {
	f, err := r.on.vectors.held(r.on.name, snap.rows)
	if err != nil {
		return nil, err
	}
	return &Vectors{f, &r.on.vectors, r.on.vectors.ready(r.on.name, snap.rows)}, nil
}

func (v *Vectors) Release() { v.file.Release() }

// Dimension is the number of components of a vector.
func (v *Vectors) Dimension() int { return v.file.Header().Dimension }

// Slice returns the components of n rows from row first on. They are valid until the release.
func (v *Vectors) Slice(first, n int64) []int8 { return v.file.Slice(first, n) }

// Dots multiplies all rows of a segment with q. ErrDamaged says that they are not as they were written.
func (v *Vectors) Dots(dst []int32, g *Segment, q []int8) error {
	return v.of.dots(dst, v.file, g, q)
}

// Check reports rows of a segment that are not as they were written.
func (v *Vectors) Check(g *Segment) error { return v.of.check(v.file, g) }

// Many is from how many rows of one kind on the graph is used.
func (v *Vectors) Many() int64 { return v.of.many }

// GraphRows is how many rows the graph covers, the first ones of the file; 0 without one.
func (v *Vectors) GraphRows() int64 {
	if v.graph == nil {
		return 0
	}
	return v.graph.Rows()
}

// Search returns about n rows near to q by the graph (HNSW), and their products with it.
func (v *Vectors) Search(q []int8, n int) (rows []int64, dots []int32, err error) {
	rows, dots, err = v.graph.Search(q, n)
	return rows, dots, Damaged(err)
}
