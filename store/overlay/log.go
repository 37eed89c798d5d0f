package overlay

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"syscall"
	"unsafe"

	"patina/internal/safeio"
	"patina/store/doc"
	"patina/store/folder"
	"patina/store/vector"
)

// A rowLog is the rows and keys of a model, open for adding. Rows are only ever appended. It must
// be used by one goroutine, under the folder's lock for models.
//
// The file of keys is a list of blocks: the number of rows and a CRC-32C over keys and rows, 4
// bytes each, little-endian, then the keys. A block is written after its rows, so a killed process
// leaves whole blocks, and perhaps rows without one, which are cut off.
type rowLog struct {
	path    string // without an ending
	file    *vector.File
	writer  *vector.Writer // nil before the first append
	keys    *os.File       // nil before the first append
	keysEnd int64          // bytes of whole blocks
	rows    int64
	at      map[key]int64 // a sound row of each text
	damaged int64         // rows that are not as written
}

const (
	blockHead = 8
	mostKeys  = 1 << 34 // bytes of the file of keys that are read
)

// openLog opens the rows at a path, or makes new ones. The error wraps doc.ErrDamaged if there are
// files that cannot be used.
func openLog(path string, h vector.Header) (*rowLog, error) {
	l, err := readLog(path, h)
	if errors.Is(err, os.ErrNotExist) {
		l = &rowLog{path: path, at: make(map[key]int64)}
		return l, l.create(h)
	}
	return l, err
}

// readLog opens the rows at a path. The error wraps os.ErrNotExist if they do not exist.
func readLog(path string, h vector.Header) (*rowLog, error) {
	l := &rowLog{path: path, at: make(map[key]int64)}
	f, err := vector.Open(folder.VectorsOf(path))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		err = doc.DamagedBy(err)
	}
	if err != nil {
		return nil, err
	}
	l.file = f
	if err := f.Hold(f.Rows()); err != nil {
		return nil, errors.Join(doc.DamagedBy(err), f.Close())
	}
	if err := l.load(h); err != nil {
		return nil, errors.Join(err, l.closeFiles())
	}
	return l, nil
}

// create makes both files.
func (l *rowLog) create(h vector.Header) (err error) {
	keys, err := os.OpenFile(folder.KeysOf(l.path), os.O_WRONLY|os.O_CREATE|os.O_TRUNC|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return err
	}
	l.keys = keys
	if l.writer, err = vector.Create(folder.VectorsOf(l.path), h); err == nil {
		err = l.writer.Flush()
	}
	if err == nil {
		err = l.again()
	}
	if err != nil {
		return errors.Join(err, l.closeFiles())
	}
	return nil
}

// load reads the blocks of keys and compares them with the rows.
func (l *rowLog) load(h vector.Header) error {
	if x := l.file.Header(); x.Model != h.Model || x.Dimension != h.Dimension {
		return fmt.Errorf("%w: the rows are of model %q with %d dimensions", doc.ErrDamaged, x.Model, x.Dimension)
	}
	b, err := readKeys(folder.KeysOf(l.path))
	if err != nil {
		return err
	}
	for rest := b; len(rest) >= blockHead; {
		n := int64(binary.LittleEndian.Uint32(rest))
		size := blockHead + n*int64(len(key{}))
		if n == 0 || int64(len(rest)) < size || l.rows+n > l.file.Rows() {
			break
		}
		keys := rest[blockHead:size]
		if blockSum(keys, l.file.Slice(l.rows, n)) == binary.LittleEndian.Uint32(rest[4:]) {
			for i := range n {
				l.noteRow(key(keys[i*int64(len(key{})):][:len(key{})]), l.rows+i)
			}
		} else {
			l.damaged += n
		}
		l.rows += n
		l.keysEnd += size
		rest = rest[size:]
	}
	return nil
}

// allKeys returns the keys of all rows, in order.
func (l *rowLog) allKeys() ([]key, error) {
	b, err := readKeys(folder.KeysOf(l.path))
	if err != nil {
		return nil, err
	}
	out := make([]key, 0, l.rows)
	for rest := b; int64(len(out)) < l.rows && len(rest) >= blockHead; {
		n := int(binary.LittleEndian.Uint32(rest))
		rest = rest[blockHead:]
		for ; n > 0 && len(rest) >= len(key{}); n-- {
			out = append(out, key(rest[:len(key{})]))
			rest = rest[len(key{}):]
		}
	}
	if int64(len(out)) < l.rows {
		return nil, fmt.Errorf("%s has %d keys of %d: %w", folder.KeysOf(l.path), len(out), l.rows, doc.ErrDamaged)
	}
	return out, nil
}

// readKeys returns the file's content. A file that is not there is damage.
func readKeys(path string) ([]byte, error) {
	f, err := safeio.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %s", doc.ErrDamaged, err) // also if it is not there
	}
	defer func() { _ = f.Close() }()
	return io.ReadAll(io.LimitReader(f, mostKeys))
}

func blockSum(keys []byte, rows []int8) uint32 {
	b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(rows))), len(rows))
	return crc32.Update(crc32.Checksum(keys, castagnoli), castagnoli, b)
}

// noteRow notes the row of a text. Rows without a text are not needed again.
func (l *rowLog) noteRow(k key, row int64) {
	if k != (key{}) {
		l.at[k] = row
	}
}

// appendRows appends rows, one a key. They can be read at once.
func (l *rowLog) appendRows(keys []key, rows []int8) error {
	if len(keys) == 0 {
		return nil
	}
	if err := l.startAppend(); err != nil {
		return err
	}
	if err := l.writer.Write(rows); err != nil {
		return err
	}
	if err := l.writer.Flush(); err != nil {
		return err
	}
	b := make([]byte, blockHead, blockHead+len(keys)*len(key{}))
	for _, k := range keys {
		b = append(b, k[:]...)
	}
	binary.LittleEndian.PutUint32(b, uint32(len(keys)))
	binary.LittleEndian.PutUint32(b[4:], blockSum(b[blockHead:], rows))
	if _, err := l.keys.Write(b); err != nil {
		return err
	}
	for i, k := range keys {
		l.noteRow(k, l.rows+int64(i))
	}
	l.rows += int64(len(keys))
	l.keysEnd += int64(len(b))
	return nil
}

// startAppend opens both files for writing, and cuts off rows without a whole block.
func (l *rowLog) startAppend() (err error) {
	if l.keys == nil {
		if l.keys, err = os.OpenFile(folder.KeysOf(l.path), os.O_WRONLY|syscall.O_NOFOLLOW, 0); err != nil {
			return err
		}
		if err = l.keys.Truncate(l.keysEnd); err == nil {
			_, err = l.keys.Seek(l.keysEnd, io.SeekStart)
		}
		if err != nil {
			return err
		}
	}
	if l.writer == nil {
		l.writer, err = l.file.Append(l.rows)
	}
	return err
}

// slice returns rows of the file. They are valid until the next call of slice or closeFiles.
func (l *rowLog) slice(first, n int64) ([]int8, error) {
	if first+n > l.file.Rows() {
		if err := l.again(); err != nil {
			return nil, err
		}
	}
	return l.file.Slice(first, n), nil
}

// again maps the file with the rows added since.
func (l *rowLog) again() error {
	var f *vector.File
	var err error
	if l.file == nil {
		f, err = vector.Open(folder.VectorsOf(l.path))
	} else {
		f, err = l.file.Again()
	}
	if err != nil {
		return err
	}
	if err := f.Hold(f.Rows()); err != nil {
		return errors.Join(err, f.Close())
	}
	l.release()
	l.file = f
	return nil
}

// sum returns the sum of rows, as a covered segment has it.
func (l *rowLog) sum(first, n int64) (uint64, error) {
	if _, err := l.slice(first, n); err != nil {
		return 0, err
	}
	return l.file.Sum(first, n)
}

// sync puts all rows and keys on the disk.
func (l *rowLog) sync() error {
	if l.writer == nil || l.keys == nil {
		return nil
	}
	return errors.Join(l.writer.Sync(), l.keys.Sync())
}

func (l *rowLog) release() {
	if l.file != nil {
		l.file.Release()
		_ = l.file.Close() // opened for reading
		l.file = nil
	}
}

// closeFiles closes all files.
func (l *rowLog) closeFiles() (err error) {
	l.release()
	if l.writer != nil {
		err = l.writer.Close()
	}
	if l.keys != nil {
		err = errors.Join(err, l.keys.Close())
	}
	return err
}
