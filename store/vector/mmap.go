package vector

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"golang.org/x/sys/unix"

	"patina/internal/safeio"
)

// A mapping is a file mapped into memory for reading, kept while somebody holds it. A file that
// another user may write is copied instead, because touching a page after a cut ends the process.
type mapping struct {
	file   *os.File
	data   []byte // nil once unmapped
	copied bool

	mu     sync.Mutex
	holds  int
	closed bool
}

// mapFile maps a file. If the file is empty, data is nil, because an empty file cannot be mapped.
func (m *mapping) mapFile(path string) error {
	file, err := safeio.Open(path)
	if err != nil {
		return err
	}
	return m.mapOpenFile(file)
}

// share maps m's file into other, at its present length. The error wraps ErrClosed after close.
func (m *mapping) share(other *mapping) error {
	if err := m.holdMapping(0); err != nil {
		return err
	}
	defer m.release()
	fd, err := unix.FcntlInt(m.file.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("map %q again: %w", m.file.Name(), err)
	}
	return other.mapOpenFile(os.NewFile(uintptr(fd), m.file.Name()))
}

// mapOpenFile maps an open file and takes ownership of it: the file is closed with the mapping, or
// at once after an error.
func (m *mapping) mapOpenFile(file *os.File) error {
	info, err := file.Stat()
	switch {
	case err != nil || info.Size() == 0:
	case safeio.Private(file.Name()):
		m.data, err = unix.Mmap(int(file.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED)
	default:
		m.copied = true
		m.data, err = readAll(file, info.Size())
	}
	if err != nil {
		return errors.Join(fmt.Errorf("map %q: %w", file.Name(), err), file.Close())
	}
	m.file = file
	return nil
}

// maxCopied bounds a copy, because its size comes from another user. It is 8 million rows.
const maxCopied = 2 << 30

// readAll reads a file into anonymous memory, which is unmapped like a mapping. The error wraps
// ErrDamaged if the file is shorter than size.
func readAll(file *os.File, size int64) ([]byte, error) {
	if size > maxCopied {
		return nil, fmt.Errorf("others may write it, and of such a file %d bytes are read at most: it has %d",
			maxCopied, size)
	}
	b, err := unix.Mmap(-1, 0, int(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil, err
	}
	if n, err := file.ReadAt(b, 0); int64(n) < size {
		return nil, errors.Join(fmt.Errorf("%w: cut to %d bytes, %d are wanted", ErrDamaged, n, size), err,
			unix.Munmap(b))
	}
	return b, nil
}

// holdMapping keeps the mapping until release. It checks that the file still has its first size
// bytes, because reading a lost page is a signal that ends the process. The errors are as for
// File.Hold.
func (m *mapping) holdMapping(size int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return fmt.Errorf("read %q: %w", m.file.Name(), ErrClosed)
	}
	if err := m.checkWhole(size); err != nil {
		return err
	}
	m.holds++
	return nil
}

// checkWhole returns an error that wraps ErrDamaged unless the file still has its first size bytes.
func (m *mapping) checkWhole(size int64) error {
	if m.copied && int64(len(m.data)) >= size {
		return nil
	}
	info, err := m.file.Stat()
	if err != nil {
		return err
	}
	if info.Size() < size {
		return fmt.Errorf("read %q: %w: cut to %d bytes, %d are wanted", m.file.Name(), ErrDamaged, info.Size(), size)
	}
	return nil
}

func (m *mapping) release() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.holds--
	if m.holds < 0 {
		panic("vector: released more often than held")
	}
	if m.closed && m.holds == 0 {
		_ = m.unmap() // cannot fail: the memory was mapped
	}
}

// close ends the mapping, at once or with the last release. A second call does nothing and returns
// nil.
func (m *mapping) close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil
	}
	m.closed = true
	if m.holds > 0 {
		return nil
	}
	return m.unmap()
}

func (m *mapping) unmap() error {
	var err error
	if m.data != nil {
		err = unix.Munmap(m.data)
		m.data = nil
	}
	return errors.Join(err, m.file.Close())
}
