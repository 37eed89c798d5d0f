// Package safeio reads small files that a stranger may have put there: settings, pointers of git,
// the files of a store that a clone brought along.
//
// A name that is a symbolic link, a device, a pipe, a socket or a folder is refused, and so is a
// file that is larger than its reader expects. No call waits: a pipe without a writer, /dev/zero
// and a terminal are errors at once. Only the last part of a path is looked at; who must not leave
// a folder opens it as an os.Root and uses ReadIn.
package safeio

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// The ways in which a file is not what its reader expects.
var (
	ErrIrregular = errors.New("not a regular file")
	ErrTooLarge  = errors.New("file is too large")
)

// flags open a name without following a link and without waiting for the other end of a pipe.
const flags = os.O_RDONLY | syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// ReadFile returns the content of a regular file of at most limit bytes. The error wraps
// fs.ErrNotExist, ErrIrregular, ErrTooLarge or what the system said.
func ReadFile(path string, limit int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	return all(f, limit)
}

// ReadIn is ReadFile for a name below an open folder.
func ReadIn(root *os.Root, name string, limit int64) ([]byte, error) {
	f, err := OpenIn(root, name)
	if err != nil {
		return nil, err
	}
	return all(f, limit)
}

// Open opens a regular file for reading.
func Open(path string) (*os.File, error) {
	f, err := os.OpenFile(path, flags, 0)
	return regular(f, path, err)
}

// OpenIn is Open for a name below an open folder.
func OpenIn(root *os.Root, name string) (*os.File, error) {
	info, err := root.Lstat(name) // os.Root follows links that stay inside
	if err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: ErrIrregular}
	}
	f, err := root.OpenFile(name, flags, 0)
	return regular(f, name, err)
}

// regular returns the file that an opening gave, if it is a regular one.
func regular(f *os.File, name string, err error) (*os.File, error) {
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

// all reads a file to its end and closes it.
func all(f *os.File, limit int64) ([]byte, error) {
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
