package chunk

import (
	"bytes"
	"slices"
)

// A Source is a text cut into lines, counted from 1. A newline at the end starts no line.
type Source struct {
	Text   []byte
	starts []int // where each line starts, and the end of the text
}

// NewSource returns the lines of a text. It keeps the text, which must not be changed.
func NewSource(text []byte) *Source {
	starts := make([]int, 1, 2+bytes.Count(text, []byte{'\n'}))
	for i := 0; i < len(text); {
		n := bytes.IndexByte(text[i:], '\n')
		if n < 0 {
			break
		}
		i += n + 1
		starts = append(starts, i)
	}
	if starts[len(starts)-1] < len(text) {
		starts = append(starts, len(text))
	}
	return &Source{Text: text, starts: starts}
}

// Lines returns the number of lines.
func (s *Source) Lines() int { return len(s.starts) - 1 }

// Line returns a line without its end. n must be a line of the text.
func (s *Source) Line(n int) []byte {
	return bytes.TrimRight(s.Text[s.starts[n-1]:s.starts[n]], "\r\n")
}

// Start returns the place of a line's first byte. For the line after the last one it is the text's
// end.
func (s *Source) Start(n int) int { return s.starts[n-1] }

// Blank reports whether a line has only space.
func (s *Source) Blank(n int) bool { return len(bytes.TrimSpace(s.Line(n))) == 0 }

// LineAt returns the line of a byte. A place outside the text gives the nearest line.
func (s *Source) LineAt(at int) int {
	n, found := slices.BinarySearch(s.starts, at)
	if found {
		n++
	}
	return max(1, min(n, s.Lines()))
}

// BeginsLine reports whether only space is before a byte on its line.
func (s *Source) BeginsLine(at int) bool {
	return len(bytes.TrimSpace(s.Text[s.starts[s.LineAt(at)-1]:at])) == 0
}

// MarkComment marks the lines of the comment at Text[from:to]. Its first and last lines are marked
// only if the rest of the line is blank. marked must have an element for each line.
func (s *Source) MarkComment(marked []bool, from, to int) {
	first, _ := slices.BinarySearch(s.starts, from+1)
	for n := first; n <= s.Lines() && s.starts[n-1] < to; n++ {
		before := s.Text[s.starts[n-1]:max(from, s.starts[n-1])]
		behind := s.Text[min(to, s.starts[n]):s.starts[n]]
		marked[n-1] = len(bytes.TrimSpace(before)) == 0 && len(bytes.TrimSpace(behind)) == 0
	}
}
