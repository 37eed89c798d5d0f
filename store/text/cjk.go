package text

import (
	"unicode"
	"unicode/utf8"
)

// isCJK reports whether r is Chinese, Japanese or Korean. The two vowel length signs are listed
// because Unicode assigns them to several scripts.
func isCJK(r rune) bool {
	return r >= 0x1100 && (r == 'ー' || r == 'ｰ' ||
		unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul))
}

// cutCJK splits a run in mixed scripts and calls f for each piece: for each pair of neighbouring
// characters in CJK text, and for the text between as it is.
func cutCJK(s string, f func(run string)) {
	for s != "" {
		n, _ := stretchOf(s, false)
		if 0 < n && n <= MaxRun {
			f(s[:n])
		}
		s = s[n:]
		n, ends := stretchOf(s, true)
		from := 0
		for i, end := range ends {
			if i == 0 && len(ends) > 1 {
				continue
			}
			if end-from <= MaxRun { // a character may have any number of marks
				f(s[from:end])
			}
			from = ends[max(0, i-1)]
		}
		s = s[n:]
	}
}

// stretchOf returns the length of the longest prefix that is CJK, or is not, and the end of each
// character in it. Marks belong to the character before them.
func stretchOf(s string, cjk bool) (n int, ends []int) {
	for n < len(s) {
		r, size := utf8.DecodeRuneInString(s[n:])
		switch {
		case n > 0 && unicode.IsMark(r):
			ends = ends[:len(ends)-1]
		case isCJK(r) != cjk:
			return n, ends
		}
		n += size
		ends = append(ends, n)
	}
	return n, ends
}

// countWords estimates the number of words in runs. A CJK word has about two characters, so two
// pairs count as one word.
func countWords(runs []string) int {
	halves := 0
	for _, run := range runs {
		halves += 2
		if r, _ := utf8.DecodeRuneInString(run); isCJK(r) {
			halves--
		}
	}
	return halves / 2
}
