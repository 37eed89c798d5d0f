package text

import "strings"

// Lines are the lines of a text, without their ends. They are where each ends: a text that is kept
// holds no pointers beside its own, which a garbage collector would follow. The zero value has
// none; a text without a byte has one.
type Lines struct {
	body string
	ends []uint32
}

// CutLines cuts a text of less than 4 GB into its lines.
func CutLines(body string) Lines {
	body = strings.TrimSuffix(body, "\n")
	ends := make([]uint32, 0, 1+strings.Count(body, "\n"))
	for at := 0; ; {
		n := strings.IndexByte(body[at:], '\n')
		if n < 0 {
			return Lines{body, append(ends, uint32(len(body)))}
		}
		ends = append(ends, uint32(at+n))
		at += n + 1
	}
}

// Len returns the number of lines.
func (l Lines) Len() int { return len(l.ends) }

// At returns a line by its number, from 1.
func (l Lines) At(n int) string {
	from := uint32(0)
	if n > 1 {
		from = l.ends[n-2] + 1
	}
	return l.body[from:l.ends[n-1]]
}

// Between returns the lines first to last, both included.
func (l Lines) Between(first, last int) []string {
	out := make([]string, 0, max(0, last-first+1))
	for n := first; n <= last; n++ {
		out = append(out, l.At(n))
	}
	return out
}
