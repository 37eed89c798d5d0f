package vector

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
)

// A saved index is a graph as USearch saves it, with this behind it, numbers in little endian:
//
//	 0  magic
//	 8  version of the format, 4 bytes
//	12  CRC-32C of the graph, 4 bytes
//	16  bytes of the graph, 8 bytes
//	24  rows that it covers, 8 bytes
//	32  which file it was built of: CRC-32C of that file's header and of the last rows covered, 4 bytes
//	36  CRC-32C of the 36 bytes before, 4 bytes
const (
	indexMagic   = "PATINAHN"
	indexVersion = 1
	footerSize   = 40

	identityRows = 1024      // rows that tell one file from another, with its header
	readBuffer   = 256 << 10 // bytes read at once to sum what was saved
)

// A tail is what stands behind a saved graph.
type footer struct {
	sum      uint32
	size     int64
	rows     int64
	identity uint32
}

func (t footer) encode() []byte {
	b := []byte(indexMagic)
	b = binary.LittleEndian.AppendUint32(b, indexVersion)
	b = binary.LittleEndian.AppendUint32(b, t.sum)
	b = binary.LittleEndian.AppendUint64(b, uint64(t.size))
	b = binary.LittleEndian.AppendUint64(b, uint64(t.rows))
	b = binary.LittleEndian.AppendUint32(b, t.identity)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// decodeTail reads the tail of a saved index and compares the graph with its sum. Every error wraps ErrDamaged.
func decodeFooter(saved []byte) (footer, error) {
	if len(saved) < footerSize {
		return footer{}, fmt.Errorf("%w: %d bytes are less than an index", ErrDamaged, len(saved))
	}
	body, b := saved[:len(saved)-footerSize], saved[len(saved)-footerSize:]
	t := footer{
		sum:      binary.LittleEndian.Uint32(b[12:]),
		size:     int64(binary.LittleEndian.Uint64(b[16:])),
		rows:     int64(binary.LittleEndian.Uint64(b[24:])),
		identity: binary.LittleEndian.Uint32(b[32:]),
	}
	switch {
	case string(b) != string(t.encode()):
		return footer{}, fmt.Errorf("%w: not a vector index of format %d, or not all of it", ErrDamaged, indexVersion)
	case t.size != int64(len(body)) || t.rows < 0:
		return footer{}, fmt.Errorf("%w: %d bytes, %d are announced", ErrDamaged, len(body), t.size)
	case crc32.Checksum(body, castagnoli) != t.sum:
		return footer{}, fmt.Errorf("%w: it was changed", ErrDamaged)
	}
	return t, nil
}

// saveIndex writes graph and tail to the disk. USearch does not say when the end of a file could not be written, so
// what was saved is read back.
func saveIndex(g graph, path string, t footer) error {
	if err := removeIfThere(path); err != nil {
		return err
	}
	size, err := g.save(path)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	sum := crc32.New(castagnoli)
	n, err := io.CopyBuffer(sum, struct{ io.Reader }{file}, make([]byte, readBuffer))
	if err == nil && n != size {
		err = fmt.Errorf("%d bytes of %d could be written: %w", n, size, io.ErrShortWrite)
	}
	if err == nil {
		t.sum, t.size = sum.Sum32(), size
		_, err = file.Write(t.encode())
	}
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

func removeIfThere(path string) error {
	if err := os.Remove(path); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// identity tells this file from others that have as many rows. The caller holds the file.
func (f *File) identity(rows int64) uint32 {
	n := min(rows, identityRows)
	return crc32.Update(crc32.Checksum(f.data[:f.begin], castagnoli), castagnoli, f.bytes(rows-n, n))
}
