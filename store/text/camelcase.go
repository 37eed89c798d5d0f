package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words calls f for each word of a run: the whole, then its camel parts if there are two or more; each lower-cased and
// stemmed. "QueryEngine" gives "queryengin", "queri" and "engin", so that "query engine" finds it, and the reverse.
func Words(run string, f func(word string)) {
	f(Stem(strings.ToLower(run)))
	if partLen(run) == len(run) {
		return
	}
	Parts(run, func(part string) { f(Stem(strings.ToLower(part))) })
}

// Parts calls f for each camel part of a run, unstemmed and as written. Together the parts make up the whole run.
//
// A part is what ranking by words was measured with:
//
//	[A-Z]+(?=[A-Z][a-z]) | [A-Z]?[a-z]+[0-9]* | [A-Z]+[0-9]* | [0-9]+
//
// where the classes stand for those of Unicode. Letters without case (Arabic, …) are a class of their own, so that "HTTPسيرفر"
// has the parts "HTTP" and "سيرفر"; digits that follow them belong to them too.
func Parts(run string, f func(part string)) {
	for run != "" {
		n := partLen(run)
		f(run[:n])
		run = run[n:]
	}
}

// partLen returns the length of the first part of a run; at least 1 unless the run is empty.
func partLen(run string) int {
	c, _ := classAt(run)
	n, last := span(run, c)
	switch c {
	case digit:
		return n
	case upper:
		small, _ := span(run[n:], lower)
		if small > 0 && last > 0 {
			return last // the last capital begins the next part
		}
		n += small
	}
	digits, _ := span(run[n:], digit)
	return n + digits
}

// span returns how many bytes at the start of s are of class c, and where the last character of them begins.
// Marks are of the class of what they follow.
func span(s string, c class) (n, last int) {
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

// A class is what a character is in the eyes of Parts.
type class uint8

const (
	other class = iota // letters without case, and whatever Runs does not let through
	upper
	lower
	digit
	mark
)

// classAt returns the class and length of the first character of s.
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
