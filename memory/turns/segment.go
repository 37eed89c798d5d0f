package turns

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"

	"patina/memory/recall"
	"patina/store/sqlite"
	"patina/store/text"
)

// A row is a turn as it is kept.
type row struct {
	key, source int64
	role        int
	line        int
	at          int64 // in seconds; 0: unknown
	text        string
}

// A segment is the part of the index that a question reads of some thousand turns besides posting
// lists. Turns are numbered from 0, those of one source adjacent and in order.
type segment struct {
	key     int64
	words   int
	lengths []byte // of each turn, in words (recall.CompressLength)
	roles   []byte
	runs    []run
}

// A run is the turns of one source in a segment.
type run struct {
	source uint32
	turns  uint32
	words  uint32
	day    uint32 // of its first turn with a time, in days since 1970; 0: unknown
}

const (
	runSize    = 16 // bytes of a run in the database
	secondsDay = 24 * 60 * 60
	// maxWord bounds an indexed word, in bytes. Longer ones are sums and encoded data, which nobody
	// asks for.
	maxWord = 40
	// mostTimes bounds how often a word counts in one turn.
	mostTimes = 255
)

// errSegment means that a segment in the database contradicts itself.
var errSegment = errors.Join(sqlite.ErrDamaged, errors.New("a segment of turns is damaged"))

// A builder makes a segment of turns.
type builder struct {
	segment
	keys  []byte
	last  int64
	lists map[string][]text.Posting
}

// newBuilder returns the index of some turns. It sorts them by source and key.
func newBuilder(key int64, rows []row) *builder {
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(a.source, b.source), cmp.Compare(a.key, b.key))
	})
	b := &builder{segment: segment{key: key}, lists: map[string][]text.Posting{}}
	for i, r := range rows {
		b.add(uint32(i), r)
	}
	return b
}

func (b *builder) add(number uint32, r row) {
	counts := map[string]int{}
	length := 0
	for _, w := range recall.Words(r.text) {
		if length++; len(w) <= maxWord && counts[w] < mostTimes {
			counts[w]++
		}
	}
	for w, n := range counts {
		b.lists[w] = append(b.lists[w], text.Posting{Chunk: number, Impact: uint8(n)})
	}
	b.keys = binary.AppendVarint(b.keys, r.key-b.last)
	b.last = r.key
	b.lengths = append(b.lengths, recall.CompressLength(length))
	b.roles = append(b.roles, byte(r.role))
	b.words += length
	if len(b.runs) == 0 || b.runs[len(b.runs)-1].source != uint32(r.source) {
		b.runs = append(b.runs, run{source: uint32(r.source)})
	}
	last := &b.runs[len(b.runs)-1]
	last.turns++
	last.words += uint32(length)
	if last.day == 0 && r.at > 0 {
		last.day = uint32(r.at / secondsDay)
	}
}

// encodeRuns returns the column runs.
func encodeRuns(runs []run) (out []byte) {
	for _, r := range runs {
		for _, n := range []uint32{r.source, r.turns, r.words, r.day} {
			out = binary.LittleEndian.AppendUint32(out, n)
		}
	}
	return out
}

// decode checks the columns of a segment and sets its fields.
func (s *segment) decode(turns int, lengths, roles, runs []byte) error {
	if turns <= 0 || len(lengths) != turns || len(roles) != turns || len(runs)%runSize != 0 {
		return errSegment
	}
	s.lengths, s.roles = lengths, roles
	s.runs = make([]run, len(runs)/runSize)
	in := 0
	for i := range s.runs {
		var n [4]uint32
		for j := range n {
			n[j] = binary.LittleEndian.Uint32(runs[i*runSize+4*j:])
		}
		s.runs[i] = run{n[0], n[1], n[2], n[3]}
		in += int(n[1])
	}
	if in != turns {
		return errSegment
	}
	return nil
}

// decodeKeys returns the keys of a segment's turns.
func decodeKeys(b []byte, turns int) ([]int64, error) {
	keys := make([]int64, turns)
	last := int64(0)
	for i := range keys {
		delta, n := binary.Varint(b)
		if n <= 0 {
			return nil, errSegment
		}
		last += delta
		keys[i] = last
		b = b[n:]
	}
	return keys, nil
}
