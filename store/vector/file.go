package vector

import (
	"errors"
	"fmt"
	"unsafe"
)

// ErrDamaged is wrapped by errors about a file that differs from the one written.
var ErrDamaged = errors.New("damaged")

// ErrClosed is wrapped by errors about a File or an Index used after Close.
var ErrClosed = errors.New("closed")

// A Header describes the rows in a file.
type Header struct {
	Model     string // names the model, its version and its adaptation
	Dimension int    // bytes of a row, a multiple of 64
	Table     []byte // embeds questions; may be empty
}

// A File is a vector file mapped into memory for reading. It has the rows from the time at which it
// was opened.
//
// Its methods are safe for concurrent use. Slice points into the mapping, so callers must call Hold
// before they use rows, and Release afterwards. Close does not unmap rows that somebody holds.
type File struct {
	header Header
	begin  int64 // offset of the first row
	rows   int64
	mapping
}

// Open maps a vector file. The error wraps ErrDamaged if the file is not a vector file, is shorter
// than its header announces, has an unknown version, or has a changed header or table. Rows are not
// checked; Sum does that. A last row that is cut short does not count. The caller must close the
// File.
func Open(path string) (*File, error) {
	f := &File{}
	if err := f.mapFile(path); err != nil {
		return nil, fmt.Errorf("read vectors: %w", err)
	}
	var header Header
	var begin int
	var err error
	if cut := f.guarded(func() { header, begin, err = decodeHeader(f.data) }); cut != nil {
		err = cut
	}
	if err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("read vectors %q: %w", path, err)
	}
	f.header, f.begin = header, int64(begin)
	f.rows = (int64(len(f.data)) - f.begin) / int64(header.Dimension)
	return f, nil
}

// Again maps the same file in its present state, with the rows added since. It works even if the
// path now names another file. It does not read the header again, because headers never change. The
// error wraps ErrClosed after Close, and ErrDamaged if the file no longer has its whole header.
func (f *File) Again() (*File, error) {
	g := &File{header: f.header, begin: f.begin}
	if err := f.share(&g.mapping); err != nil {
		return nil, fmt.Errorf("read vectors: %w", err)
	}
	if int64(len(g.data)) < g.begin {
		_ = g.Close()
		return nil, fmt.Errorf("read vectors %q: %w: cut to %d bytes", f.file.Name(), ErrDamaged, len(g.data))
	}
	g.header = g.header.withTableIn(g.data)
	g.rows = (int64(len(g.data)) - g.begin) / int64(g.header.Dimension)
	return g, nil
}

// Header returns the header. Its table points into the mapping, so the caller must hold the file
// while reading it.
func (f *File) Header() Header { return f.header }

// Rows returns the number of whole rows in the file, published or not.
func (f *File) Rows() int64 { return f.rows }

// BytesOf returns the size of the file up to the given number of rows. The error wraps ErrDamaged
// if it has fewer.
func (f *File) BytesOf(rows int64) (int64, error) {
	if rows < 0 || rows > f.rows {
		return 0, fmt.Errorf("read vectors %q: %w: %d rows, %d are wanted", f.file.Name(), ErrDamaged, f.rows, rows)
	}
	return f.begin + rows*int64(f.header.Dimension), nil
}

// Hold keeps the mapping until Release, even after Close. The error wraps ErrClosed if the file is
// already closed. It wraps ErrDamaged if the file has fewer rows or was cut since, because reading
// the lost rows would end the process.
func (f *File) Hold(rows int64) error {
	if rows > f.rows {
		return fmt.Errorf("read vectors %q: %w: %d rows, %d are wanted", f.file.Name(), ErrDamaged, f.rows, rows)
	}
	return f.holdMapping(f.begin + rows*int64(f.header.Dimension))
}

// Release ends one Hold.
func (f *File) Release() { f.release() }

// Slice returns n stored rows, starting with row first. The caller must hold the file, and must not
// write to the rows. Slice panics if the rows do not exist or the file is unmapped.
func (f *File) Slice(first, n int64) []int8 {
	b := f.bytes(first, n)
	return unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(b))), len(b))
}

// Close closes the file, at once or with the last Release. A second call does nothing and returns
// nil.
func (f *File) Close() error { return f.close() }

func (f *File) bytes(first, n int64) []byte {
	if first < 0 || n < 0 || first > f.rows-n {
		panic(fmt.Sprintf("vector: rows %d to %d of %d", first, first+n, f.rows))
	}
	from, to := f.begin+first*int64(f.header.Dimension), f.begin+(first+n)*int64(f.header.Dimension)
	return f.data[from:to:to] // panics if the file is unmapped, because data is then nil
}
