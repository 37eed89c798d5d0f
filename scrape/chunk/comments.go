package chunk

import (
	"bytes"

	"patina/code/lang"
)

// CommentLines reports for each line, counted from 0, whether it is a comment of a style. style
// must not be nil. A line in a long string may be mistaken for a comment, because CommentLines
// knows no strings. Its words are found all the same.
func (s *Source) CommentLines(style *lang.Comments) []bool {
	marked := make([]bool, s.Lines())
	closing := ""
	for i := range marked {
		line := bytes.TrimSpace(s.Line(i + 1))
		if closing != "" {
			marked[i] = true
			if bytes.Contains(line, []byte(closing)) {
				closing = ""
			}
			continue
		}
		marked[i], closing = style.Starts(line)
	}
	return marked
}
