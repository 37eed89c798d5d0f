package store

import "patina/store/vector"

// Vectors are one generation's vectors, with their graph if it is open.
type Vectors struct {
	file  *vector.File
	of    *vectorFile
	graph *vectorGraph
}

// Vectors returns the generation's vectors. The caller releases them.
func (r *Reader) Vectors(snap *Snapshot) (*Vectors, error) {
	f, err := r.on.vectors.holdRows(r.on.name, snap.VectorRows)
	if err != nil {
		return nil, err
	}
	return &Vectors{f, &r.on.vectors, r.on.vectors.ready(r.on.name, snap.VectorRows)}, nil
}

// Release ends the use of the vectors. Slices from them are invalid afterwards.
func (v *Vectors) Release() { v.file.Release() }

// Dimension returns the number of components in a vector.
func (v *Vectors) Dimension() int { return v.file.Header().Dimension }

// Slice returns the components for n rows, beginning at first. They are valid until Release.
func (v *Vectors) Slice(first, n int64) []int8 { return v.file.Slice(first, n) }

// Dots multiplies all rows in a segment with q. It returns ErrDamaged if the rows do not match
// their sum.
func (v *Vectors) Dots(dst []int32, g *Segment, q []int8) error {
	return v.of.dots(dst, v.file, g, q)
}

// Near finds a segment's rows near q without reading all of them. done is false if it did nothing,
// because it only pays in large segments after their first Dots.
func (v *Vectors) Near(found *vector.Found, g *Segment, q []int8) (done bool) {
	return v.of.nearestRows(found, v.file, g, q)
}

// Sound reports whether a segment's rows were compared with their sum by Dots or Check in this
// process.
func (v *Vectors) Sound(g *Segment) bool { return v.of.isSound(g) }

// Check returns an error if a segment's rows do not match their sum.
func (v *Vectors) Check(g *Segment) error { return v.of.check(v.file, g) }

// Many is the number of rows in a kind from which the graph is used.
func (v *Vectors) Many() int64 { return v.of.many }

// GraphRows returns the number of rows that the graph covers, from the file's beginning, or 0
// without a graph.
func (v *Vectors) GraphRows() int64 {
	if v.graph == nil {
		return 0
	}
	return v.graph.Rows()
}

// Search finds about n rows near q by the graph (HNSW), with their products.
func (v *Vectors) Search(q []int8, n int) (rows []int64, dots []int32, err error) {
	rows, dots, err = v.graph.Search(q, n)
	return rows, dots, Damaged(err)
}
