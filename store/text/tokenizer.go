package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxRun is the length in bytes above which a run is no word but data (base64, hashes, minified code) and is dropped.
const MaxRun = 40

// Runs calls f for each run of letters and digits of s, in order, as written.
//
// Letters and digits of any script count. Combining marks belong to the run that they follow. Everything else separates:
// punctuation, symbols, NUL, bytes that are not UTF-8. Runs over MaxRun bytes are skipped.
//
// Chinese, Japanese and Korean hardly separate their words: of what stands together in their scripts, each two neighbouring
// characters are a run ("缓存失效" gives 缓存, 存失 and 失效), or the one that stands alone.
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
		case wide && strings.IndexFunc(s[start:i], isCJK) >= 0:
			cutCJK(s[start:i], f)
		case n <= MaxRun:
			f(s[start:i])
		}
	}
}

// lowerRuns are the runs of s in lower case.
func lowerRuns(s string) (words []string) {
	Runs(s, func(run string) { words = append(words, strings.ToLower(run)) })
	return words
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
