// Package safeio reads small files from untrusted places: settings, git's pointers, and store files
// that came with a clone.
//
// It refuses symbolic links, devices, pipes, sockets, folders and files over a limit. Reading never
// waits: a pipe without a writer, /dev/zero and a terminal are errors at once. Only the last part
// of a path is checked, so a caller that must stay within a folder should open it as an os.Root and
// use ReadIn. Lock locks out other processes, and may wait.
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

// flags opens a file without following links and without waiting for the other end of a pipe.
const flags = os.O_RDONLY | syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// ReadFile returns the content of a regular file of at most limit bytes. The error wraps
// fs.ErrNotExist, ErrIrregular, ErrTooLarge or another error of the system.
func ReadFile(path string, limit int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	return readWhole(f, limit)
}

// ReadIn is ReadFile for a name below an open folder. It never leaves the folder.
func ReadIn(root *os.Root, name string, limit int64) ([]byte, error) {
	f, err := OpenIn(root, name)
	if err != nil {
		return nil, err
	}
	return readWhole(f, limit)
}

// Open opens a regular file for reading. The error wraps ErrIrregular if the file is not regular.
// The caller must close the file.
func Open(path string) (*os.File, error) {
	f, err := os.OpenFile(path, flags, 0)
	return requireRegular(f, path, err)
}

// OpenIn is Open for a name below an open folder. It never leaves the folder.
func OpenIn(root *os.Root, name string) (*os.File, error) {
	info, err := root.Lstat(name) // os.Root follows links within its folder
	if err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: ErrIrregular}
	}
	f, err := root.OpenFile(name, flags, 0)
	return requireRegular(f, name, err)
}

// requireRegular returns a file that was just opened, or an error if it is not regular. A file that
// it does not return it closes.
func requireRegular(f *os.File, name string, err error) (*os.File, error) {
	switch {
	case errors.Is(err, syscall.ELOOP), errors.Is(err, syscall.ENXIO): // a link or a socket
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

// readWhole reads a file to its end and closes it. The error wraps ErrTooLarge if the file has more
// than limit bytes.
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
		case len(b) == cap(b): // the file has grown
			b = append(b, 0)[:len(b)]
		}
	}
}
