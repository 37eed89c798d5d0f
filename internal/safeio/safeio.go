// Package safeio reads small files from untrusted places: settings, git's pointers, and store files
// brought along by a clone.
//
// It refuses symbolic links, devices, pipes, sockets, folders and files over a limit. No read
// waits: a pipe without a writer, /dev/zero and a terminal are errors at once. It checks only the
// last part of a path. To stay within a folder, open it as an os.Root and use ReadIn. Lock keeps
// processes apart, and does wait.
package safeio

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// Errors for unexpected files.
var (
	ErrIrregular = errors.New("not a regular file")
	ErrTooLarge  = errors.New("file is too large")
)

// flags open a name without following links and without waiting for a pipe's other end.
const flags = os.O_RDONLY | syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// ReadFile returns the content of a regular file with at most limit bytes. The error wraps
// fs.ErrNotExist, ErrIrregular, ErrTooLarge or the system's error.
func ReadFile(path string, limit int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	return readWhole(f, limit)
}

// ReadIn is ReadFile for a name below an open folder.
func ReadIn(root *os.Root, name string, limit int64) ([]byte, error) {
	f, err := OpenIn(root, name)
	if err != nil {
		return nil, err
	}
	return readWhole(f, limit)
}

// Open opens a regular file for reading.
func Open(path string) (*os.File, error) {
	f, err := os.OpenFile(path, flags, 0)
	return requireRegular(f, path, err)
}

// OpenIn is Open for a name below an open folder.
func OpenIn(root *os.Root, name string) (*os.File, error) {
	info, err := root.Lstat(name) // os.Root follows links within its folder
	if err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: ErrIrregular}
	}
	f, err := root.OpenFile(name, flags, 0)
	return requireRegular(f, name, err)
}

// requireRegular returns a just opened file if it is regular.
func requireRegular(f *os.File, name string, err error) (*os.File, error) {
	switch {
	case errors.Is(err, syscall.ELOOP), errors.Is(err, syscall.ENXIO): // a link, a socket
		return nil, &fs.PathError{Op: "open", Path: name, Err: ErrIrregular}
	case err != nil:
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: ErrIrregular}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// readWhole reads a file to its end and closes it.
func readWhole(f *os.File, limit int64) ([]byte, error) {
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	b := make([]byte, 0, min(info.Size(), limit)+1)
	for {
		n, err := f.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		switch {
		case int64(len(b)) > limit:
			return nil, fmt.Errorf("read %q: %w: over %d bytes", f.Name(), ErrTooLarge, limit)
		case errors.Is(err, io.EOF):
			return b, nil
		case err != nil:
			return nil, err
		case len(b) == cap(b): // it has grown since
			b = append(b, 0)[:len(b)]
		}
	}
}
