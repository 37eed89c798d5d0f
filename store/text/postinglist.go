package text

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"slices"
)

// ErrDamaged reports that a posting list is not as it was written.
var ErrDamaged = errors.New("posting list is damaged")

// A Posting is one chunk in the list of a word.
type Posting struct {
	Chunk  uint32
	Impact uint8 // in 255ths of the greatest possible, at least 1
}

// A list is n pairs (varint distance from the chunk before, impact), followed by their CRC-32C,
// little-endian.
const checksumSize = 4

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// EncodeList appends the encoded list to into, which may be nil. Chunks must ascend strictly, and
// impacts must be at least 1.
func EncodeList(ps []Posting, into []byte) []byte {
	var e encoder
	e.restart(into)
	for _, p := range ps {
		e.addPosting(p.Chunk, p.Impact)
	}
	return e.finish()
}

// An encoder writes one list at the end of a buffer.
type encoder struct {
	buf   []byte
	start int
	last  uint32
	n     int
}

func (e *encoder) restart(buf []byte) { *e = encoder{buf: buf, start: len(buf)} }

func (e *encoder) addPosting(chunk uint32, impact uint8) {
	e.buf = append(binary.AppendUvarint(e.buf, uint64(chunk-e.last)), impact)
	e.last = chunk
	e.n++
}

func (e *encoder) finish() []byte {
	e.buf = binary.LittleEndian.AppendUint32(e.buf, crc32.Checksum(e.buf[e.start:], castagnoli))
	return e.buf
}

// DecodeList appends the n postings in a list to into, which may be nil. All chunks must be below
// chunks. It returns ErrDamaged, and into unchanged, if the list breaks a rule of EncodeList, does
// not hold n postings, or has another checksum.
func DecodeList(list []byte, n int, chunks uint32, into []Posting) ([]Posting, error) {
	b, err := checkPairs(list, n)
	if err != nil {
		return into, err
	}
	out := slices.Grow(into, n)
	chunk, least, p := uint64(0), uint64(0), 0
	for range n {
		delta, at := uint64(0), p+1
		if p < len(b) && b[p] < 0x80 {
			delta = uint64(b[p])
		} else {
			delta, at = readDistance(b, p)
		}
		chunk += delta
		if at >= len(b) || b[at] == 0 || chunk < least || chunk >= uint64(chunks) {
			return into, ErrDamaged
		}
		out = append(out, Posting{uint32(chunk), b[at]})
		least = chunk + 1
		p = at + 1
	}
	if p != len(b) {
		return into, ErrDamaged
	}
	return out, nil
}

// Accumulate adds weight·impact/255 for each of n postings to acc at its chunk, and sets dirty at
// chunk/64. acc must have at least chunks elements, and dirty one for every 64 of them. It makes
// the same checks as DecodeList and returns ErrDamaged. Then acc is unchanged if the list itself is
// damaged. If n or chunks is wrong, acc may hold some of the postings.
func Accumulate(list []byte, n int, chunks uint32, weight float32, acc []float32, dirty []uint8) error {
	b, err := checkPairs(list, n)
	if err != nil {
		return err
	}
	acc = acc[:chunks]
	weight /= 255
	chunk, least, p := uint64(0), uint64(0), 0
	for range n {
		if p < len(b) && b[p] < 0x80 {
			chunk += uint64(b[p])
			p++
		} else {
			delta, at := readDistance(b, p)
			chunk += delta
			p = at
		}
		if p >= len(b) || b[p] == 0 || chunk < least || chunk >= uint64(len(acc)) {
			return ErrDamaged
		}
		acc[chunk] += float32(b[p]) * weight
		dirty[chunk>>6] = 1
		least = chunk + 1
		p++
	}
	if p != len(b) {
		return ErrDamaged
	}
	return nil
}

// Keep returns those chunks that occur in a list of n postings, in the memory of the argument.
// chunks must ascend strictly. It makes the same checks as DecodeList, but only as far as it reads,
// and returns nil and ErrDamaged.
func Keep(list []byte, n int, chunks []uint32) ([]uint32, error) {
	b, err := checkPairs(list, n)
	if err != nil {
		return nil, err
	}
	kept, at := chunks[:0], 0
	chunk, p := uint64(0), 0
	for i := 0; i < n && at < len(chunks); i++ {
		if p < len(b) && b[p] < 0x80 {
			chunk += uint64(b[p])
			p++
		} else {
			delta, end := readDistance(b, p)
			chunk += delta
			p = end
		}
		if p >= len(b) || b[p] == 0 {
			return nil, ErrDamaged
		}
		p++
		for at < len(chunks) && uint64(chunks[at]) < chunk {
			at++
		}
		if at < len(chunks) && uint64(chunks[at]) == chunk {
			kept = append(kept, chunks[at])
			at++
		}
	}
	return kept, nil
}

// checkPairs returns the pairs in a list. It returns ErrDamaged if the list is too short for n
// pairs or its checksum is wrong.
func checkPairs(list []byte, n int) ([]byte, error) {
	end := len(list) - checksumSize
	if n < 0 || end < 0 || n > end/2 {
		return nil, ErrDamaged
	}
	if crc32.Checksum(list[:end], castagnoli) != binary.LittleEndian.Uint32(list[end:]) {
		return nil, ErrDamaged
	}
	return list[:end], nil
}

// readDistance reads the varint at b[p:] and returns its value and end. If it is cut off or too
// large, the end is len(b), where no impact can follow.
func readDistance(b []byte, p int) (uint64, int) {
	v, n := binary.Uvarint(b[min(p, len(b)):])
	if n <= 0 || v > math.MaxUint32 {
		return 0, len(b)
	}
	return v, p + n
}
