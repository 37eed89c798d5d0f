package deliver

import (
	"fmt"
	"strconv"
	"strings"

	"patina/cmd/internal/layout"
)

// A section is a titled list, which a budget may cut.
type section struct {
	title  string // with its marks; "%d" is replaced by the number of items shown
	noun   string // for one item, in the line about cut items
	items  []string
	inline bool // all items on one line
}

func (s section) empty() bool { return len(s.items) == 0 }

// separator is written between inline items.
const separator = ", "

// sizeOf returns the bytes of a section with its first n items.
func (s section) sizeOf(n int) int {
	if n == 0 {
		return 0
	}
	size := len(s.heading(n)) + 1
	for i, item := range s.items[:n] {
		if size += len(item) + 1; s.inline && i > 0 {
			size += len(separator) - 1
		}
	}
	return size
}

func (s section) heading(n int) string {
	return strings.Replace(s.title, "%d", strconv.Itoa(n), 1)
}

func (s section) lines(n int) []layout.Line {
	if n == 0 {
		return nil
	}
	out := []layout.Line{layout.Strong(s.heading(n))}
	if s.inline {
		return append(out, layout.Text(strings.Join(s.items[:n], separator)))
	}
	for _, item := range s.items[:n] {
		out = append(out, layout.Text(item))
	}
	return out
}

// share returns how many items of each section fit into room bytes. The sections take turns, so
// that each keeps its first items.
func share(sections []section, room int) []int {
	counts := make([]int, len(sections))
	closed := make([]bool, len(sections))
	for open := true; open; {
		open = false
		for i, s := range sections {
			if closed[i] || counts[i] == len(s.items) {
				continue
			}
			more := s.sizeOf(counts[i]+1) - s.sizeOf(counts[i])
			if more > room {
				closed[i] = true
				continue
			}
			room -= more
			counts[i]++
			open = true
		}
	}
	return counts
}

// leftOut returns the line about items left out and how to get them, within room bytes, or "".
func leftOut(sections []section, counts []int, room int, o Options) string {
	var parts []string
	for i, s := range sections {
		if n := len(s.items) - counts[i]; n > 0 {
			parts = append(parts, layout.Count(n, s.noun))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	begin := fmt.Sprintf("cut to %d tokens: without ", o.Ceiling()/layout.TokenBytes)
	end := fmt.Sprintf(" (%s shows more)", o.Dialect.Raise(2*o.Ceiling()/layout.TokenBytes))
	return begin + layout.Clip(strings.Join(parts, ", "), room-len(begin)-len(end)-1) + end
}

// mostLeftOut bounds the line of leftOut, in bytes.
const mostLeftOut = 240

// sectioned returns lines, as many items of the sections as fit, and must, within the ceiling.
// Under a small ceiling the first lines of must are dropped.
func sectioned(lines []layout.Line, sections []section, must []layout.Line, o Options) []layout.Line {
	leftOutRoom := min(mostLeftOut, o.Ceiling()/4)
	for len(must) > 0 && layout.Size(lines)+layout.Size(must)+leftOutRoom > o.Ceiling() {
		must = must[1:]
	}
	room := o.Ceiling() - layout.Size(lines) - layout.Size(must)
	counts := share(sections, room)
	if leftOut(sections, counts, leftOutRoom, o) != "" {
		counts = share(sections, room-leftOutRoom)
		must = append([]layout.Line{layout.Faint(leftOut(sections, counts, leftOutRoom, o))}, must...)
	}
	for i, s := range sections {
		lines = append(lines, s.lines(counts[i])...)
	}
	return append(lines, must...)
}
