package chunk

import (
	"strings"
	"unicode/utf8"
)

// FirstSentence returns the first sentence of a text, with white space folded. It has at most max
// bytes, and "…" marks a cut. max must be at least 3, the length of "…".
func FirstSentence(text string, max int) string {
	words := strings.Fields(Truncate(text, 8*max))
	var b strings.Builder
	inCode := false // between back-ticks
	for i, w := range words {
		inCode = inCode != (strings.Count(w, "`")%2 == 1)
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w)
		if i+1 < len(words) && !inCode && endsSentence(w, words[i+1]) || b.Len() > max {
			break
		}
	}
	if b.Len() <= max {
		return b.String()
	}
	return Truncate(b.String(), max-len("…")) + "…"
}

// endsSentence reports whether a sentence ends with word, before next. It does with "done." before
// "The", but not with "e.g." or with "J." before a name. Both words must not be empty. The full
// stop of Chinese and Japanese counts at the end of a word.
func endsSentence(word, next string) bool {
	if strings.HasSuffix(word, "。") {
		return true
	}
	last := word[len(word)-1]
	if last != '.' && last != '!' && last != '?' {
		return false
	}
	if strings.Count(word, ".") > 1 || len(word) == 2 && word[0] >= 'A' && word[0] <= 'Z' {
		return false // e.g., i.e., an initial
	}
	return next[0] < 'a' || next[0] > 'z'
}

// Truncate shortens a text to at most max bytes, and never cuts within a rune.
func Truncate(text string, max int) string {
	if len(text) <= max {
		return text
	}
	for max > 0 && !utf8.RuneStart(text[max]) {
		max--
	}
	return text[:max]
}
