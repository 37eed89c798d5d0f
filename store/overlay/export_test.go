package overlay

// BuildGraphsFrom sets the number of rows from which a graph is built and used, and returns a
// function that undoes it.
func BuildGraphsFrom(rows int64) (undo func()) {
	before := manyVectors
	manyVectors = rows
	return func() { manyVectors = before }
}

// GraphRows returns the number of rows that the view's graph covers.
func (v *View) GraphRows() int64 { return v.Vectors.GraphRows() }
