package vector

import "errors"

// ErrDamaged is wrapped by the errors about a file that is not, or no longer, what was written.
var ErrDamaged = errors.New("damaged")

// ErrClosed says that a File or an Index is used after Close.
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
type File struct{}

// Open maps a vector file. The error wraps ErrDamaged if the file is not one, is shorter than its header says, is of an unknown
// version, or its header or table was changed; rows are checked by Sum. A last row that is cut short does not count.
func Open(path string) (*File, error) { panic("not yet") }

// Header is what the file was created with. Its Table points into the mapping: it is valid as long as rows are.
func (f *File) Header() Header { panic("not yet") }

// Rows counts the whole rows of the file, published or not.
func (f *File) Rows() int64 { panic("not yet") }

// Hold keeps the mapping until Release, whatever Close does meanwhile. It fails with ErrClosed after Close, and with ErrDamaged
// if somebody has cut the file so that it holds less than rows rows: touching those would end the process.
func (f *File) Hold(rows int64) error { panic("not yet") }

// Release ends a Hold.
func (f *File) Release() { panic("not yet") }

// Slice returns n rows from row first on, as they stand in the file. The caller holds the file. It panics if the rows do
// not exist or the file is no longer mapped.
func (f *File) Slice(first, n int64) []int8 { panic("not yet") }

// Sum is the CRC-32C of n rows from row first on. The caller holds the file.
func (f *File) Sum(first, n int64) uint32 { panic("not yet") }

// Close ends the use of the file: at once, or when the last holder releases it.
func (f *File) Close() error { panic("not yet") }
