package parse

import (
	"strings"

	"patina/store/doc"
	"patina/store/literal"
	"patina/store/text"
)

// messagesOf returns the messages that string literals of a file may print, each once. A literal is
// between two equal quotes on a line that is no comment. Other texts between quotes are found too;
// they do no harm because nobody quotes them. One scanner serves every language.
func messagesOf(f *doc.File) []text.Message {
	var list []text.Message
	seen := map[text.Message]bool{}
	for _, c := range f.Chunks {
		if !strings.ContainsAny(c.Body, literal.Quotes) {
			continue
		}
		for line := range strings.Lines(c.Body) {
			literal.Quoted(line, func(from, to int) {
				text.Messages(line[from:to], func(m text.Message) {
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
