package vector

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"unsafe"
)

// A Writer adds rows to a vector file. It is for one goroutine, and one Writer at a time is open on a file: the store's lock
// sees to that.
type Writer struct {
	file      *os.File
	buffer    *bufio.Writer // keeps the first error and takes nothing after it
	dimension int
	rows      int64
	unnamed   bool // a new file, whose name is not known to be on the disk
}

// How many bytes go to the file at once: rows come a chunk's at a time, and an update has few.
const (
	writeBuffer  = 1 << 20
	appendBuffer = 64 << 10
)

// Create makes a new file of header and table, without rows. A file of that name is replaced, not cut: who has it open keeps it.
func Create(path string, h Header) (*Writer, error) {
	if err := h.valid(); err != nil {
		return nil, fmt.Errorf("create vectors %q: %w", path, err)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("create vectors: %w", err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("create vectors: %w", err)
	}
	w := &Writer{file: file, buffer: bufio.NewWriterSize(file, writeBuffer), dimension: h.Dimension, unnamed: true}
	if _, err := w.buffer.Write(h.encode()); err != nil {
		return nil, fmt.Errorf("create vectors: %w", errors.Join(err, file.Close(), os.Remove(path)))
	}
	return w, nil
}

// Append opens the file to add rows behind its first rows rows, the published ones. What stands behind those is cut off: no reader
// touches it. The error wraps ErrDamaged if the file has fewer rows.
func (f *File) Append(rows int64) (*Writer, error) {
	path := f.file.Name()
	if rows < 0 || rows > f.rows {
		return nil, fmt.Errorf("append vectors %q: %w: %d rows, %d were published", path, ErrDamaged, f.rows, rows)
	}
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return nil, fmt.Errorf("append vectors: %w", err)
	}
	dimension := f.header.Dimension
	end := f.begin + rows*int64(dimension)
	err = file.Truncate(end)
	if err == nil {
		_, err = file.Seek(end, io.SeekStart)
	}
	if err != nil {
		return nil, fmt.Errorf("append vectors: %w", errors.Join(err, file.Close()))
	}
	return &Writer{file: file, buffer: bufio.NewWriterSize(file, appendBuffer), dimension: dimension, rows: rows}, nil
}

// Write adds whole rows. After an error the Writer takes nothing more, and what it took since the last Sync is lost.
func (w *Writer) Write(rows []int8) error {
	if len(rows)%w.dimension != 0 {
		panic(fmt.Sprintf("vector: %d bytes are not rows of %d", len(rows), w.dimension))
	}
	if _, err := w.buffer.Write(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(rows))), len(rows))); err != nil {
		return fmt.Errorf("write vectors: %w", err)
	}
	w.rows += int64(len(rows) / w.dimension)
	return nil
}

// Rows counts the rows of the file with those written so far.
func (w *Writer) Rows() int64 { return w.rows }

// Flush returns when everything written can be read from the file. It may not survive a loss of power.
func (w *Writer) Flush() error {
	if err := w.buffer.Flush(); err != nil {
		return fmt.Errorf("write vectors: %w", err)
	}
	return nil
}

// Sync returns when everything written is on the disk, and the name of a new file with it.
func (w *Writer) Sync() error {
	if err := w.Flush(); err != nil {
		return err
	}
	if err := w.file.Sync(); err != nil {
		return fmt.Errorf("sync vectors: %w", err)
	}
	if w.unnamed {
		if err := syncDir(filepath.Dir(w.file.Name())); err != nil {
			return fmt.Errorf("sync vectors: %w", err)
		}
		w.unnamed = false
	}
	return nil
}

// Close writes what is left and closes the file. Rows that were not synced do not survive a loss of power.
func (w *Writer) Close() error {
	if err := errors.Join(w.buffer.Flush(), w.file.Close()); err != nil {
		return fmt.Errorf("close vectors: %w", err)
	}
	return nil
}

// syncDir brings the names in a folder to the disk.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
