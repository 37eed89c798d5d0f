package vector

import "context"

// An Index finds near rows without looking at all of them (HNSW). It is derived from a File and may be deleted.
type Index struct{}

// BuildIndex builds the index of the first rows rows of f on all processors and publishes it at path: written beside under
// another name, synced, renamed. A cancelled or failed build leaves nothing. progress, if not nil, is called now and then with
// the rows done, from any goroutine but one at a time. BuildIndex holds f itself.
func BuildIndex(ctx context.Context, f *File, rows int64, path string, progress func(done int64)) error {
	panic("not yet")
}

// OpenIndex maps an index for reading. The error wraps ErrDamaged if the file is not a whole index.
func OpenIndex(path string) (*Index, error) { panic("not yet") }

// Rows counts the rows that the index covers: the first of the file.
func (x *Index) Rows() int64 { panic("not yet") }

// Search returns up to k rows near q, the best first, with their exact products. Rows of equal product stand in their order.
// It may be called by many goroutines at once.
func (x *Index) Search(q []int8, k int) (rows []int64, dots []int32, err error) { panic("not yet") }

// Close ends the use of the index, when the searches under way are done.
func (x *Index) Close() error { panic("not yet") }
