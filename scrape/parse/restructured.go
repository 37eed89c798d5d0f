package parse

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"patina/scrape/chunk"
	"patina/store/doc"
)

// readRestructured fills in the sections of a reStructuredText file.
func readRestructured(f *doc.File, src *chunk.Source) {
	r := &restReader{src: src}
	r.scan(path.Base(f.Path))
	s := sectioner{src: src, headings: r.headings, prose: r.prose}
	s.fill(f)
}

// A restReader finds headings as docutils does. A heading is a line of text at the left margin with
// a line of one sign below it, and perhaps the same above. Each new sign is a level below the
// earlier ones. Other constructs at the margin are recognized so that they are not mistaken for
// headings: directives, comments, lists, tables, doctests.
type restReader struct {
	src       *chunk.Source
	headings  []heading
	styles    []string // the signs of each level; doubled with a line above
	paragraph int      // lines of the paragraph above the current line
	doctest   bool     // until a blank line
}

// scan finds all headings. Text before the first one is named after the file. If only labels,
// directives, comments and fields are before the first heading, they belong to its section.
func (r *restReader) scan(name string) {
	whole := heading{first: 1, line: 1, body: 1, text: name}
	for n := 1; n <= r.src.Lines(); {
		n += r.step(n)
	}
	if len(r.headings) == 0 {
		for n := range r.src.Lines() {
			if !r.src.Blank(n + 1) {
				r.headings = []heading{whole}
				return
			}
		}
		return
	}
	if r.onlyMarkup(r.headings[0].first) {
		r.headings[0].first = 1
	} else {
		r.headings = slices.Insert(r.headings, 0, whole)
	}
}

// step reads the construct at a line and returns its number of lines.
func (r *restReader) step(n int) int {
	line := r.line(n)
	above := r.paragraph
	r.paragraph = 0
	switch is := constructOf(line); {
	case is == blank:
		r.doctest = false
	case r.doctest || is == indented:
	case above == 1 && fits(line, r.src.Line(n-1)):
		r.addHeading(n-1, n-1, n+1, line[:1])
	case above > 0:
		r.paragraph = above + 1
	case is == other && r.overlined(n, line):
		r.addHeading(n, n+1, n+3, []byte{line[0], line[0]})
		return 3
	case is == border:
		return r.table(n)
	case is == prompt:
		r.doctest = true
	case is == words:
		r.paragraph = 1
	}
	return 1
}

// addHeading adds a heading, with the labels directly above it.
func (r *restReader) addHeading(first, line, body int, style []byte) {
	level := slices.Index(r.styles, string(style)) + 1
	if level == 0 {
		r.styles = append(r.styles, string(style))
		level = len(r.styles)
	}
	least := 1
	if len(r.headings) > 0 {
		least = r.headings[len(r.headings)-1].body
	}
	for n := first - 1; n >= least; n-- {
		if isLabel(r.src.Line(n)) {
			first = n
		} else if !r.src.Blank(n) {
			break
		}
	}
	r.headings = append(r.headings, heading{first, line, body, level, r.plainHeading(line)})
}

func isLabel(line []byte) bool { return bytes.HasPrefix(line, []byte(".. _")) }

// plainHeading returns the text of a heading without marks. A heading without text is "section".
func (r *restReader) plainHeading(n int) string {
	s := strings.Join(strings.Fields(withoutRoles(string(r.src.Line(n)))), " ")
	if s == "" {
		return "section"
	}
	return s
}

// overlined reports whether a heading with a line above it starts here.
func (r *restReader) overlined(n int, line []byte) bool {
	if adornment(line) == 0 || n+2 > r.src.Lines() {
		return false
	}
	title := r.src.Line(n + 1)
	return !r.src.Blank(n+1) && adornment(bytes.TrimSpace(title)) == 0 && bytes.Equal(line, r.line(n+2)) &&
		fits(line, title)
}

// adornment returns the length of a line of one sign, or 0 for any other line.
func adornment(line []byte) int {
	if len(line) == 0 || line[0] <= ' ' || line[0] >= 0x7f || isAlphanumeric(line[0]) {
		return 0
	}
	for _, c := range line {
		if c != line[0] {
			return 0
		}
	}
	return len(line)
}

func isAlphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// fits reports whether a line of one sign is as long as the title, or has at least four signs.
// docutils warns of the latter, and accepts it.
func fits(line, title []byte) bool {
	n := adornment(line)
	return n >= 4 || n > 0 && n >= utf8.RuneCount(bytes.TrimRight(title, " \t"))
}

// table returns the number of lines of a simple table. It ends at its second border, or at the
// third if it has a head. Without an end it is no table, and the result is 1.
func (r *restReader) table(n int) int {
	found := 0
	for m := n + 1; m <= r.src.Lines(); m++ {
		line := r.src.Line(m)
		if len(line) == 0 || line[0] != '=' || len(bytes.Trim(line, "= ")) > 0 {
			continue // a border of one column counts too
		}
		if found++; found == 2 || m == r.src.Lines() || r.src.Blank(m+1) {
			return m - n + 1
		}
	}
	return 1
}

// A construct is the kind of text that a line begins.
type construct int

const (
	words construct = iota
	blank
	indented
	explicit // a directive, a comment, a label, a footnote
	prompt   // a doctest
	item     // of a list
	field    // ":name: value"
	border   // of a simple table
	other    // a line of one sign, a grid table, an option, a line that keeps its breaks
)

// constructOf returns the construct that a line begins. The line must have no white space at its
// end.
func constructOf(line []byte) construct {
	if len(line) == 0 {
		return blank
	}
	word, _, _ := bytes.Cut(line, []byte{' '})
	switch {
	case line[0] == ' ' || line[0] == '\t':
		return indented
	case string(word) == ".." || string(word) == "__":
		return explicit
	case bytes.HasPrefix(line, []byte(">>>")):
		return prompt
	case line[0] == '=' && len(word) < len(line) && len(bytes.Trim(line, "= ")) == 0:
		return border
	case isItem(word):
		return item
	case isField(line):
		return field
	case adornment(line) > 0, string(word) == "|", bytes.HasPrefix(line, []byte("+-")),
		bytes.HasPrefix(line, []byte("+=")), bytes.HasPrefix(line, []byte("--")):
		return other
	}
	return words
}

// isField reports whether a line is ":name: value", and not a role like ":func:`x`".
func isField(line []byte) bool {
	if line[0] != ':' {
		return false
	}
	end := bytes.IndexByte(line[1:], ':')
	return end > 0 && (len(line) == end+2 || line[end+2] == ' ')
}

// isItem reports whether a word marks an item of a list: "-", "*", "+", "•", "1.", "(a)", "#.".
func isItem(word []byte) bool {
	switch string(word) {
	case "-", "*", "+", "•", "‣", "⁃":
		return true
	}
	if len(word) < 2 || len(word) > 6 || word[len(word)-1] != '.' && word[len(word)-1] != ')' {
		return false
	}
	mark := bytes.TrimPrefix(word[:len(word)-1], []byte{'('})
	digits := len(bytes.Trim(mark, "0123456789")) == 0
	return len(mark) > 0 && (digits || string(mark) == "#" || len(mark) == 1 && isAlphanumeric(mark[0]))
}

// onlyMarkup reports whether all lines before a line are blank, fields, or explicit markup with its
// indented text.
func (r *restReader) onlyMarkup(before int) bool {
	for n := 1; n < before; n++ {
		switch constructOf(r.line(n)) {
		case blank, explicit, field:
		case indented:
			if n == 1 {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// prose returns the first paragraph of some lines, or the first item of their first list, without
// marks. Indented text does not count, because it may be a note.
func (r *restReader) prose(first, last int) string {
	var b strings.Builder
	for n := first; n <= last && b.Len() < 8*summaryBytes; n++ {
		line := r.line(n)
		is := constructOf(line)
		started := b.Len() > 0
		switch {
		case !started && is == item:
			_, line, _ = bytes.Cut(line, []byte{' '})
		case is == words, started && is == indented:
		case !started && is == border:
			n += r.table(n) - 1
			continue
		case !started:
			continue
		default:
			last = n
			continue
		}
		b.Write(line)
		b.WriteByte(' ')
	}
	s := withoutRoles(b.String())
	if before, ok := strings.CutSuffix(s, "::"); ok { // a literal block follows
		return strings.TrimRight(before, ": ") + ":"
	}
	return s
}

// line returns a line without the white space at its end.
func (r *restReader) line(n int) []byte { return bytes.TrimRight(r.src.Line(n), " \t\f\v") }
