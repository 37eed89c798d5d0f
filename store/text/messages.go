package text

import (
	"strings"
	"unicode/utf8"
)

// A Message is a piece of a string literal that a program may print, known by hashes of its lower-cased words: Head of the
// first three, by which it is looked up, Whole of all of them, with their number in its lowest six bits. Both fit into 32 bits.
type Message struct{ Head, Whole int64 }

const (
	headWords    = 3   // the fewest words of a message: two in a row are everywhere
	literalMin   = 8   // characters: a shorter literal says too little
	literalMax   = 300 // and of one that is no document of its own
	countBits    = 6
	messageWords = 1<<countBits - 1 // words of a message that count
)

// placeholder is what a program replaces before it prints: %s, %(name)d, {x}, ${x}, #{x}, $x, \(x), and line breaks and the like.
var placeholder = Lazy(`%[-+#0-9.*]*(?:\(\w+\))?[-+#0-9.*]*[hlLqjzt]*[A-Za-z]|[$#]?\{[^{}]*\}|\$\w+|\\\([^)]*\)|\\[A-Za-z0-9]`)

// Messages calls f for each message of a literal, which is given as it stands between its quotes. One of fewer than three
// words that blanks separate has none, unless it is CJK: import paths, keys and patterns are no messages.
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
			piece(literal[from:cut[0]], f)
			from = cut[1]
		}
	}
	piece(literal[from:], f)
}

func piece(s string, f func(Message)) {
	words := lowerRuns(s)
	if len(words) >= headWords {
		f(messageOf(words[:min(len(words), messageWords)]))
	}
}

func messageOf(words []string) Message {
	whole := int64(hashWords(words)) &^ messageWords
	return Message{Head(words), whole | int64(len(words))}
}

// Words is the number of words of a message, 3 to 63.
func (m Message) Words() int { return int(m.Whole) & messageWords }

// Head is the hash of the first three of the words.
func Head(words []string) int64 { return int64(hashWords(words[:headWords])) }

// Begins tells whether the words begin with a message.
func (m Message) Begins(words []string) bool {
	return len(words) >= m.Words() && m.Words() >= headWords && messageOf(words[:m.Words()]) == m
}

// hashWords is FNV-1a over the words with a blank behind each, folded to 32 bits.
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
