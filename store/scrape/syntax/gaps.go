package syntax

import "bytes"

// A part is what the parser reads of a text: its bytes, and the rows and columns of its ends as
// tree-sitter counts them. Its layout is that of patina_part.
type part struct {
	start, end            uint32
	startRow, startColumn uint32
	endRow, endColumn     uint32
}

// longGap is how many blanks in a row are left out: a script in a page of markup has spaces for all
// around it, which the lexer would read one by one.
const longGap = 1 << 10

// partsOf returns what is to be read of a text, in order, nil for all of it. What is left out lies
// in long gaps of spaces and line ends. Of each gap a blank is kept at both ends, and the first
// line end, because it may end a statement.
func partsOf(text []byte) (parts []part) {
	row, line, counted := uint32(0), 0, 0
	begin := part{}
	leave := func(from, to int) { // out, if it is long
		if to-from < longGap {
			return
		}
		point := func(at int) (uint32, uint32, uint32) {
			passed := text[counted:at]
			row += uint32(bytes.Count(passed, []byte{'\n'}))
			if i := bytes.LastIndexByte(passed, '\n'); i >= 0 {
				line = counted + i + 1
			}
			counted = at
			return uint32(at), row, uint32(at - line)
		}
		begin.end, begin.endRow, begin.endColumn = point(from)
		parts = append(parts, begin)
		begin.start, begin.startRow, begin.startColumn = point(to)
	}
	isBlank := func(c byte) bool { return c == ' ' || c == '\n' }
	for at := 0; at < len(text); at++ {
		from := at
		for at < len(text) && isBlank(text[at]) {
			at++
		}
		if at-from < longGap {
			continue
		}
		first := from + 1
		if i := bytes.IndexByte(text[from:at], '\n'); i >= 0 {
			leave(from+1, from+i)
			first = from + i + 1
		}
		leave(first, at-1)
	}
	if parts == nil {
		return nil
	}
	// No part follows, so that no point is counted from this end.
	begin.end, begin.endRow, begin.endColumn = uint32(len(text)), ^uint32(0), ^uint32(0)
	return append(parts, begin)
}
