// Package printable says which characters a reader sees, for a person's terminal and for a model.
//
// It holds the only table of the characters that output must escape: control characters, changes of
// direction, the characters that Unicode lets a program ignore (Default_Ignorable_Code_Point), and
// the letters and symbols that look like a blank. They are escaped because a text may hide
// instructions in them, which a model reads and a person does not see. The table is made of the
// properties in Go's package unicode. A test compares it with Unicode's own lists.
//
// Joiners and variation selectors stay where writing needs them: in an emoji sequence (emoji.go),
// and a joiner after a letter of a script that has them, such as Persian or Hindi.
package printable

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// blank holds the characters that look like a space but are letters or symbols in Unicode: the
// empty Braille pattern, blanks among the hieroglyphs, and a note head without a picture.
const blank = "\u2800\U00013441\U00013442\U0001D159"

// IsHidden reports whether a reader does not see a character by itself. A space is not hidden; a
// line break and a tab are.
func IsHidden(r rune) bool {
	if r < utf8.RuneSelf {
		return r < ' ' || r == 0x7f
	}
	return !unicode.IsPrint(r) ||
		unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) ||
		strings.ContainsRune(blank, r)
}

// Len returns the length in bytes of the first character of s as a reader sees it: one visible
// character with the joiner that belongs to it, or an emoji sequence. It returns 0 if s is empty,
// or begins with a hidden character or with invalid UTF-8.
func Len(s string) int {
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case n == 0, r == utf8.RuneError && n == 1, IsHidden(r):
		return 0
	case r < utf8.RuneSelf && (len(s) == n || s[n] < utf8.RuneSelf): // nearly all texts
		return n
	}
	if e := emojiLen(s); e > 0 {
		return e
	}
	if hasJoiners(r) {
		if next, width := utf8.DecodeRuneInString(s[n:]); next == joiner || next == nonJoiner {
			n += width
		}
	}
	return n
}

const (
	nonJoiner = '\u200c'
	joiner    = '\u200d'
)

// hasJoiners reports whether a letter or mark belongs to a script that is written with joiners.
func hasJoiners(r rune) bool {
	return r >= 0x600 && unicode.In(r, unicode.L, unicode.M) && unicode.In(r, joining...)
}

// joining holds the scripts whose letters change their form beside a joiner.
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mandaic, unicode.Mongolian, unicode.Devanagari,
	unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu,
	unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
	unicode.Balinese, unicode.Javanese, unicode.Sundanese,
	unicode.Adlam, unicode.Hanifi_Rohingya,
}

// ASCII returns the length in bytes of the visible ASCII at the start of s. Each of these bytes is
// a character by itself, so Len of it is 1. A byte before one outside ASCII is left out, because
// the two may be one sequence.
func ASCII(s string) int {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= utf8.RuneSelf:
			return max(0, i-1)
		case c < ' ' || c == 0x7f:
			return i
		}
	}
	return len(s)
}

// All reports whether a reader sees every character of s. It returns true for "".
func All(s string) bool {
	for len(s) > 0 {
		n := cmp.Or(ASCII(s), Len(s))
		if n == 0 {
			return false
		}
		s = s[n:]
	}
	return true
}

// Escape writes the first character of s in a visible form to b, and returns its length in bytes.
// The form is \x1b for a byte, and \u200b or \U000e0041 for a longer character. s must not be
// empty.
func Escape(b *strings.Builder, s string) int {
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError && n == 1, r < utf8.RuneSelf:
		fmt.Fprintf(b, `\x%02x`, s[0])
	case r > 0xffff:
		fmt.Fprintf(b, `\U%08x`, r)
	default:
		fmt.Fprintf(b, `\u%04x`, r)
	}
	return n
}

// JSON returns a JSON text in which every hidden character is escaped, even if JSON allows it
// unescaped. Line breaks stay. The values are the same.
func JSON(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for len(text) > 0 {
		if n := cmp.Or(ASCII(text), Len(text), lineBreak(text)); n > 0 {
			b.WriteString(text[:n])
			text = text[n:]
			continue
		}
		r, n := utf8.DecodeRuneInString(text)
		if r > 0xffff {
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff)
		} else {
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		text = text[n:]
	}
	return b.String()
}

// lineBreak returns 1 if s begins with a line break, and else 0.
func lineBreak(s string) int {
	if strings.HasPrefix(s, "\n") {
		return 1
	}
	return 0
}
