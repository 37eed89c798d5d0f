package tokenize

import (
	"strings"
	"unicode/utf8"
)

// mostText is the number of bytes of a text that Encode reads, before and after normalisation. No
// model that is known takes tokens of more.
const mostText = 1 << 20

// Tokenizer turns texts into the ids that a model takes. It may be used by several goroutines at
// once.
type Tokenizer struct {
	kind      string
	hash      string
	maxTokens int
	pad       int64
	normalize normalizer   // nil if texts stay as they are
	split     preTokenizer // nil if a text is one word
	model     model
	before    []int64 // special tokens before the text
	after     []int64 // special tokens behind it
	exact     *addedTokens
	folded    *addedTokens
}

// model turns a word into ids, which it appends.
type model interface {
	appendIDs(ids []int64, word string, s *scratch) []int64
}

// scratch is memory that the words of one text share.
type scratch struct {
	symbols []symbol
	queue   mergeQueue
	best    []pathNode
}

// Encode returns the ids of a text, with the special tokens of the model around them. There are at
// most maxTokens ids; of a longer text the end is left out, never the special tokens. A maxTokens
// of 0 means MaxTokens, and no limit if that is 0 as well. At most the first MiB of a text counts.
// Bytes that are no UTF-8 count as U+FFFD.
//
// A special token that the text spells, such as "[SEP]", becomes its id, as in the libraries that
// models are trained with.
func (t *Tokenizer) Encode(text string, maxTokens int) []int64 {
	if maxTokens <= 0 {
		maxTokens = t.maxTokens
	}
	room := -1 // for the ids of the text; -1: any number
	if maxTokens > 0 {
		room = max(0, maxTokens-len(t.before)-len(t.after))
	}
	ids := append(make([]int64, 0, len(t.before)+len(t.after)+min(len(text)/3+8, 1024)), t.before...)
	if room != 0 {
		ids = t.appendText(ids, cutText(strings.ToValidUTF8(cutText(text, mostText), "\uFFFD"), mostText), room)
	}
	return append(ids, t.after...)
}

// appendText appends at most room ids of a text, or all if room is negative.
func (t *Tokenizer) appendText(ids []int64, text string, room int) []int64 {
	end := len(ids) + room
	isFull := func() bool { return room >= 0 && len(ids) >= end }
	var s scratch
	var words []word
	for exact := range t.exact.parts(text) {
		if isFull() {
			break
		}
		if exact.id >= 0 {
			ids = append(ids, exact.id)
			continue
		}
		atStart := exact.atStart
		if t.normalize != nil {
			exact.text = t.normalize(exact.text)
		}
		for part := range t.folded.parts(exact.text) {
			if isFull() {
				break
			}
			if part.id >= 0 {
				ids = append(ids, part.id)
				continue
			}
			words = append(words[:0], word{part.text, atStart && part.atStart})
			if t.split != nil {
				words = t.split(words)
			}
			for _, w := range words {
				if isFull() {
					break
				}
				if w.text != "" {
					ids = t.model.appendIDs(ids, w.text, &s)
				}
			}
		}
	}
	if room >= 0 && len(ids) > end {
		ids = ids[:end]
	}
	return ids
}

// cutText returns the first n bytes of a text, without a part of a character at the end.
func cutText(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for i := range utf8.UTFMax {
		if utf8.RuneStart(text[n-i]) {
			return text[:n-i]
		}
	}
	return text[:n]
}

// PadID returns the id that fills the texts of a batch up to the longest. It is 0 if the model's
// files name no such token.
func (t *Tokenizer) PadID() int64 { return t.pad }

// MaxTokens returns the largest number of ids that the model's files allow, special tokens
// included, or 0 if they do not say.
func (t *Tokenizer) MaxTokens() int { return t.maxTokens }

// Kind returns the algorithm: "WordPiece", "BPE" or "Unigram".
func (t *Tokenizer) Kind() string { return t.kind }

// Hash returns a hash of everything in the files that decides ids, as 64 hexadecimal digits. How
// long a text may be and the padding of a batch are not part of it.
func (t *Tokenizer) Hash() string { return t.hash }
