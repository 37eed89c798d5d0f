package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// MaxRun is the greatest length of a run, in bytes. Longer ones are data (base64, hashes, minified
// code).
const MaxRun = 40

// Runs calls f for each run of letters and digits in s, in order, as written.
//
// Letters and digits from any script count. Combining marks belong to the run before them.
// Everything else separates: punctuation, symbols, NUL, invalid UTF-8. Runs over MaxRun bytes are
// skipped.
//
// Runs are in Unicode's normal form NFKC, so that "é" is one word however it is composed, and a
// full-width "ＪＷＴ" is "JWT". A run with characters above ASCII may therefore not be a substring of
// s.
//
// Chinese, Japanese and Korean hardly separate their words. In them, each two neighbouring
// characters are a run ("缓存失效" has the runs 缓存, 存失 and 失效), and so is a single character between
// separators.
func Runs(s string, f func(run string)) {
	for i := 0; i < len(s); {
		start, wide := i, false
		for i < len(s) && alphanumeric[s[i]] {
			i++
		}
		if i < len(s) && s[i] >= utf8.RuneSelf {
			i = wideEnd(s, start, i)
			wide = true
		}
		switch n := i - start; {
		case n == 0:
			i += separatorLen(s[i:])
		case wide && !norm.NFKC.IsNormalString(s[start:i]):
			Runs(norm.NFKC.String(s[start:i]), f) // which may have separators now
		case wide && strings.IndexFunc(s[start:i], isCJK) >= 0:
			cutCJK(s[start:i], f)
		case n <= MaxRun:
			f(s[start:i])
		}
	}
}

// lowerRuns returns the runs in s in lower case. It returns nil if there are none.
func lowerRuns(s string) (words []string) {
	Runs(s, func(run string) { words = append(words, strings.ToLower(run)) })
	return words
}

// wideEnd returns the end of the run that began at start. s[i] must be a byte above ASCII.
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

// IsWordRune reports whether a character belongs to a run: a letter, a digit or a mark. alone
// reports whether its script does not separate words, so that the character may be a word by
// itself.
func IsWordRune(r rune) (word, alone bool) {
	if r < utf8.RuneSelf {
		return alphanumeric[byte(r)], false
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r), isCJK(r)
}

// separatorLen returns the length of the character, or invalid byte, at the start of s. s must not
// be empty.
func separatorLen(s string) int {
	if s[0] < utf8.RuneSelf {
		return 1
	}
	_, n := utf8.DecodeRuneInString(s)
	return n
}

// alphanumeric is true for ASCII letters and digits.
var alphanumeric = func() (t [256]bool) {
	for c := range t {
		t[c] = '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
	}
	return t
}()
