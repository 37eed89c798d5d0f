package embed

import (
	"errors"
	"fmt"
	"strings"
)

const (
	// MaxPieces is the size of the largest vocabulary. 32,768 and 60,000 measured no better.
	MaxPieces = 16384
	// Unknown is piece 0 of every vocabulary. It replaces a word that no pieces make up.
	Unknown = "[UNK]"
	// Continued marks a piece that continues a word.
	Continued = "##"

	maxPiece = 255 // bytes of a piece's text, so that a byte holds its length
)

// A Vocabulary is a list of word pieces. A piece's id is its index. It is immutable, so it may be
// used concurrently.
type Vocabulary struct {
	pieces  []string
	slots   []uint16 // hash → id; 0 means free, because Unknown is never looked up
	longest int      // bytes of the longest piece, without Continued
}

// NewVocabulary returns a vocabulary of 1 to MaxPieces distinct pieces. The first must be Unknown.
// It keeps pieces, so the caller must not change it.
func NewVocabulary(pieces []string) (*Vocabulary, error) {
	if len(pieces) == 0 || len(pieces) > MaxPieces {
		return nil, fmt.Errorf("read vocabulary: %d pieces, want 1 to %d", len(pieces), MaxPieces)
	}
	if pieces[0] != Unknown {
		return nil, fmt.Errorf("read vocabulary: first piece is %q, want %q", pieces[0], Unknown)
	}
	size := 16
	for size < 2*len(pieces) {
		size *= 2
	}
	v := &Vocabulary{pieces: pieces, slots: make([]uint16, size)}
	for id, piece := range pieces[1:] {
		if err := v.insertPiece(uint16(id+1), piece); err != nil {
			return nil, err
		}
	}
	return v, nil
}

func (v *Vocabulary) insertPiece(id uint16, piece string) error {
	text, continued := strings.CutPrefix(piece, Continued)
	if text == "" {
		return errors.New("read vocabulary: empty piece")
	}
	if len(piece) > maxPiece {
		return fmt.Errorf("read vocabulary: piece of %d bytes, want at most %d", len(piece), maxPiece)
	}
	hash := startHash(continued)
	for i := range len(text) {
		hash = extendHash(hash, text[i])
	}
	at := int(hash) & (len(v.slots) - 1)
	for v.slots[at] != 0 {
		if v.pieces[v.slots[at]] == piece {
			return fmt.Errorf("read vocabulary: piece %q is there twice", piece)
		}
		at = (at + 1) & (len(v.slots) - 1)
	}
	v.slots[at] = id
	v.longest = max(v.longest, len(text))
	return nil
}

// Len returns the number of pieces.
func (v *Vocabulary) Len() int { return len(v.pieces) }

// Piece returns a piece's text, with Continued in front if it continues a word.
func (v *Vocabulary) Piece(id uint16) string { return v.pieces[id] }

// Encode appends a word's pieces, each the longest that fits. For a word without such pieces it
// appends Unknown (0).
func (v *Vocabulary) Encode(dst []uint16, word []byte) []uint16 {
	before := len(dst)
	for at := 0; at < len(word); {
		id, size := v.match(word[at:], at > 0)
		if size == 0 {
			return append(dst[:before], 0)
		}
		dst = append(dst, id)
		at += size
	}
	return dst
}

// match returns the longest piece at the beginning of text, and its length. The length is 0 if
// there is no such piece.
func (v *Vocabulary) match(text []byte, continued bool) (id uint16, size int) {
	hash := startHash(continued)
	for i := 0; i < len(text) && i < v.longest; i++ {
		hash = extendHash(hash, text[i])
		if found := v.findPiece(hash, text[:i+1], continued); found != 0 {
			id, size = found, i+1
		}
	}
	return id, size
}

// findPiece returns the piece with a hash and a text, or 0.
func (v *Vocabulary) findPiece(hash uint32, text []byte, continued bool) uint16 {
	mask := len(v.slots) - 1
	for at := int(hash) & mask; v.slots[at] != 0; at = (at + 1) & mask {
		piece := v.pieces[v.slots[at]]
		if continued {
			if len(piece) != len(text)+len(Continued) || piece[:len(Continued)] != Continued {
				continue
			}
			piece = piece[len(Continued):]
		}
		if piece == string(text) {
			return v.slots[at]
		}
	}
	return 0
}

// startHash and extendHash are FNV-1a, with another start for pieces that continue a word.
func startHash(continued bool) uint32 {
	if continued {
		return 0x2f6b4d91
	}
	return 2166136261
}

func extendHash(hash uint32, b byte) uint32 {
	hash = (hash ^ uint32(b)) * 16777619
	return hash
}
