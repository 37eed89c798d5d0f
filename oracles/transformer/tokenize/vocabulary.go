package tokenize

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Bounds of a vocabulary. The largest published ones have some 262,000 tokens, and
// the pieces of the models that a trie finds have at most 64 bytes.
const (
	mostTokens   = 1 << 20
	longestPiece = 256
	highestID    = 1<<31 - 1
)

// vocabulary holds the ids of tokens.
type vocabulary struct {
	ids map[string]int32
}

// newVocabulary checks ids that a file states.
func newVocabulary(ids map[string]int64) (vocabulary, error) {
	if len(ids) == 0 {
		return vocabulary{}, errors.New("the vocabulary is empty")
	}
	if len(ids) > mostTokens {
		return vocabulary{}, fmt.Errorf("the vocabulary has %d tokens, more than %d", len(ids), mostTokens)
	}
	checked := make(map[string]int32, len(ids))
	for token, id := range ids {
		if id < 0 || id > highestID {
			return vocabulary{}, fmt.Errorf("token %.64q has the id %d", token, id)
		}
		checked[token] = int32(id)
	}
	return vocabulary{checked}, nil
}

// trie returns the tokens as a trie.
func (v vocabulary) trie() (*trie, error) {
	tokens := slices.Sorted(maps.Keys(v.ids))
	values := make([]int32, len(tokens))
	for i, token := range tokens {
		if len(token) > longestPiece {
			return nil, fmt.Errorf("the token %.64q… has %d bytes, more than %d", token, len(token), longestPiece)
		}
		values[i] = v.ids[token]
	}
	return newTrie(tokens, values), nil
}
