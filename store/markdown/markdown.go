// Package markdown recognises lines of Markdown: the marks of fenced blocks, and headings.
//
// It is the only place that knows their forms, which are CommonMark's. Readers go from line to line
// themselves, because each looks for something else. They do not parse the whole document, because
// a parser that builds a tree takes four times as long (bench/history/size.md).
//
// The package is pure. Lines must be passed without their end, and without white space before them,
// because a fence or a heading in a list is indented.
package markdown

import "strings"

// A Text is a line, or a part of a line.
type Text interface{ ~string | ~[]byte }

// minFence is the least number of marks in a fence.
const minFence = 3

// Marks returns the number of marks, back-ticks or tildes, at the beginning of a line of a fence:
// minFence or more. It returns 0 for any other line.
func Marks[T Text](line T) int {
	if len(line) < minFence || line[0] != '`' && line[0] != '~' {
		return 0
	}
	n := 1
	for n < len(line) && line[n] == line[0] {
		n++
	}
	if n < minFence {
		return 0
	}
	return n
}

// A Fence is the mark of a fenced block, back-tick or tilde, and the number of marks that open it.
// Step moves it through a text from line to line. The zero value is outside of a block.
type Fence struct {
	mark  byte
	marks int
}

// Open returns the fence that a line opens, or the zero Fence. After back-ticks, the line must not
// have another back-tick: "```a```" is code within a line.
func Open[T Text](line T) Fence {
	n := Marks(line)
	if n == 0 {
		return Fence{}
	}
	for i := n; i < len(line) && line[0] == '`'; i++ {
		if line[i] == '`' {
			return Fence{}
		}
	}
	return Fence{line[0], n}
}

// IsOpen reports whether the fence is open.
func (f Fence) IsOpen() bool { return f.marks > 0 }

// Closes reports whether a line closes the block that fence f has opened. It must have at least as
// many marks, and nothing else.
func Closes[T Text](line T, f Fence) bool {
	n := Marks(line)
	if n == 0 || n < f.marks || line[0] != f.mark {
		return false
	}
	for ; n < len(line); n++ {
		if !isBlank(line[n]) {
			return false
		}
	}
	return true
}

// A Place is the position of a line relative to fenced blocks.
type Place int

// Values for Place.
const (
	Outside Place = iota
	Inside        // a fenced block
	Edge          // its first or last line
)

// Step moves to the next line, which may be indented, and returns the place of that line.
func (f *Fence) Step(line string) Place {
	line = strings.TrimSpace(line)
	switch {
	case f.IsOpen() && Closes(line, *f):
		*f = Fence{}
		return Edge
	case f.IsOpen():
		return Inside
	}
	if *f = Open(line); f.IsOpen() {
		return Edge
	}
	return Outside
}

// Heading reads "## text ##". The text is line[from:to]. For any other line, level is 0.
func Heading[T Text](line T) (level, from, to int) {
	for level < len(line) && line[level] == '#' {
		level++
	}
	if level == 0 || level > 6 || level < len(line) && !isBlank(line[level]) {
		return 0, 0, 0
	}
	from, to = trimBlanks(line, level, len(line))
	closing := to
	for closing > from && line[closing-1] == '#' {
		closing--
	}
	if closing == from || isBlank(line[closing-1]) {
		from, to = trimBlanks(line, from, closing)
	}
	return level, from, to
}

// IsHeading reports whether a line is a heading that begins with "#".
func IsHeading[T Text](line T) bool {
	level, _, _ := Heading(line)
	return level > 0
}

// Underline returns the level of the heading above a line: 1 if the line is all "=", 2 if it is all
// "-", otherwise 0.
func Underline[T Text](line T) int {
	if len(line) == 0 || line[0] != '=' && line[0] != '-' {
		return 0
	}
	for i := 1; i < len(line); i++ {
		if line[i] != line[0] {
			return 0
		}
	}
	if line[0] == '=' {
		return 1
	}
	return 2
}

// trimBlanks removes the white space at both ends of line[from:to].
func trimBlanks[T Text](line T, from, to int) (int, int) {
	for from < to && isBlank(line[from]) {
		from++
	}
	for from < to && isBlank(line[to-1]) {
		to--
	}
	return from, to
}

func isBlank(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }
