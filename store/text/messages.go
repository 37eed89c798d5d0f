package text

import (
	"strings"
	"unicode/utf8"

	"patina/internal/lazyregexp"
)

// A Message is a piece from a string literal that a program may print. It is known by two hashes
// over its lower-cased words. Head covers the first three, for look-up. Whole covers all, with
// their number in the lowest six bits. Both fit into 32 bits.
type Message struct{ Head, Whole int64 }

const (
	headWords    = 3   // the fewest words in a message: pairs occur everywhere
	literalMin   = 8   // characters: a shorter literal says too little
	literalMax   = 300 // characters: a longer literal is a document by itself
	countBits    = 6
	messageWords = 1<<countBits - 1 // words in a message that count
)

// placeholder matches text replaced before printing: %s, %(name)d, {x}, ${x}, #{x}, $x, \(x), line
// breaks and other escapes.
var placeholder = lazyregexp.New(`%[-+#0-9.*]*(?:\(\w+\))?[-+#0-9.*]*[hlLqjzt]*[A-Za-z]|[$#]?\{[^{}]*\}|\$\w+|\\\([^)]*\)|\\[A-Za-z0-9]`)

// Placeholders returns the places in a literal where something is filled in before it is printed,
// and its escapes, as pairs of bytes.
func Placeholders(literal string) [][]int { return placeholder().FindAllStringIndex(literal, -1) }

// Messages calls f for each message in a literal, given as it stands between its quotes. A literal
// with fewer than three words between blanks has none, unless it is CJK: import paths, keys and
// patterns are no messages.
func Messages(literal string, f func(Message)) {
	if strings.Count(literal, " ") < headWords-1 && strings.IndexFunc(literal, isCJK) < 0 {
		return
	}
	if n := utf8.RuneCountInString(literal); n < literalMin || n > literalMax {
		return
	}
	from := 0
	if strings.ContainsAny(literal, `%{$\`) {
		for _, cut := range placeholder().FindAllStringIndex(literal, -1) {
			eachPiece(literal[from:cut[0]], f)
			from = cut[1]
		}
	}
	eachPiece(literal[from:], f)
}

func eachPiece(s string, f func(Message)) {
	words := lowerRuns(s)
	if len(words) >= headWords {
		f(messageOf(words[:min(len(words), messageWords)]))
	}
}

func messageOf(words []string) Message {
	whole := int64(hashWords(words)) &^ messageWords
	return Message{Head(words), whole | int64(len(words))}
}

// Words returns how many words it has, 3 to 63.
func (m Message) Words() int { return int(m.Whole) & messageWords }

// Head hashes the first three words.
func Head(words []string) int64 { return int64(hashWords(words[:headWords])) }

// Begins reports whether the words begin with a message.
func (m Message) Begins(words []string) bool {
	return len(words) >= m.Words() && m.Words() >= headWords && messageOf(words[:m.Words()]) == m
}

// hashWords is FNV-1a over the words, each with a blank after it, folded to 32 bits.
func hashWords(words []string) int32 {
	const offset, prime = 14695981039346656037, 1099511628211
	h := uint64(offset)
	for _, w := range words {
		for i := range len(w) {
			h = (h ^ uint64(w[i])) * prime
		}
		h = (h ^ ' ') * prime
	}
	return int32(h>>32 ^ h)
}
