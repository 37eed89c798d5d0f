package text

import (
	"strings"
	"unicode/utf8"

	"patina/internal/lazyregexp"
)

// A Message is a piece of a string literal that a program may print. It is known by two hashes of
// its lower-cased words. Head covers the first three and serves as the key for look-ups. Whole
// covers all of them, and its lowest six bits are their number. Both fit into 32 bits.
type Message struct{ Head, Whole int64 }

const (
	headWords    = 3   // the fewest words in a message: pairs occur everywhere
	literalMin   = 8   // characters: a shorter literal says too little
	literalMax   = 300 // characters: a longer literal is a document by itself
	countBits    = 6
	messageWords = 1<<countBits - 1 // words in a message that count
)

// placeholder matches text that is replaced before printing: %s, %(name)d, {x}, ${x}, #{x}, $x,
// \(x), line breaks and other escapes.
var placeholder = lazyregexp.New(`%[-+#0-9.*]*(?:\(\w+\))?[-+#0-9.*]*[hlLqjzt]*[A-Za-z]|[$#]?\{[^{}]*\}|\$\w+|` +
	`\\\([^)]*\)|\\[A-Za-z0-9]`)

// Placeholders returns the positions in a literal, as pairs of byte offsets, of its escapes and of
// the places that are filled in before printing. It returns nil if there are none.
func Placeholders(literal string) [][]int { return placeholder().FindAllStringIndex(literal, -1) }

// Messages calls f for each message in a literal, given as written between its quotes. A literal
// with fewer than three words, separated by spaces, has no message unless it is CJK, because import
// paths, keys and patterns are not messages.
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

// Words returns the number of words in the message, 3 to 63.
func (m Message) Words() int { return int(m.Whole) & messageWords }

// Head hashes the first three words. There must be three or more.
func Head(words []string) int64 { return int64(hashWords(words[:headWords])) }

// Begins reports whether words begin with the message.
func (m Message) Begins(words []string) bool {
	return len(words) >= m.Words() && m.Words() >= headWords && messageOf(words[:m.Words()]) == m
}

// hashWords returns the FNV-1a hash of the words, each followed by a space, folded to 32 bits.
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
