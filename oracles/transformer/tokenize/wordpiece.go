package tokenize

import (
	"fmt"
	"unicode/utf8"
)

// wordPiece cuts a word into the longest pieces, from the left. A word that cannot be cut wholly is
// one unknown token.
type wordPiece struct {
	pieces    *trie
	continued uint32 // the node of the prefix of pieces that continue a word, 0 if no piece does
	unknown   int64
	longest   int // a word of more characters is unknown
}

// newWordPiece returns the model of a vocabulary. Pieces that continue a word begin with prefix.
func newWordPiece(v vocabulary, unknown, prefix string, longest int) (*wordPiece, error) {
	if err := v.checkEntries(); err != nil {
		return nil, err
	}
	id, ok := v.id(unknown)
	if !ok {
		return nil, fmt.Errorf("the vocabulary lacks the token for unknown words, %q", unknown)
	}
	pieces, err := v.trie()
	if err != nil {
		return nil, err
	}
	w := &wordPiece{pieces: pieces, unknown: int64(id), longest: longest}
	w.continued = pieces.walk(prefix)
	if prefix != "" && w.continued == 0 {
		w.continued = noNode
	}
	return w, nil
}

// noNode stands for a node that the trie does not have.
const noNode = ^uint32(0)

// appendIDs implements model.
func (w *wordPiece) appendIDs(ids []int64, word string, _ *scratch) []int64 {
	if len(word) > w.longest && utf8.RuneCountInString(word) > w.longest {
		return append(ids, w.unknown)
	}
	before := len(ids)
	for node := uint32(0); word != ""; node = w.continued {
		length := 0
		var id int32
		if node != noNode {
			id, length = w.pieces.longest(node, word)
		}
		if length == 0 {
			return append(ids[:before], w.unknown)
		}
		ids = append(ids, int64(id))
		word = word[length:]
	}
	return ids
}
