package split

import (
	"bytes"
	"strings"

	"patina/code/lang"
	"patina/scrape/chunk"
)

const (
	lineBytes = 300  // bytes of a line that are looked at
	nameBytes = 200  // of a name
	maxParts  = 5000 // of a file; one with more is data
	tabWidth  = 8
)

// A Part is a definition and the lines that belong to it. Lines count from 1.
type Part struct {
	Name   string // with the name of the part around it: "Cache.get"
	Above  int    // the first of the lines with "@" directly above, or First
	First  int    // the line of the definition itself
	Last   int
	Parent int  // index of the part around it, or -1
	Holds  bool // definitions inside it count: a class, a module
}

// Parts returns the definitions of a text, sorted by first line. comment must say for each line,
// from 0, whether it is a comment. The result is nil for an unknown language, and for data.
func Parts(language string, src *chunk.Source, comment []bool) []Part {
	l := lang.Named(language)
	if l.Name == "" {
		return nil
	}
	s := splitter{Definitions: l.DefinitionsOrCommon(), src: src}
	blank := true // whether the line before is blank
	for n := 1; n <= src.Lines(); n++ {
		line := src.Line(n)
		line = line[:min(len(line), lineBytes)]
		text := bytes.TrimSpace(line)
		if len(text) == 0 {
			blank = true
			continue
		}
		if !comment[n-1] {
			s.splitLine(n, indentWidth(line), text, blank)
		}
		blank = false
		if len(s.parts) > maxParts {
			return nil
		}
	}
	s.closeParts(0, src.Lines())
	for i := range s.parts {
		s.trim(&s.parts[i], comment)
	}
	return s.parts
}

// A splitter reads the lines of one text.
type splitter struct {
	*lang.Definitions
	src   *chunk.Source
	parts []Part
	open  []level // the innermost is last
}

// A level is a part whose end has not been found yet.
type level struct {
	part   int
	indent int
	holds  bool // definitions inside it count
	last   int  // its last line so far
}

// splitLine reads a line that is neither blank nor a comment. indent is its indentation, and blank
// says whether the line before is blank.
func (s *splitter) splitLine(n, indent int, text []byte, blank bool) {
	name, holds, ok := s.definition(text)
	if ok && s.hidden(indent) {
		ok = false // inside a function
	}
	if ok {
		s.closeParts(indent, n-1)
		if name != "" {
			s.openPart(n, indent, name, holds)
		}
		return
	}
	if closesPart(text) {
		for len(s.open) > 0 && s.open[len(s.open)-1].indent > indent {
			s.closeParts(s.open[len(s.open)-1].indent, n-1)
		}
	} else if blank && !s.Sticky {
		s.closeParts(indent, n-1)
	}
	for i := range s.open {
		s.open[i].last = n
	}
}

// hidden reports whether a definition is inside one in which definitions do not count.
func (s *splitter) hidden(indent int) bool {
	for i := len(s.open) - 1; i >= 0; i-- {
		if o := s.open[i]; o.indent < indent {
			return !o.holds
		}
	}
	return false
}

// openPart opens a part at line n.
func (s *splitter) openPart(n, indent int, name string, holds bool) {
	p := Part{Name: name, Above: s.annotationStart(n), First: n, Last: n, Parent: -1, Holds: holds}
	if len(s.open) > 0 {
		p.Parent = s.open[len(s.open)-1].part
		around, _, _ := strings.Cut(s.parts[p.Parent].Name, "#")
		p.Name = around[strings.LastIndexByte(around, '.')+1:] + "." + name
	}
	for i := range s.open {
		s.open[i].last = n
	}
	s.open = append(s.open, level{part: len(s.parts), indent: indent, holds: holds, last: n})
	s.parts = append(s.parts, p)
}

// maxAbove is the most lines of annotations above a definition.
const maxAbove = 10

// annotationStart returns the first line of the annotations directly above a line, such as
// @override.
func (s *splitter) annotationStart(n int) int {
	first := n
	for first > 1 && n-first < maxAbove {
		before := bytes.TrimSpace(s.src.Line(first - 1))
		if len(before) == 0 || before[0] != '@' || len(before) > lineBytes || string(before) == "@end" {
			break
		}
		first--
	}
	if k := len(s.parts); k > 0 { // not on lines of the part before
		first = max(first, min(n, s.parts[k-1].First+1))
	}
	return first
}

// closeParts ends the parts that are indented at least as far as a line. last is the line before
// it.
func (s *splitter) closeParts(indent, last int) {
	for len(s.open) > 0 {
		o := s.open[len(s.open)-1]
		if o.indent < indent {
			return
		}
		s.parts[o.part].Last = max(s.parts[o.part].First, min(o.last, last))
		s.open = s.open[:len(s.open)-1]
	}
}

// trim removes blank lines and comments from the end of a part, because they belong to the next
// one.
func (s *splitter) trim(p *Part, comment []bool) {
	for p.Last > p.First && (s.src.Blank(p.Last) || comment[p.Last-1]) {
		p.Last--
	}
}

// closesPart reports whether a line ends the parts at its indentation, or continues them: brackets,
// "end", "then", "else". text must not be empty.
func closesPart(text []byte) bool {
	switch text[0] {
	case '}', ')', ']', '{', ';', '|':
		return true
	}
	word := text
	if i := bytes.IndexFunc(text, func(r rune) bool { return r < 'A' || r > 'z' || r > 'Z' && r < 'a' }); i >= 0 {
		word = text[:i]
	}
	switch string(bytes.ToLower(word)) {
	case "end", "endif", "endfunction", "endmodule", "endclass", "endtask", "else", "elsif", "elseif", "then", "begin",
		"in", "with", "where", "do", "done", "fi", "endmacro":
		return true
	}
	return false
}

// indentWidth returns the width of the white space before a line.
func indentWidth(line []byte) (n int) {
	for _, c := range line {
		switch c {
		case ' ':
			n++
		case '\t':
			n += tabWidth - n%tabWidth
		default:
			return n
		}
	}
	return n
}

// Cuts divides the lines from first to last into pieces of at most size lines, and returns the
// first line of each. A piece ends at a blank line in its second half: before the least indented of
// the lines that follow one, and of equal ones before the last. Without such a line it has size
// lines. The result is nil if last is before first.
func Cuts(src *chunk.Source, first, last, size int) (starts []int) {
	for first <= last {
		starts = append(starts, first)
		if last-first < size {
			return starts
		}
		at, best := first+size, -1
		for n := first + size; n > first+size/2; n-- {
			if src.Blank(n) || !src.Blank(n-1) {
				continue
			}
			if in := indentWidth(src.Line(n)); best < 0 || in < best {
				at, best = n, in
			}
		}
		first = at
	}
	return starts
}
