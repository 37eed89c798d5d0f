package text

import "strings"

// Lines are the lines of a text, without their ends. Only the offset of each end is stored, because
// a long-lived text should hold no pointers that the garbage collector would follow. The zero value
// has no lines; an empty text has one.
type Lines struct {
	body string
	ends []uint32
}

// CutLines cuts a text into its lines. The text must be shorter than 4 GiB.
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

// At returns line n. Lines are numbered from 1, and n must not exceed Len.
func (l Lines) At(n int) string {
	from := uint32(0)
	if n > 1 {
		from = l.ends[n-2] + 1
	}
	return l.body[from:l.ends[n-1]]
}

// Between returns the lines from first to last, both included. It returns an empty slice if last is
// before first.
func (l Lines) Between(first, last int) []string {
	out := make([]string, 0, max(0, last-first+1))
	for n := first; n <= last; n++ {
		out = append(out, l.At(n))
	}
	return out
}

// TestsFrom returns the line where a file of Rust begins its module of tests, or 0.
func TestsFrom(body string) int {
	i := strings.Index(body, "#[cfg(test)]\nmod ")
	if i < 0 {
		return 0
	}
	return 1 + strings.Count(body[:i], "\n")
}

// TestsFrom is the function TestsFrom for the text of the lines.
func (l Lines) TestsFrom() int { return TestsFrom(l.body) }
