package embed

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"unsafe"
)

// The bytes of a table, with little-endian numbers:
//
//	0   magic
//	8   format version, dimension, number of pieces, bytes of all texts: uint32 each
//	24  id of the table that this one was fitted from, or its own: 8 bytes
//	32  own id: 8 bytes of the SHA-256 over everything from 64 up to the checksum
//	40  zeros
//	64  rows: dimension int8 for each piece
//	    scales: float32 for each piece, the unit of its row
//	    text lengths: one byte for each piece
//	    texts, without separators
//	    CRC-32C of everything before
const (
	tableMagic   = "patina-t"
	tableVersion = 1
	headerSize   = 64
	idSize       = 8
	maxDimension = 1024
	dimensionOf  = 64 // a dimension must be a multiple of it
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A Table is a vocabulary with a vector for each piece. It is immutable, so it may be used
// concurrently.
type Table struct {
	data   []byte
	words  *Vocabulary
	dim    int
	base   [idSize]byte
	id     [idSize]byte
	rows   []byte // part of data
	scales []float32
}

// ReadTable reads a table. It returns an error for anything but an intact table of this version.
// The table reads vectors from data, so the caller must not change data while the table is in use.
func ReadTable(data []byte) (*Table, error) {
	t, err := parseTable(data)
	if err != nil {
		return nil, fmt.Errorf("read table of vectors: %w", err)
	}
	return t, nil
}

func parseTable(data []byte) (*Table, error) {
	if len(data) < headerSize || string(data[:8]) != tableMagic {
		return nil, errors.New("not a table of vectors")
	}
	field := func(i int) int { return int(binary.LittleEndian.Uint32(data[8+4*i:])) }
	version, dim, pieces, texts := field(0), field(1), field(2), field(3)
	if version != tableVersion {
		return nil, fmt.Errorf("format version %d, want %d", version, tableVersion)
	}
	if dim == 0 || dim > maxDimension || dim%dimensionOf != 0 || pieces == 0 || pieces > MaxPieces ||
		texts > pieces*maxPiece {
		return nil, fmt.Errorf("impossible size: %d pieces of dimension %d", pieces, dim)
	}
	if want := headerSize + pieces*(dim+5) + texts + 4; len(data) != want {
		return nil, fmt.Errorf("%d bytes, want %d", len(data), want)
	}
	end := len(data) - 4
	if crc32.Checksum(data[:end], castagnoli) != binary.LittleEndian.Uint32(data[end:]) {
		return nil, errors.New("checksum does not match")
	}
	t := &Table{data: data, dim: dim, rows: data[headerSize : headerSize+pieces*dim]}
	copy(t.base[:], data[24:])
	copy(t.id[:], data[32:])
	rest := data[headerSize+pieces*dim : end]
	var err error
	if t.scales, err = readScales(rest[:4*pieces]); err != nil {
		return nil, err
	}
	t.words, err = readVocabulary(rest[4*pieces:5*pieces], rest[5*pieces:])
	return t, err
}

func readScales(data []byte) ([]float32, error) {
	scales := make([]float32, len(data)/4)
	for i := range scales {
		scale := math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		if !(scale >= 0 && scale <= maxScale) {
			return nil, fmt.Errorf("scale %g of piece %d", scale, i)
		}
		scales[i] = scale
	}
	return scales, nil
}

// maxScale bounds a scale, because sums must stay finite. Trained scales are near 1/1000.
const maxScale = 1e6

// readVocabulary reads the pieces. Their texts are not copied.
func readVocabulary(lengths, texts []byte) (*Vocabulary, error) {
	pieces := make([]string, len(lengths))
	for i, n := range lengths {
		if int(n) > len(texts) {
			return nil, errors.New("texts of pieces are cut off")
		}
		if n > 0 {
			pieces[i] = unsafe.String(&texts[0], int(n))
		}
		texts = texts[n:]
	}
	if len(texts) > 0 {
		return nil, fmt.Errorf("%d bytes behind the texts of pieces", len(texts))
	}
	return NewVocabulary(pieces)
}

// newTable returns a table. fill must write the row of each piece and return its scale. A zero base
// means that the table is its own base.
func newTable(words *Vocabulary, dim int, base [idSize]byte, fill func(id uint16, dst []byte) float32) *Table {
	pieces, texts := words.Len(), 0
	for _, piece := range words.pieces {
		texts += len(piece)
	}
	data := make([]byte, headerSize+pieces*(dim+5), headerSize+pieces*(dim+5)+texts+4)
	copy(data, tableMagic)
	for i, field := range []int{tableVersion, dim, pieces, texts} {
		binary.LittleEndian.PutUint32(data[8+4*i:], uint32(field))
	}
	t := &Table{
		words: words, dim: dim, base: base,
		rows: data[headerSize : headerSize+pieces*dim], scales: make([]float32, pieces),
	}
	scales := data[headerSize+pieces*dim:]
	lengths := scales[4*pieces:]
	for id, piece := range words.pieces {
		t.scales[id] = fill(uint16(id), t.row(uint16(id)))
		binary.LittleEndian.PutUint32(scales[4*id:], math.Float32bits(t.scales[id]))
		lengths[id] = byte(len(piece))
		data = append(data, piece...)
	}
	sum := sha256.Sum256(data[headerSize:])
	copy(t.id[:], sum[:])
	if t.base == [idSize]byte{} {
		t.base = t.id
	}
	copy(data[24:], t.base[:])
	copy(data[32:], t.id[:])
	t.data = binary.LittleEndian.AppendUint32(data, crc32.Checksum(data, castagnoli))
	return t
}

// Bytes returns the table's bytes, for ReadTable. The caller must not change them.
func (t *Table) Bytes() []byte { return t.data }

// Vocabulary returns the table's pieces.
func (t *Table) Vocabulary() *Vocabulary { return t.words }

// Dimension returns the length of every vector.
func (t *Table) Dimension() int { return t.dim }

// row returns the bytes of a piece's vector.
func (t *Table) row(id uint16) []byte {
	at := int(id) * t.dim
	return t.rows[at : at+t.dim : at+t.dim]
}

// Row writes a piece's vector into dst, which must have Dimension elements.
func (t *Table) Row(dst []float32, id uint16) {
	scale := t.scales[id]
	for i, b := range t.row(id) {
		dst[i] = float32(int8(b)) * scale
	}
}

// Model returns the name of the table: its format, its dimension, the id of its base and, after a
// fit, its own id.
func (t *Table) Model() string {
	name := fmt.Sprintf("static%d-%d-%s", tableVersion, t.dim, hex.EncodeToString(t.base[:]))
	if t.id != t.base {
		name += "+" + hex.EncodeToString(t.id[:])
	}
	return name
}
