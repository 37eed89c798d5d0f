package vector

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// A file begins with the following fields. Numbers are little-endian.
//
//	 0  magic
//	 8  format version, 4 bytes
//	12  bytes of a row, 4 bytes
//	16  length of the model's name, 4 bytes
//	20  CRC-32C over these 20 bytes and everything after this field but padding, 4 bytes
//	24  length of the table, 8 bytes
//	32  the model's name, the table, zeros up to a multiple of pageSize, then the rows
const (
	magic      = "PATINAVX"
	version    = 1
	fixedBytes = 32
	// pageSize is the alignment of the first row. It keeps rows off the pages of the table, and
	// aligns them for any vector unit.
	pageSize = 4096

	maxModel     = 4096
	maxDimension = 1 << 16 // a product of two rows must fit an int32: 2^16 · 127² < 2^31
	maxTable     = 1 << 30
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// valid returns an error if the header cannot be written, otherwise nil.
func (h Header) valid() error {
	switch {
	case h.Dimension <= 0 || h.Dimension > maxDimension || h.Dimension%64 != 0:
		return fmt.Errorf("rows of %d bytes: not a multiple of 64 up to %d", h.Dimension, maxDimension)
	case len(h.Model) > maxModel:
		return fmt.Errorf("a model's name of %d bytes: more than %d", len(h.Model), maxModel)
	case len(h.Table) > maxTable:
		return fmt.Errorf("a table of %d bytes: more than %d", len(h.Table), maxTable)
	}
	return nil
}

// encodeHeader returns a file's bytes up to the first row.
func (h Header) encodeHeader() []byte {
	b := make([]byte, rowsBegin(len(h.Model), len(h.Table)))
	copy(b, magic)
	binary.LittleEndian.PutUint32(b[8:], version)
	binary.LittleEndian.PutUint32(b[12:], uint32(h.Dimension))
	binary.LittleEndian.PutUint32(b[16:], uint32(len(h.Model)))
	binary.LittleEndian.PutUint64(b[24:], uint64(len(h.Table)))
	end := fixedBytes + copy(b[fixedBytes:], h.Model)
	end += copy(b[end:], h.Table)
	binary.LittleEndian.PutUint32(b[20:], headerSum(b[:end]))
	return b
}

// withTableIn returns the same header with its table in b, another mapping of the same file.
func (h Header) withTableIn(b []byte) Header {
	begin := fixedBytes + len(h.Model)
	end := begin + len(h.Table)
	h.Table = b[begin:end:end]
	return h
}

// decodeHeader reads a file's header and the offset of its first row. Every error wraps ErrDamaged.
func decodeHeader(b []byte) (h Header, begin int, err error) {
	damaged := func(format string, a ...any) (Header, int, error) {
		return Header{}, 0, fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, a...))
	}
	switch {
	case len(b) < fixedBytes:
		return damaged("%d bytes are less than a header", len(b))
	case !bytes.HasPrefix(b, []byte(magic)):
		return damaged("not a vector file: it begins with %q", b[:len(magic)])
	case binary.LittleEndian.Uint32(b[8:]) != version:
		return damaged("format %d, this program reads %d", binary.LittleEndian.Uint32(b[8:]), version)
	}
	dimension := binary.LittleEndian.Uint32(b[12:])
	model, table := uint64(binary.LittleEndian.Uint32(b[16:])), binary.LittleEndian.Uint64(b[24:])
	if model > maxModel || table > maxTable || rowsBegin(int(model), int(table)) > len(b) {
		return damaged("%d bytes, but a name of %d and a table of %d are announced", len(b), model, table)
	}
	named := fixedBytes + int(model)
	end := named + int(table)
	if headerSum(b[:end]) != binary.LittleEndian.Uint32(b[20:]) {
		return damaged("header or table was changed")
	}
	h = Header{Model: string(b[fixedBytes:named]), Dimension: int(dimension), Table: b[named:end:end]}
	if err := h.valid(); err != nil {
		return damaged("%v", err)
	}
	return h, rowsBegin(int(model), int(table)), nil
}

// rowsBegin returns the offset of the first row.
func rowsBegin(model, table int) int {
	return (fixedBytes + model + table + pageSize - 1) / pageSize * pageSize
}

// headerSum returns the checksum over header, name and table, without the four bytes of the
// checksum itself. b must end after the table.
func headerSum(b []byte) uint32 {
	return crc32.Update(crc32.Checksum(b[:20], castagnoli), castagnoli, b[24:])
}
