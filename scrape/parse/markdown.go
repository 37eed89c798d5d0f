package parse

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"patina/scrape/chunk"
	"patina/store/doc"
	"patina/store/markdown"
)

// readMarkdown fills in the sections of a Markdown file. Front matter is a chunk of its own.
func readMarkdown(f *doc.File, src *chunk.Source) {
	m := &markdownReader{src: src}
	m.scan(path.Base(f.Path))
	s := sectioner{src: src, headings: m.headings, lead: m.frontMatter, prose: m.prose}
	s.fill(f)
}

// A markdownReader finds headings as CommonMark defines them, with two exceptions. An underlined
// heading is one line, and a fence in a list is recognized up to three blanks deep.
type markdownReader struct {
	src         *chunk.Source
	headings    []heading
	frontMatter int    // its last line, or 0
	title       string // of the front matter, or ""
	fence       markdown.Fence
	inComment   bool
	paragraph   int // lines of the paragraph above the current line
}

// scan finds all headings. Lines before the first one are named after the title of the front
// matter, else after the file.
func (m *markdownReader) scan(name string) {
	m.scanFront()
	for n := m.frontMatter + 1; n <= m.src.Lines(); n++ {
		m.step(n, m.src.Line(n))
	}
	first := m.src.Lines() + 1
	if len(m.headings) > 0 {
		first = m.headings[0].first
	}
	for n := 1; n < first; n++ {
		if !m.src.Blank(n) {
			m.headings = slices.Insert(m.headings, 0, heading{
				first: 1, line: 1, body: m.frontMatter + 1, text: cmp.Or(m.title, name),
			})
			return
		}
	}
}

// maxFront is the number of bytes in which front matter is looked for.
const maxFront = 128 << 10

// scanFront reads the front matter, if there is any, and its title.
func (m *markdownReader) scanFront() {
	text := m.src.Text
	front, _, ok := markdown.SplitFrontMatter(string(text[:min(len(text), maxFront)]))
	if !ok {
		return
	}
	m.frontMatter = front.Last
	entries, _ := front.Entries()
	title, _ := markdown.Lookup(entries, "title")
	m.title = strings.Join(strings.Fields(title.Text), " ")
}

// step reads one line.
func (m *markdownReader) step(n int, raw []byte) {
	line, indent := unindent(raw)
	above := m.paragraph
	m.paragraph = 0
	switch {
	case m.inComment:
		m.inComment = !bytes.Contains(line, []byte("-->"))
	case m.fence.IsOpen():
		if indent < 4 && markdown.Closes(line, m.fence) {
			m.fence = markdown.Fence{}
		}
	case len(line) == 0 || indent >= 4:
		if above > 0 && len(line) > 0 {
			m.paragraph = above + 1
		}
	case bytes.HasPrefix(line, []byte("<!--")):
		m.inComment = !bytes.Contains(line, []byte("-->"))
	case markdown.Open(line).IsOpen():
		m.fence = markdown.Open(line)
	default:
		m.text(n, line, above)
	}
}

// text reads a line outside fences and comments. The paragraph before it has above lines.
func (m *markdownReader) text(n int, line []byte, above int) {
	if level, from, to := markdown.Heading(line); level > 0 {
		m.headings = append(m.headings, heading{n, n, n + 1, level, stripMarks(line[from:to])})
		return
	}
	if level := markdown.Underline(line); level > 0 && above == 1 {
		m.headings = append(m.headings, heading{
			n - 1, n - 1, n + 1, level, stripMarks(bytes.TrimSpace(m.src.Line(n - 1))),
		})
		return
	}
	if markdown.Underline(line) == 0 && (above > 0 || startsParagraph(line)) {
		m.paragraph = above + 1
	}
}

// unindent returns a line without the white space around it, and the columns before it.
func unindent(raw []byte) ([]byte, int) {
	line, indent := raw, 0
	for len(line) > 0 && (line[0] == ' ' || line[0] == '\t') {
		if line[0] == '\t' {
			indent += 3
		}
		indent++
		line = line[1:]
	}
	return bytes.TrimRight(line, " \t"), indent
}

// startsParagraph reports whether a line starts prose, and not a quotation, a list, a table or
// HTML. line must not be empty.
func startsParagraph(line []byte) bool {
	switch line[0] {
	case '>', '|', '<':
		return false
	case '-', '*', '+':
		return len(line) > 1 && line[1] != ' ' && line[1] != '\t'
	}
	digits := 0
	for digits < len(line) && line[digits] >= '0' && line[digits] <= '9' {
		digits++
	}
	return digits == 0 || digits == len(line) || line[digits] != '.' && line[digits] != ')'
}

// stripMarks returns a heading without marks. A heading without text is "section".
func stripMarks(text []byte) string {
	s := strings.Join(strings.Fields(withoutMarks(string(text))), " ")
	if s == "" {
		return "section"
	}
	return s
}

// prose returns the first paragraph of some lines, or the first item of their first list, without
// marks.
func (m *markdownReader) prose(first, last int) string {
	var b strings.Builder
	var fence markdown.Fence
	for n := first; n <= last && b.Len() < 8*summaryBytes; n++ {
		line, _ := unindent(m.src.Line(n))
		switch {
		case fence.IsOpen():
			if markdown.Closes(line, fence) {
				fence = markdown.Fence{}
			}
			continue
		default:
			fence = markdown.Open(line)
		}
		item := !startsNothing(line) && !startsParagraph(line)
		if b.Len() > 0 && (startsNothing(line) || item) {
			break
		}
		if startsNothing(line) {
			continue
		}
		if item {
			line = bytes.TrimLeft(line, "-*+0123456789.) \t")
		}
		b.WriteString(withoutMarks(string(line)))
		b.WriteByte(' ')
	}
	return b.String()
}

// startsNothing reports whether a line is no prose: blank, a badge, a table, HTML, a quotation, a
// rule or a fence.
func startsNothing(line []byte) bool {
	return len(line) == 0 || bytes.IndexByte([]byte("|<>"), line[0]) >= 0 || bytes.HasPrefix(line, []byte("![")) ||
		bytes.HasPrefix(line, []byte("[![")) || markdown.Underline(line) > 0 || markdown.Open(line).IsOpen() ||
		len(bytes.Trim(line, "*_- ")) == 0
}
