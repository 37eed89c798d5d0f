package vector

import (
	"errors"
	"fmt"
	"unsafe"
)

// ErrDamaged is wrapped by errors about a file that is not as it was written.
var ErrDamaged = errors.New("damaged")

// ErrClosed is wrapped by errors about a File or an Index used after Close.
var ErrClosed = errors.New("closed")

// A Header describes the rows in a file.
type Header struct {
	Model     string // names the model, its version and its adaptation
	Dimension int    // bytes of a row, a multiple of 64
	Table     []byte // embeds questions; may be empty
}

// A File is a vector file mapped into memory for reading. It has the rows from the time it was
// opened.
//
// Its methods are safe for concurrent use. Slice points into the mapping: call Hold before using
// rows, and Release after. Close never unmaps rows while somebody holds them.
type File struct {
	header Header
	begin  int64 // offset of the first row
	rows   int64
	mapping
}

// Open maps a vector file. The error wraps ErrDamaged if it is no vector file, is shorter than
// announced, has an unknown version, or its header or table was changed. Sum checks the rows. A
// last row cut short does not count.
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

// Again maps the same file as it is now, with rows added since, even if its name now stands for
// another. The header never changes, so it is not read again.
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

// Header returns the header. Its table points into the file: hold the file while you read it.
func (f *File) Header() Header { return f.header }

// Rows counts the whole rows in the file, published or not.
func (f *File) Rows() int64 { return f.rows }

// Hold keeps the mapping until Release, even after Close. It fails with ErrClosed after Close. It
// fails with ErrDamaged if the file has fewer rows, or was cut since: touching those would end the
// process.
func (f *File) Hold(rows int64) error {
	if rows > f.rows {
		return fmt.Errorf("read vectors %q: %w: %d rows, %d are wanted", f.file.Name(), ErrDamaged, f.rows, rows)
	}
	return f.holdMapping(f.begin + rows*int64(f.header.Dimension))
}

// Release ends a Hold.
func (f *File) Release() { f.release() }

// Slice returns n rows from row first on, as stored. The caller holds the file. It panics if the
// rows do not exist or the file is unmapped.
func (f *File) Slice(first, n int64) []int8 {
	b := f.bytes(first, n)
	return unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(b))), len(b))
}

// Close closes the file: at once, or when the last holder releases it.
func (f *File) Close() error { return f.close() }

func (f *File) bytes(first, n int64) []byte {
	if first < 0 || n < 0 || first > f.rows-n {
		panic(fmt.Sprintf("vector: rows %d to %d of %d", first, first+n, f.rows))
	}
	from, to := f.begin+first*int64(f.header.Dimension), f.begin+(first+n)*int64(f.header.Dimension)
	return f.data[from:to:to] // panics if data is unmapped, and so nil
}
