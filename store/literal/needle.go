package literal

import (
	"strings"
	"unicode/utf8"

	"patina/store/text"
)

// A needle is a word to find among the words of a text, in any case. It skips bytes that cannot be
// part of the word (Horspool 1980), because a scan of all words would look at each character.
type needle struct {
	word  string
	plain bool       // ASCII, and short enough for skips
	skips [256]uint8 // distance to go on, by the byte at the place of the last letter
}

func newNeedle(word string) *needle {
	n := &needle{word: word, plain: len(word) < 256}
	for i := range len(word) {
		n.plain = n.plain && word[i] < utf8.RuneSelf
	}
	if !n.plain {
		return n
	}
	for c := range n.skips {
		n.skips[c] = uint8(len(word))
	}
	for i := range len(word) - 1 {
		n.skips[word[i]] = uint8(len(word) - 1 - i)
		n.skips[upperASCII(word[i])] = uint8(len(word) - 1 - i)
	}
	return n
}

// upperASCII returns the capital of a lower-case ASCII letter, and any other byte unchanged.
func upperASCII(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}

// skippable reports whether all words of a text that equal the needle have the same bytes, except
// for case. They may not because two letters outside of ASCII, the kelvin sign and the long s,
// equal k and s.
func (n *needle) skippable(body string) bool {
	return n.plain &&
		(strings.IndexByte(n.word, 'k') < 0 || !strings.Contains(body, "\u212a")) &&
		(strings.IndexByte(n.word, 's') < 0 || !strings.Contains(body, "\u017f"))
}

// mayStand reports whether a text may have the word. If it returns false, the text does not.
func (n *needle) mayStand(body string) bool {
	return !n.skippable(body) || n.index(body, 0) >= 0
}

// nextMatch returns the needle's next occurrence, at from or later, that is a whole word. Its end
// is 0 if there is no occurrence.
func (n *needle) nextMatch(body string, from int) token {
	if n.skippable(body) {
		for at := n.index(body, from); at >= 0; at = n.index(body, at+1) {
			if startsWord(body, at) && wordEnd(body, at) == at+len(n.word) {
				return token{at, at + len(n.word), false}
			}
		}
		return token{}
	}
	t := wordAfter(body, from, len(body))
	for t.to > 0 && !strings.EqualFold(body[t.from:t.to], n.word) {
		t = wordAfter(body, t.to, len(body))
	}
	return t
}

// index returns the position of the next occurrence of the needle's bytes, in any case, or -1.
func (n *needle) index(body string, from int) int {
	last := len(n.word) - 1
	low, high := n.word[last], upperASCII(n.word[last])
	for i := from + last; i < len(body); {
		c := body[i]
		if (c == low || c == high) && strings.EqualFold(body[i-last:i+1], n.word) {
			return i - last
		}
		i += int(n.skips[c])
	}
	return -1
}

// startsWord reports whether a word may begin at body[at]. The character before must be part of no
// word, a word by itself, or the letter of an escape.
func startsWord(body string, at int) bool {
	switch {
	case at == 0:
		return true
	case body[at-1] == '\\':
		return escapeLength(body[at]) == 0
	case body[at-1] < utf8.RuneSelf:
		return !asciiWord[body[at-1]] || at > 1 && body[at-2] == '\\' && escapeLength(body[at-1]) > 0
	}
	r, _ := utf8.DecodeLastRuneInString(body[:at])
	word, alone := text.IsWordRune(r)
	return !word || alone
}
