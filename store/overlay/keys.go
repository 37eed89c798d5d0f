package overlay

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"patina/store"
	"patina/store/doc"
)

// A key is a hash by which the same text, or the same segment, is known again. The zero key is that
// of a row without a text.
type key [16]byte

// MarshalText implements encoding.TextMarshaler.
func (k key) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, k[:]), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (k *key) UnmarshalText(b []byte) error {
	if len(b) != hex.EncodedLen(len(k)) {
		return fmt.Errorf("%q is no key", b)
	}
	_, err := hex.Decode(k[:], b)
	return err
}

// passageKey returns the key of a passage. Two passages have one key only if all their texts are
// equal.
func passageKey(p doc.Passage) (k key) {
	h := sha256.New()
	for _, s := range []string{p.Path, p.Doc, p.Body} {
		var n [8]byte
		binary.LittleEndian.PutUint64(n[:], uint64(len(s)))
		h.Write(n[:])
		h.Write([]byte(s))
	}
	copy(k[:], h.Sum(nil))
	return k
}

// identityOf returns a key for the content of a segment. It is over the segment's documents and the
// sum of its built-in vectors, because the keys of documents begin anew in each database. ok is
// false if the segment has no vectors.
func identityOf(g *store.Segment) (k key, ok bool) {
	if g.Vectors < 0 || g.Chunks == 0 || !g.Sum.Valid {
		return k, false
	}
	b := make([]byte, 0, len(g.Space)+8*(2+2*len(g.Keys)))
	b = append(b, g.Space...)
	b = binary.LittleEndian.AppendUint64(b, uint64(g.Sum.Int64))
	for i, x := range g.Keys {
		b = binary.LittleEndian.AppendUint64(b, uint64(x))
		b = binary.LittleEndian.AppendUint32(b, g.Starts[i])
	}
	sum := sha256.Sum256(binary.LittleEndian.AppendUint32(b, g.Chunks))
	copy(k[:], sum[:])
	return k, true
}
