package vector

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
)

// An index file is a graph as USearch saves it, followed by this footer. Numbers are little-endian.
//
//	 0  magic
//	 8  format version, 4 bytes
//	12  CRC-32C over the graph, 4 bytes
//	16  bytes of the graph, 8 bytes
//	24  rows covered, 8 bytes
//	32  identity of the vector file: CRC-32C over its header and the last rows covered, 4 bytes
//	36  CRC-32C over the 36 bytes before, 4 bytes
const (
	indexMagic   = "PATINAHN"
	indexVersion = 1
	footerSize   = 40

	identityRows = 1024      // rows that identify a file, together with the header
	readBuffer   = 256 << 10 // bytes read at once for the checksum
)

// A footer follows a saved graph.
type footer struct {
	sum      uint32
	size     int64
	rows     int64
	identity uint32
}

func (t footer) encodeFooter() []byte {
	b := []byte(indexMagic)
	b = binary.LittleEndian.AppendUint32(b, indexVersion)
	b = binary.LittleEndian.AppendUint32(b, t.sum)
	b = binary.LittleEndian.AppendUint64(b, uint64(t.size))
	b = binary.LittleEndian.AppendUint64(b, uint64(t.rows))
	b = binary.LittleEndian.AppendUint32(b, t.identity)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// decodeFooter reads the footer and checks the graph's checksum. Every error wraps ErrDamaged.
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
	case string(b) != string(t.encodeFooter()):
		return footer{}, fmt.Errorf("%w: not a vector index of format %d, or not all of it", ErrDamaged, indexVersion)
	case t.size != int64(len(body)) || t.rows < 0:
		return footer{}, fmt.Errorf("%w: %d bytes, %d are announced", ErrDamaged, len(body), t.size)
	case crc32.Checksum(body, castagnoli) != t.sum:
		return footer{}, fmt.Errorf("%w: it was changed", ErrDamaged)
	}
	return t, nil
}

// saveIndex writes graph and footer to the disk. It reads the file back, because USearch does not
// report a failed write at the end of a file.
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
		_, err = file.Write(t.encodeFooter())
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

// identity returns a checksum that differs between files with equally many rows. The caller must
// hold the file.
func (f *File) identity(rows int64) uint32 {
	n := min(rows, identityRows)
	return crc32.Update(crc32.Checksum(f.data[:f.begin], castagnoli), castagnoli, f.bytes(rows-n, n))
}
