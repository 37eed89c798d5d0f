package parse

import (
	"strings"

	"patina/store"
	"patina/store/text"
)

// messagesOf collects the messages that string literals of a file may print, each once. A literal
// stands between two equal quotes on a line that is no comment. Anything else found so is a text
// that nobody quotes. One scanner serves every language.
func messagesOf(f *store.File) []text.Message {
	var list []text.Message
	seen := map[text.Message]bool{}
	for _, c := range f.Chunks {
		if !strings.ContainsAny(c.Body, quotes) {
			continue
		}
		for line := range strings.Lines(c.Body) {
			literals(line, func(literal string) {
				text.Messages(literal, func(m text.Message) {
					if !seen[m] {
						seen[m] = true
						list = append(list, m)
					}
				})
			})
		}
	}
	return list
}

const quotes = "\"'`"

// literals calls f for each text between quotes on a line. An apostrophe behind a word opens
// nothing, unless the word may be a prefix: b'…', rb'…'.
func literals(line string, f func(string)) {
	for i := 0; i < len(line); {
		at := strings.IndexAny(line[i:], quotes)
		if at < 0 {
			return
		}
		i += at + 1
		if line[i-1] == '\'' && wordBefore(line[:i-1]) > 2 {
			continue
		}
		if end := closing(line[i:], line[i-1]); end >= 0 {
			f(line[i : i+end])
			i += end + 1
		}
	}
}

// closing returns where a quote stands next that no backslash escapes, or -1.
func closing(s string, quote byte) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case quote:
			return i
		}
	}
	return -1
}

// wordBefore is how many letters and digits a text ends in.
func wordBefore(s string) int {
	n := 0
	for n < len(s) {
		c := s[len(s)-1-n] | 0x20
		if c < 'a' || c > 'z' {
			if c < '0' || c > '9' {
				break
			}
		}
		n++
	}
	return n
}
