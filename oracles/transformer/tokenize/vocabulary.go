package tokenize

import (
	"errors"
	"fmt"
)

// Bounds of a vocabulary. The largest published ones have some 262,000 tokens, and the pieces of
// the models that a trie finds have at most 64 bytes.
const (
	mostTokens   = 1 << 20
	longestPiece = 256
	highestID    = 1<<31 - 1
)

// checkEntries returns an error if the vocabulary is empty, too large, or has a negative id.
func (v vocabulary) checkEntries() error {
	if len(v.tokens) == 0 {
		return errors.New("the vocabulary is empty")
	}
	if len(v.tokens) > mostTokens {
		return fmt.Errorf("the vocabulary has %d tokens, more than %d", len(v.tokens), mostTokens)
	}
	for i, id := range v.ids {
		if id < 0 {
			return fmt.Errorf("the token %.64q has the id %d", v.tokens[i], id)
		}
	}
	return nil
}

// id returns the id of a token.
func (v vocabulary) id(token string) (int32, bool) {
	for i := len(v.tokens) - 1; i >= 0; i-- {
		if v.tokens[i] == token {
			return v.ids[i], true
		}
	}
	return 0, false
}

// trie returns the tokens as a trie.
func (v vocabulary) trie() (*trie, error) {
	for _, token := range v.tokens {
		if len(token) > longestPiece {
			return nil, fmt.Errorf("the token %.64q… has %d bytes, more than %d", token, len(token), longestPiece)
		}
	}
	return newTrie(v.tokens, v.ids), nil
}
