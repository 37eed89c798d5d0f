package vector

// A Writer adds rows to a vector file. It is for one goroutine, and one Writer at a time is open on a file: the store's lock
// sees to that.
type Writer struct{}

// Create makes a new file of header and table, without rows. A file of that name is replaced, not cut: who has it open keeps it.
func Create(path string, h Header) (*Writer, error) { panic("not yet") }

// Append opens a file to add rows behind its first rows rows, the published ones. What stands behind those is cut off. The error
// wraps ErrDamaged if the file is damaged or has fewer rows.
func Append(path string, rows int64) (*Writer, error) { panic("not yet") }

// Write adds whole rows. After an error the Writer takes nothing more: the rows it had taken are not there.
func (w *Writer) Write(rows []int8) error { panic("not yet") }

// Rows counts the rows of the file with those written so far.
func (w *Writer) Rows() int64 { panic("not yet") }

// Sync returns when everything written is on the disk, and the name of a new file with it.
func (w *Writer) Sync() error { panic("not yet") }

// Close closes the file. Rows that were not synced may be lost.
func (w *Writer) Close() error { panic("not yet") }
