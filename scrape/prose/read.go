package prose

import (
	"strings"
	"unicode/utf8"

	"patina/store/markdown"
)

// Read returns the blocks of a document, never nil. Invalid UTF-8 is replaced.
func Read(format Format, source []byte) *Document {
	d := &Document{}
	if len(source) > maxBytes {
		source, d.Cut = source[:maxBytes], true
	}
	text := strings.TrimPrefix(strings.ToValidUTF8(string(source), "\ufffd"), "\ufeff")
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t\r")
	}
	front, _, _ := markdown.SplitFrontMatter(text)
	entries, _ := front.Entries()
	d.Front = Fields(entries)
	r := &reader{doc: d, lines: lines}
	step := r.markdown
	switch format {
	case Restructured:
		step = r.restructured
	case AsciiDoc:
		step = r.asciidoc
	}
	for n := front.Last; n < len(lines) && len(d.Blocks) < maxBlocks; {
		n = step(n)
	}
	r.closeBlock()
	return d
}

// A reader has the block that is open at a line. open is nil between blocks.
type reader struct {
	doc      *Document
	lines    []string
	open     *Block
	text     []string // of the open block
	bytes    int
	adorned  []string // adornments of reStructuredText's headings, in the order of their levels
	inList   bool     // since the last item, only blank and indented lines have come
	listBody int      // columns before the text of the last item
}

// start opens a block at a line.
func (r *reader) start(kind Kind, level, n int, text string) {
	r.closeBlock()
	r.open = &Block{Kind: kind, Level: level, First: n + 1, Last: n + 1}
	r.text, r.bytes = append(r.text[:0], text), len(text)
}

// extend adds a line to the open block, or opens a block of that kind.
func (r *reader) extend(kind Kind, n int, text string) {
	if r.open == nil || kind == Quote && r.open.Kind != Quote {
		r.start(kind, 0, n, text)
		return
	}
	r.open.Last = n + 1
	if r.bytes += len(text) + 1; r.bytes <= maxBlock {
		r.text = append(r.text, text)
	}
}

// closeBlock ends the open block, if there is one.
func (r *reader) closeBlock() {
	if r.open == nil {
		return
	}
	if len(r.doc.Blocks) >= maxBlocks {
		r.doc.Cut, r.open = true, nil
		return
	}
	r.open.Text = truncate(strings.Join(r.text, "\n"), maxBlock)
	r.doc.Blocks = append(r.doc.Blocks, *r.open)
	r.open = nil
}

// heading adds a heading.
func (r *reader) heading(level, first, last int, text string) {
	r.start(Heading, level, first, text)
	r.open.Last = last + 1
	r.closeBlock()
	r.inList = false
}

// skipTo returns the line after the next one that ends an area, or the end of the text.
func (r *reader) skipTo(n int, ends func(line string) bool) int {
	for ; n < len(r.lines); n++ {
		if ends(r.lines[n]) {
			return n + 1
		}
	}
	return n
}

// skipIndented returns the next line from n on whose text is indented by at most that many columns.
func (r *reader) skipIndented(n, columns int) int {
	for ; n < len(r.lines); n++ {
		if bare, indent := unindent(r.lines[n]); bare != "" && indent <= columns {
			return n
		}
	}
	return n
}

// unindent returns a line without its indentation, and the columns of that.
func unindent(line string) (string, int) {
	columns := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			columns++
		case '\t':
			columns += 4 - columns%4
		default:
			return line[i:], columns
		}
	}
	return "", columns
}

// bullet returns the length of the mark that begins a list item, with the blanks after it, or 0.
func bullet(line string, marks string) int {
	n := 0
	switch {
	case line == "":
		return 0
	case strings.IndexByte(marks, line[0]) >= 0:
		n = 1
		for marks == adocMarks && n < len(line) && n < 6 && line[n] == line[0] {
			n++
		}
	default:
		for n < len(line) && n < 9 && line[n] >= '0' && line[n] <= '9' {
			n++
		}
		if n == 0 || n == len(line) || line[n] != '.' && line[n] != ')' {
			return 0
		}
		n++
	}
	if n >= len(line) || line[n] != ' ' && line[n] != '\t' {
		return 0
	}
	return len(line) - len(strings.TrimLeft(line[n:], " \t"))
}

// numeric reports whether a line begins with a digit. line must not be empty.
func numeric(line string) bool { return line[0] >= '0' && line[0] <= '9' }

// The marks of list items. AsciiDoc repeats them for depth.
const (
	markdownMarks = "-*+"
	rstMarks      = "-*+"
	adocMarks     = "*-."
)

// only reports whether a line has at least n bytes and no character but c.
func only(line string, c byte, n int) bool {
	return len(line) >= n && strings.Trim(line, string(c)) == ""
}

// truncate shortens a text to at most max bytes, and never cuts within a rune.
func truncate(s string, max int) string {
	if len(s) <= max {
		return s
	}
	for max > 0 && !utf8.RuneStart(s[max]) {
		max--
	}
	return s[:max]
}
