package tokenize

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// bytePair merges the pair of neighbours that comes first in a list, again and again, until no pair
// of the list is left.
type bytePair struct {
	ids        map[string]int32
	runes      map[rune]int32 // the tokens of one character
	merges     map[pair]merge
	unknown    int64       // -1: what is unknown is left out
	fuses      bool        // several unknown characters are one token
	bytes      *[256]int32 // the tokens of bytes, for characters that are not in ids; or nil
	wholeWords bool        // a word that is a token is not merged
}

// pair is two neighbouring tokens.
type pair struct{ left, right int32 }

// merge is the token that a pair becomes, and its place in the list.
type merge struct{ rank, id int32 }

// parseBPE returns the model "BPE" of a tokenizer.json.
func parseBPE(raw json.RawMessage) (model, vocabulary, error) {
	var o struct {
		Type         string
		Dropout      *float64
		Unknown      *string `json:"unk_token"`
		Prefix       *string `json:"continuing_subword_prefix"`
		Suffix       *string `json:"end_of_word_suffix"`
		FuseUnknown  bool    `json:"fuse_unk"`
		ByteFallback bool    `json:"byte_fallback"`
		IgnoreMerges bool    `json:"ignore_merges"`
		Vocab        vocabulary
		Merges       mergeList
	}
	if err := decodeStrictly(raw, &o); err != nil {
		return nil, vocabulary{}, err
	}
	if o.Dropout != nil && *o.Dropout != 0 {
		return nil, vocabulary{}, errors.New("the model drops merges at random (\"dropout\")")
	}
	if o.Prefix != nil && *o.Prefix != "" || o.Suffix != nil && *o.Suffix != "" {
		return nil, vocabulary{}, errors.New("a BPE model with prefixes or suffixes of words is not known")
	}
	v := o.Vocab
	if err := v.checkEntries(); err != nil {
		return nil, vocabulary{}, err
	}
	b := &bytePair{
		ids: make(map[string]int32, len(v.tokens)), runes: map[rune]int32{}, merges: make(map[pair]merge, len(o.Merges.left)), unknown: -1,
		fuses: o.FuseUnknown, wholeWords: o.IgnoreMerges,
	}
	if o.Unknown != nil {
		id, ok := v.id(*o.Unknown)
		if !ok {
			return nil, vocabulary{}, fmt.Errorf("the vocabulary lacks the token for unknown characters, %.64q", *o.Unknown)
		}
		b.unknown = int64(id)
	}
	for i, token := range v.tokens {
		id := v.ids[i]
		b.ids[token] = id
		if r, n := utf8.DecodeRuneInString(token); n == len(token) {
			b.runes[r] = id
		}
	}
	if o.ByteFallback {
		b.bytes = byteTokens(v)
	}
	if err := b.addMerges(o.Merges); err != nil {
		return nil, vocabulary{}, err
	}
	return b, v, nil
}

func (b *bytePair) addMerges(merges mergeList) error {
	for rank := range merges.left {
		left, okLeft := b.ids[merges.left[rank]]
		right, okRight := b.ids[merges.right[rank]]
		both, okBoth := b.ids[merges.left[rank]+merges.right[rank]]
		if !okLeft || !okRight || !okBoth {
			return fmt.Errorf("the vocabulary lacks a part of the merge %.64q %.64q", merges.left[rank], merges.right[rank])
		}
		b.merges[pair{left, right}] = merge{int32(rank), both}
	}
	return nil
}

// byteTokens returns the tokens <0x00> to <0xFF>, -1 where the vocabulary lacks one.
func byteTokens(v vocabulary) *[256]int32 {
	var tokens [256]int32
	for b := range tokens {
		tokens[b] = -1
	}
	for i, token := range v.tokens {
		if len(token) == len("<0x00>") && token[:3] == "<0x" && token[5] == '>' {
			if b, err := strconv.ParseUint(token[3:5], 16, 8); err == nil {
				tokens[b] = v.ids[i]
			}
		}
	}
	return &tokens
}

// appendBytes appends the tokens of the bytes of a text. If one is missing it appends nothing and
// returns false.
func appendBytes(ids []int64, tokens *[256]int32, text string) ([]int64, bool) {
	before := len(ids)
	for i := range len(text) {
		id := tokens[text[i]]
		if id < 0 {
			return ids[:before], false
		}
		ids = append(ids, int64(id))
	}
	return ids, true
}

// appendIDs implements model.
func (b *bytePair) appendIDs(ids []int64, word string, s *scratch) []int64 {
	if b.wholeWords {
		if id, ok := b.ids[word]; ok {
			return append(ids, int64(id))
		}
	}
	s.symbols = b.symbolsOf(s.symbols[:0], word)
	b.mergeAll(s)
	for at := int32(0); at >= 0 && int(at) < len(s.symbols); at = s.symbols[at].next {
		ids = append(ids, int64(s.symbols[at].id))
	}
	return ids
}

// symbolsOf appends the characters of a word.
func (b *bytePair) symbolsOf(symbols []symbol, word string) []symbol {
	wasUnknown := false
	for i, r := range word {
		if id, ok := b.runes[r]; ok {
			symbols, wasUnknown = append(symbols, symbol{id: id}), false
			continue
		}
		if b.bytes != nil {
			text := word[i : i+utf8.RuneLen(r)]
			if ids, ok := appendBytes(nil, b.bytes, text); ok {
				for _, id := range ids {
					symbols = append(symbols, symbol{id: int32(id)})
				}
				continue
			}
		}
		if b.unknown >= 0 && !(wasUnknown && b.fuses) {
			symbols = append(symbols, symbol{id: int32(b.unknown)})
		}
		wasUnknown = true
	}
	for i := range symbols {
		symbols[i].previous, symbols[i].next = int32(i)-1, int32(i)+1
	}
	if n := len(symbols); n > 0 {
		symbols[n-1].next = -1
	}
	return symbols
}
