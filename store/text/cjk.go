package text

import (
	"unicode"
	"unicode/utf8"
)

// isCJK tells the letters of Chinese, Japanese and Korean. The signs that lengthen a vowel belong to several scripts.
func isCJK(r rune) bool {
	return r >= 0x1100 && (r == 'ー' || r == 'ｰ' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul))
}

// cutCJK calls f for the runs of what Runs took for one: pairs where it is CJK, the rest between them as it is.
func cutCJK(s string, f func(run string)) {
	for s != "" {
		n, _ := stretch(s, false)
		if 0 < n && n <= MaxRun {
			f(s[:n])
		}
		s = s[n:]
		n, ends := stretch(s, true)
		from := 0
		for i, end := range ends {
			if i == 0 && len(ends) > 1 {
				continue
			}
			if end-from <= MaxRun { // marks may be without end
				f(s[from:end])
			}
			from = ends[max(0, i-1)]
		}
		s = s[n:]
	}
}

// stretch returns how many bytes at the start of s are CJK, or are not, and where each character ends. Marks belong to what they follow.
func stretch(s string, cjk bool) (n int, ends []int) {
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

// countWords counts the words of a text by its runs: CJK words have two characters as a rule, so two pairs are one.
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
