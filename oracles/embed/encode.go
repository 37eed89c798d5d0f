package embed

import (
	"encoding/binary"

	"patina/store/doc"
)

const (
	passageTokens = 256  // pieces read from a passage
	passageBytes  = 2500 // bytes read from a passage
)

// An encoded passage is a sequence of little-endian uint16 numbers: the numbers of pieces in path
// and doc, then the pieces of path, doc and body, without Unknown.
const encodedHeader = 4

// A scratch is reusable memory. It must not be used concurrently.
type scratch struct {
	cache    []cachedWord
	ids      []uint16
	counts   []uint16 // by piece; zero between calls
	weighed  []weighed
	sums     []uint64
	splitter splitter
}

// A cachedWord is a recent word and its pieces. It fills a cache line.
type cachedWord struct {
	word [maxWord]byte
	n    uint16 // number of ids; 0 means a free entry
	ids  [19]uint16
}

// cacheSize is the number of cached words, 512 KiB in all. It must be a power of two. A word
// replaces the one in its slot.
const cacheSize = 8192

func newScratch(words *Vocabulary) *scratch {
	return &scratch{cache: make([]cachedWord, cacheSize), counts: make([]uint16, words.Len())}
}

// appendPieces appends a text's pieces to s.ids, until s.ids has limit elements, and returns s.ids.
// It leaves out unknown pieces.
func (s *scratch) appendPieces(words *Vocabulary, text string, limit int) []uint16 {
	s.splitter = splitter{text: text}
	for len(s.ids) < limit && s.splitter.nextWord() {
		s.ids = s.pieces(words, s.ids)
	}
	s.ids = s.ids[:min(len(s.ids), limit)]
	return s.ids
}

// pieces appends the pieces of the splitter's word.
func (s *scratch) pieces(words *Vocabulary, ids []uint16) []uint16 {
	word := &s.splitter.word
	entry := &s.cache[slotOf(word)]
	if entry.n > 0 && entry.word == *word {
		if entry.ids[0] == 0 {
			return ids
		}
		return append(ids, entry.ids[:entry.n]...)
	}
	before := len(ids)
	ids = words.Encode(ids, word[:s.splitter.n])
	if added := ids[before:]; len(added) <= len(entry.ids) {
		entry.word, entry.n = *word, uint16(len(added))
		copy(entry.ids[:], added)
	}
	if ids[before] == 0 {
		return ids[:before]
	}
	return ids
}

func slotOf(word *[maxWord]byte) int {
	a, b := binary.LittleEndian.Uint64(word[:]), binary.LittleEndian.Uint64(word[8:])
	c := binary.LittleEndian.Uint64(word[16:])
	hash := (a ^ b*0x9e3779b97f4a7c15 ^ c*0xc2b2ae3d27d4eb4f) * 0xd6e8feb86659fd93
	return int((hash ^ hash>>29) >> 20 % cacheSize)
}

// encodePassage appends an encoded passage to dst.
func (s *scratch) encodePassage(dst []byte, words *Vocabulary, p doc.Passage) []byte {
	path, doc, body := p.Parts(passageBytes)
	s.ids = s.ids[:0]
	inPath := len(s.appendPieces(words, path, passageTokens))
	inDoc := len(s.appendPieces(words, doc, passageTokens)) - inPath
	ids := s.appendPieces(words, body, passageTokens)
	dst = binary.LittleEndian.AppendUint16(dst, uint16(inPath))
	dst = binary.LittleEndian.AppendUint16(dst, uint16(inDoc))
	for _, id := range ids {
		dst = binary.LittleEndian.AppendUint16(dst, id)
	}
	return dst
}

// splitEncoded splits an encoded passage into the pieces of path, doc and body, two bytes each.
// Invalid bytes give short or nil parts, and never a panic.
func splitEncoded(encoded []byte) (path, doc, body []byte) {
	if len(encoded) < encodedHeader {
		return nil, nil, nil
	}
	inPath, inDoc := int(binary.LittleEndian.Uint16(encoded)), int(binary.LittleEndian.Uint16(encoded[2:]))
	rest := encoded[encodedHeader:]
	rest = rest[:len(rest)&^1]
	path, rest = cutAt(rest, 2*inPath)
	doc, body = cutAt(rest, 2*inDoc)
	return path, doc, body
}

func cutAt(data []byte, at int) (before, after []byte) {
	at = min(at, len(data))
	return data[:at], data[at:]
}
