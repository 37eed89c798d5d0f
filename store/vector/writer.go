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

// A Writer adds rows to a vector file. It must be used by one goroutine at a time, and the store's
// lock must allow only one Writer for a file. The caller must close it.
type Writer struct {
	file      *os.File
	buffer    *bufio.Writer // keeps its first error
	dimension int
	rows      int64
	unnamed   bool // a new file, whose name may not be on the disk yet
}

// Buffer sizes. They differ because a new file gets one chunk's rows at a time, and an update has
// few.
const (
	writeBuffer  = 1 << 20
	appendBuffer = 64 << 10
)

// Create makes a new file with header and table, without rows. It returns an error if a field of
// the header is out of its bounds. An older file is removed, not cut, because open readers must
// keep it.
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
	if _, err := w.buffer.Write(h.encodeHeader()); err != nil {
		return nil, fmt.Errorf("create vectors: %w", errors.Join(err, file.Close(), os.Remove(path)))
	}
	return w, nil
}

// Append opens the file for adding rows. rows must be the number of published rows; all later rows
// are cut off, because no reader touches them. The error wraps ErrDamaged if the file has fewer
// rows.
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

// Write adds whole rows. It panics if a row is not whole. After an error, every later Write fails,
// and rows since the last Sync are lost.
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

// Rows returns the number of rows in the file, including those just written.
func (w *Writer) Rows() int64 { return w.rows }

// Flush makes all written rows readable from the file. They may not survive a power loss.
func (w *Writer) Flush() error {
	if err := w.buffer.Flush(); err != nil {
		return fmt.Errorf("write vectors: %w", err)
	}
	return nil
}

// Sync puts all written rows on the disk, and a new file's name.
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

// Close flushes and closes the file. Rows that were not synced may not survive a power loss.
func (w *Writer) Close() error {
	if err := errors.Join(w.buffer.Flush(), w.file.Close()); err != nil {
		return fmt.Errorf("close vectors: %w", err)
	}
	return nil
}

// syncDir puts the names in a folder on the disk.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
