package vector

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"golang.org/x/sys/unix"

	"patina/safeio"
)

// A mapping is a file mapped into memory for reading, kept as long as somebody holds it. A file that somebody else may write is
// copied instead: to touch a page of a mapped file that was cut ends the process.
type mapping struct {
	file   *os.File
	data   []byte // nil once unmapped
	copied bool

	mu     sync.Mutex
	holds  int
	closed bool
}

// open maps a file. A file without bytes cannot be mapped: its data is empty.
func (m *mapping) open(path string) error {
	file, err := safeio.Open(path)
	if err != nil {
		return err
	}
	return m.take(file)
}

// share maps the file of m into other, as long as it is now.
func (m *mapping) share(other *mapping) error {
	if err := m.hold(0); err != nil {
		return err
	}
	defer m.release()
	fd, err := unix.FcntlInt(m.file.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("map %q again: %w", m.file.Name(), err)
	}
	return other.take(os.NewFile(uintptr(fd), m.file.Name()))
}

// take maps an open file, and closes it with the mapping, or at once where it cannot be mapped.
func (m *mapping) take(file *os.File) error {
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

// maxCopied bounds what a file that somebody else has made, and whose size says nothing, costs: 8 million rows.
const maxCopied = 2 << 30

// readAll reads a file into memory of its own, which is given back as a mapping is.
func readAll(file *os.File, size int64) ([]byte, error) {
	if size > maxCopied {
		return nil, fmt.Errorf("others may write it, and of such a file %d bytes are read at most: it has %d", maxCopied, size)
	}
	b, err := unix.Mmap(-1, 0, int(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil, err
	}
	if n, err := file.ReadAt(b, 0); int64(n) < size {
		return nil, errors.Join(fmt.Errorf("%w: cut to %d bytes, %d are wanted", ErrDamaged, n, size), err, unix.Munmap(b))
	}
	return b, nil
}

// hold keeps the mapping until release. The first size bytes must still be in the file: reading a page that the file has
// lost since is a signal that ends the process.
func (m *mapping) hold(size int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return fmt.Errorf("read %q: %w", m.file.Name(), ErrClosed)
	}
	if err := m.whole(size); err != nil {
		return err
	}
	m.holds++
	return nil
}

// whole reports whether the first size bytes are still in the file.
func (m *mapping) whole(size int64) error {
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
		_ = m.unmap() // of memory that was mapped: it cannot fail
	}
}

// close ends the mapping, at once or with the last release. A second close does nothing.
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
