package text

import (
	"unicode"
	"unicode/utf8"
)

// MaxRun is the length in bytes above which a run is no word but data (base64, hashes, minified code) and is dropped.
const MaxRun = 40

// Runs calls f for each run of letters and digits of s, in order, as written.
//
// Letters and digits of any script count. Combining marks belong to the run that they follow. Everything else separates:
// punctuation, symbols, NUL, bytes that are not UTF-8. Runs over MaxRun bytes are skipped.
func Runs(s string, f func(run string)) {
	for i := 0; i < len(s); {
		start := i
		for i < len(s) && alphanumeric[s[i]] {
			i++
		}
		if i < len(s) && s[i] >= utf8.RuneSelf {
			i = wideEnd(s, start, i)
		}
		switch n := i - start; {
		case n == 0:
			i += separatorLen(s[i:])
		case n <= MaxRun:
			f(s[start:i])
		}
	}
}

// wideEnd returns where the run that began at start ends, known to reach i, where a byte above ASCII stands.
func wideEnd(s string, start, i int) int {
	for i < len(s) {
		if s[i] < utf8.RuneSelf {
			if !alphanumeric[s[i]] {
				break
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && (i == start || !unicode.IsMark(r)) {
			break
		}
		i += n
	}
	return i
}

// separatorLen returns the length of the character, or broken byte, at the start of s. s is not empty.
func separatorLen(s string) int {
	if s[0] < utf8.RuneSelf {
		return 1
	}
	_, n := utf8.DecodeRuneInString(s)
	return n
}

// alphanumeric tells the ASCII letters and digits.
var alphanumeric = func() (t [256]bool) {
	for c := range t {
		t[c] = '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
	}
	return t
}()
