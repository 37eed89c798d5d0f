package tokenize

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// bytePairSplit cuts a text into words as GPT-2 and its successors do: a contraction, or letters,
// or digits, or other signs, each with a space before it, or spaces. Of several spaces the last one
// belongs to the next word.
type bytePairSplit struct {
	anyCase   bool // contractions may be in capitals
	anyPrefix bool // letters may have any sign before them, digits have no space
	digits    int  // the highest number of digits in a word; 0: any number
	newlines  bool // line ends stay with the signs before them, and end a run of spaces
}

// bytePairSplits are the expressions that say such words.
var bytePairSplits = map[string]bytePairSplit{
	`'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`: {},
	`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`: {
		anyCase: true, anyPrefix: true, digits: 1, newlines: true,
	},
	`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`: {
		anyCase: true, anyPrefix: true, digits: 3, newlines: true,
	},
}

// places implements matcher. The places cover the text.
func (b bytePairSplit) places(text string) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for at := 0; at < len(text); {
			end := at + b.wordLength(text[at:])
			if !yield(at, end) {
				return
			}
			at = end
		}
	}
}

// wordLength returns the length of the first word of a text, at least one character.
func (b bytePairSplit) wordLength(text string) int {
	if n := b.contraction(text); n > 0 {
		return n
	}
	first, size := utf8.DecodeRuneInString(text)
	second, _ := utf8.DecodeRuneInString(text[size:])
	isPrefix := first == ' '
	if b.anyPrefix {
		isPrefix = first != '\r' && first != '\n' && !isNumber(first)
	}
	switch {
	case unicode.IsLetter(first):
		return runLength(text, unicode.IsLetter, 0)
	case isPrefix && len(text) > size && unicode.IsLetter(second):
		return size + runLength(text[size:], unicode.IsLetter, 0)
	case isNumber(first):
		return runLength(text, isNumber, b.digits)
	case first == ' ' && isNumber(second) && !b.anyPrefix:
		return 1 + runLength(text[1:], isNumber, b.digits)
	}
	start := 0
	if first == ' ' {
		start = 1
	}
	if n := runLength(text[start:], isSign, 0); n > 0 {
		n += start
		if b.newlines {
			n += runLength(text[n:], isLineEnd, 0)
		}
		return n
	}
	return b.spaces(text)
}

// spaces returns the length of the first word of a text that begins with spaces.
func (b bytePairSplit) spaces(text string) int {
	n := runLength(text, unicode.IsSpace, 0)
	if b.newlines {
		if end := strings.LastIndexAny(text[:n], "\r\n"); end >= 0 {
			return end + 1
		}
	}
	if n < len(text) {
		if _, last := utf8.DecodeLastRuneInString(text[:n]); last < n {
			n -= last
		}
	}
	return n
}

var contractions = []string{"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"}

// contraction returns the length of the contraction that a text begins with, or 0.
func (b bytePairSplit) contraction(text string) int {
	if text[0] != '\'' {
		return 0
	}
	for _, c := range contractions {
		if strings.HasPrefix(text, c) || b.anyCase && len(text) >= len(c) && strings.EqualFold(text[:len(c)], c) {
			return len(c)
		}
	}
	if b.anyCase && strings.HasPrefix(text, "'ſ") {
		return len("'ſ")
	}
	return 0
}

// runLength returns the length of the run of characters that a text begins with, of at most most
// characters unless that is 0.
func runLength(text string, is func(rune) bool, most int) int {
	count := 0
	for i, r := range text {
		if !is(r) || most > 0 && count == most {
			return i
		}
		count++
	}
	return len(text)
}

func isNumber(r rune) bool  { return unicode.Is(unicode.N, r) }
func isSign(r rune) bool    { return !unicode.IsSpace(r) && !unicode.IsLetter(r) && !isNumber(r) }
func isLineEnd(r rune) bool { return r == '\r' || r == '\n' }

// byteRunes is how byte-level models spell a byte: the printable ones of Latin-1 as they are, the
// others from U+0100 on.
var byteRunes = func() (runes [256]rune) {
	next := rune(256)
	for b := range runes {
		if r := rune(b); r >= '!' && r <= '~' || r >= 0xA1 && r <= 0xAC || r >= 0xAE {
			runes[b] = r
		} else {
			runes[b] = next
			next++
		}
	}
	return runes
}()

// byteLevel spells the bytes of a text.
func byteLevel(text string) string {
	var b strings.Builder
	b.Grow(len(text) + len(text)/4)
	for i := range len(text) {
		b.WriteRune(byteRunes[text[i]])
	}
	return b.String()
}
