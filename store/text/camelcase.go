package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words calls f for each word in a run: for the whole run, then for its camel-case parts if there
// are two or more. Words are lower-cased and stemmed. "QueryEngine" has the words "queryengin",
// "queri" and "engin", so that "query engine" finds it, and the reverse.
func Words(run string, f func(word string)) {
	f(Stem(strings.ToLower(run)))
	if partLen(run) == len(run) {
		return
	}
	Parts(run, func(part string) { f(Stem(strings.ToLower(part))) })
}

// Parts calls f for each camel-case part of a run, unstemmed and as written. Joined, the parts are
// the run.
//
// A part is
//
//	[A-Z]+(?=[A-Z][a-z]) | [A-Z]?[a-z]+[0-9]* | [A-Z]+[0-9]* | [0-9]+
//
// with Unicode's classes instead. Letters without case (Arabic, …) are a class by
// themselves, with the digits after them: "HTTPسيرفر" has the parts "HTTP" and "سيرفر".
func Parts(run string, f func(part string)) {
	for run != "" {
		n := partLen(run)
		f(run[:n])
		run = run[n:]
	}
}

// partLen returns the first part's length; at least 1 unless the run is empty.
func partLen(run string) int {
	c, _ := classAt(run)
	n, last := spanOf(run, c)
	switch c {
	case digit:
		return n
	case upper:
		small, _ := spanOf(run[n:], lower)
		if small > 0 && last > 0 {
			return last // the last capital begins the next part
		}
		n += small
	}
	digits, _ := spanOf(run[n:], digit)
	return n + digits
}

// spanOf returns how many bytes at the start of s have class c, and where their last character
// begins. A mark belongs to the character before it.
func spanOf(s string, c class) (n, last int) {
	for n < len(s) {
		d, size := classAt(s[n:])
		if d != c && (d != mark || n == 0) {
			break
		}
		if d == c {
			last = n
		}
		n += size
	}
	return n, last
}

// A class is a kind of character, as Parts distinguishes them.
type class uint8

const (
	other class = iota // letters without case, and everything that Runs drops
	upper
	lower
	digit
	mark
)

// classAt returns the class and length of the first character in s.
func classAt(s string) (class, int) {
	if s == "" {
		return other, 0
	}
	switch c := s[0]; {
	case 'a' <= c && c <= 'z':
		return lower, 1
	case 'A' <= c && c <= 'Z':
		return upper, 1
	case '0' <= c && c <= '9':
		return digit, 1
	case c < utf8.RuneSelf:
		return other, 1
	}
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case unicode.IsLower(r):
		return lower, n
	case unicode.IsUpper(r), unicode.IsTitle(r):
		return upper, n
	case unicode.IsDigit(r):
		return digit, n
	case unicode.IsMark(r):
		return mark, n
	}
	return other, n
}
