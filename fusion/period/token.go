package period

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A token is a word of a text and its position. Punctuation around it is left out.
type token struct {
	text, lower string
	from, to    int  // bytes in the text
	ends        bool // punctuation follows, so a phrase must end here
	quoted      bool
}

// quotes maps each mark that opens a quotation to the mark that closes it.
var quotes = map[rune]rune{'"': '"', '`': '`', '\'': '\'', '“': '”', '‘': '’', '«': '»'}

// splitTokens splits a text at white space. An apostrophe inside a word does not open a quotation,
// nor does a mark that is not closed.
func splitTokens(s string) (out []token) {
	closing := rune(0) // of the quotation that is open
	start := -1
	flush := func(end int) {
		if start >= 0 {
			out = append(out, trimToken(s, start, end, closing != 0))
		}
		start = -1
	}
	for i, r := range s {
		switch mark, opens := quotes[r]; {
		case closing != 0 && r == closing:
			flush(i)
			closing = 0
		case closing == 0 && opens && start < 0 && strings.ContainsRune(s[i+utf8.RuneLen(r):], mark):
			closing = mark
		case unicode.IsSpace(r):
			flush(i)
		case start < 0:
			start = i
		}
	}
	flush(len(s))
	kept := out[:0]
	for _, t := range out {
		if t.text != "" {
			kept = append(kept, t)
		} else if len(kept) > 0 {
			kept[len(kept)-1].ends = true
		}
	}
	return kept
}

// trimToken returns the token of the bytes from from up to to, without the punctuation around it.
func trimToken(s string, from, to int, quoted bool) token {
	left := strings.TrimLeft(s[from:to], "([{<,;:!?.")
	text := strings.TrimRight(left, ")]}>,;:!?.")
	start := to - len(left)
	return token{
		text: text, lower: strings.ToLower(text), from: start, to: start + len(text),
		ends: len(text) < len(left), quoted: quoted,
	}
}
