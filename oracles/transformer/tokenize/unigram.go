package tokenize

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"unicode/utf8"
)

// unigram cuts a word into the pieces whose scores, which are logarithms of probabilities, have the
// highest sum.
type unigram struct {
	pieces  *trie
	scores  []float64 // of the pieces, by id
	unknown int32
	penalty float64     // the score of a character that is no piece
	bytes   *[256]int32 // the tokens of bytes, for what is unknown; or nil
}

// unknownPenalty is how much less likely an unknown character is than the least likely piece.
const unknownPenalty = 10

// parseUnigram returns the model "Unigram" of a tokenizer.json.
func parseUnigram(raw json.RawMessage) (model, vocabulary, error) {
	var o struct {
		Type         string
		Unknown      *int `json:"unk_id"`
		ByteFallback bool `json:"byte_fallback"`
		Vocab        scoredPieces
	}
	if err := decodeStrictly(raw, &o); err != nil {
		return nil, vocabulary{}, err
	}
	if o.Unknown == nil || *o.Unknown < 0 || *o.Unknown >= len(o.Vocab.pieces) {
		return nil, vocabulary{}, errors.New("the model names no piece for unknown characters (\"unk_id\")")
	}
	v := vocabulary{o.Vocab.pieces, make([]int32, len(o.Vocab.pieces))}
	lowest := math.Inf(1)
	for id, score := range o.Vocab.scores {
		v.ids[id] = int32(id)
		lowest = min(lowest, score)
	}
	if err := v.checkEntries(); err != nil {
		return nil, vocabulary{}, err
	}
	pieces, err := v.trie()
	if err != nil {
		return nil, vocabulary{}, err
	}
	u := &unigram{pieces: pieces, scores: o.Vocab.scores, unknown: int32(*o.Unknown), penalty: lowest - unknownPenalty}
	if o.ByteFallback {
		u.bytes = byteTokens(v)
	}
	if math.IsInf(u.penalty, 0) || math.IsNaN(u.penalty) {
		return nil, vocabulary{}, fmt.Errorf("the model has the score %v", lowest)
	}
	return u, v, nil
}

// pathNode is the best way to cut a word up to some byte.
type pathNode struct {
	score float64
	start int32 // of the last piece; -1 if there is no way yet
	id    int32
}

// appendIDs implements model.
func (u *unigram) appendIDs(ids []int64, word string, s *scratch) []int64 {
	u.findPath(word, s)
	best, first := s.best, len(ids)
	wasUnknown := false
	unknownEnd := int32(0)
	flush := func(from int32) {
		if !wasUnknown {
			return
		}
		wasUnknown = false
		if u.bytes != nil {
			before := len(ids)
			var ok bool
			if ids, ok = appendBytes(ids, u.bytes, word[from:unknownEnd]); ok {
				reverse(ids[before:]) // the whole is reversed below
				return
			}
		}
		ids = append(ids, int64(u.unknown))
	}
	for end := int32(len(word)); end > 0; end = best[end].start {
		switch node := best[end]; {
		case node.id != u.unknown:
			flush(end)
			ids = append(ids, int64(node.id))
		case !wasUnknown:
			wasUnknown, unknownEnd = true, end
		}
	}
	flush(0)
	reverse(ids[first:])
	return ids
}

func reverse(ids []int64) {
	for i, j := 0, len(ids)-1; i < j; i, j = i+1, j-1 {
		ids[i], ids[j] = ids[j], ids[i]
	}
}

// findPath fills in the best way to each end of a character. Of equal sums the first one counts.
func (u *unigram) findPath(word string, s *scratch) {
	if cap(s.best) < len(word)+1 {
		s.best = make([]pathNode, len(word)+1+len(word)/2)
	}
	s.best = s.best[:len(word)+1]
	best := s.best
	best[0] = pathNode{}
	for i := 1; i < len(best); i++ {
		best[i].start = -1
	}
	for at := 0; at < len(word); {
		_, size := utf8.DecodeRuneInString(word[at:])
		here := best[at].score
		offer := func(end int, id int32, score float64) {
			if node := &best[end]; node.start < 0 || here+score > node.score {
				*node = pathNode{here + score, int32(at), id}
			}
		}
		isPiece := false
		node := uint32(0)
		for i := at; i < len(word); i++ {
			if node = u.pieces.child(node, word[i]); node == 0 {
				break
			}
			if id := u.pieces.value[node]; id >= 0 {
				offer(i+1, id, u.scores[id])
				isPiece = isPiece || i+1-at == size
			}
		}
		if !isPiece {
			offer(at+size, u.unknown, u.penalty)
		}
		at += size
	}
}
