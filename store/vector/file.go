package vector

import (
	"errors"
	"fmt"
	"unsafe"
)

// ErrDamaged is wrapped by the errors about a file that is not, or no longer, what was written.
var ErrDamaged = errors.New("damaged")

// ErrClosed is wrapped by the errors about a File or an Index that is used after Close.
var ErrClosed = errors.New("closed")

// A Header says what the rows of a file are.
type Header struct {
	Model     string // names the model, its version and its adaptation
	Dimension int    // bytes of a row, a multiple of 64
	Table     []byte // what the model needs to embed questions; may be empty
}

// A File is a vector file open for reading, mapped into memory. It sees the rows that it had when it was opened.
//
// Its methods may be called by many goroutines at once. Slice points into the mapping, so a reader calls Hold before and
// Release after it uses rows: Close never pulls the rows from under who holds them.
type File struct {
	header Header
	begin  int64 // where the first row stands
	rows   int64
	mapping
}

// Open maps a vector file. The error wraps ErrDamaged if the file is not one, is shorter than its header says, is of an unknown
// version, or its header or table was changed; rows are checked by Sum. A last row that is cut short does not count.
func Open(path string) (*File, error) {
	f := &File{}
	if err := f.open(path); err != nil {
		return nil, fmt.Errorf("read vectors: %w", err)
	}
	var header Header
	var begin int
	var err error
	if cut := f.guarded(func() { header, begin, err = decode(f.data) }); cut != nil {
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

// Again maps the same file as it is now, with the rows that were added since, whatever its name stands for by now. The header is never
// written again, so it is not read again either.
func (f *File) Again() (*File, error) {
	g := &File{header: f.header, begin: f.begin}
	if err := f.share(&g.mapping); err != nil {
		return nil, fmt.Errorf("read vectors: %w", err)
	}
	if int64(len(g.data)) < g.begin {
		_ = g.Close()
		return nil, fmt.Errorf("read vectors %q: %w: cut to %d bytes", f.file.Name(), ErrDamaged, len(g.data))
	}
	g.header = g.header.in(g.data)
	g.rows = (int64(len(g.data)) - g.begin) / int64(g.header.Dimension)
	return g, nil
}

// Header is what the file was created with. Its table stands in the file: the caller holds that as long as it reads there.
func (f *File) Header() Header { return f.header }

// Rows counts the whole rows of the file, published or not.
func (f *File) Rows() int64 { return f.rows }

// Hold keeps the mapping until Release, whatever Close does meanwhile. It fails with ErrClosed after Close, and with ErrDamaged
// if the file has fewer than rows rows, or somebody has cut it since: touching those would end the process.
func (f *File) Hold(rows int64) error {
	if rows > f.rows {
		return fmt.Errorf("read vectors %q: %w: %d rows, %d are wanted", f.file.Name(), ErrDamaged, f.rows, rows)
	}
	return f.hold(f.begin + rows*int64(f.header.Dimension))
}

// Release ends a Hold.
func (f *File) Release() { f.release() }

// Slice returns n rows from row first on, as they stand in the file. The caller holds the file. It panics if the rows do
// not exist or the file is no longer mapped.
func (f *File) Slice(first, n int64) []int8 {
	b := f.bytes(first, n)
	return unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(b))), len(b))
}

// Close ends the use of the file: at once, or when the last holder releases it.
func (f *File) Close() error { return f.close() }

func (f *File) bytes(first, n int64) []byte {
	if first < 0 || n < 0 || first > f.rows-n {
		panic(fmt.Sprintf("vector: rows %d to %d of %d", first, first+n, f.rows))
	}
	from, to := f.begin+first*int64(f.header.Dimension), f.begin+(first+n)*int64(f.header.Dimension)
	return f.data[from:to:to] // no longer mapped: data is nil, and this panics
}
