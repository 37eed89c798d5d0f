package prose

import (
	"slices"
	"strings"

	"patina/store/markdown"
)

// restructured reads one line of reStructuredText, and returns the next one to read.
func (r *reader) restructured(n int) int {
	line, indent := unindent(r.lines[n])
	if line == "" {
		if r.open != nil && strings.HasSuffix(r.text[len(r.text)-1], "::") {
			columns := r.open.Level
			if r.open.Kind == Heading || r.open.Kind == Paragraph {
				columns = 0
			}
			r.closeBlock()
			return r.skipIndented(n+1, columns)
		}
		r.closeBlock()
		return n + 1
	}
	if line == ".." || strings.HasPrefix(line, ".. ") || strings.HasPrefix(line, "__ ") {
		r.closeBlock()
		return r.skipIndented(n+1, indent)
	}
	if indent == 0 {
		if next, ok := r.adornment(n, line); ok {
			return next
		}
	}
	if strings.HasPrefix(line, "#. ") {
		line = "1" + line[1:]
	}
	if b := bullet(line, rstMarks); b > 0 {
		r.start(Item, indent, n, line[b:])
		r.open.Ordered = numeric(line)
		return n + 1
	}
	if line[0] == '|' || line[0] == '+' && strings.HasPrefix(line, "+-") {
		r.start(Row, 0, n, line)
		r.closeBlock()
		return n + 1
	}
	if indent > 0 && r.open != nil && r.open.Kind == Paragraph && r.open.First == n && r.lines[n-1][0] != ' ' {
		r.text[0] = strings.TrimRight(r.text[0], ".:") + ":" // a term above its definition
	}
	r.extend(Paragraph, n, line)
	return n + 1
}

// adornment reads a line that underlines or overlines a heading.
func (r *reader) adornment(n int, line string) (next int, ok bool) {
	if !adorns(line) {
		return 0, false
	}
	// A heading "1. Purpose" looks like an item until its underline.
	if r.open != nil && r.open.First == n && r.open.Kind != Heading && 2*len(line) >= len(r.text[0]) {
		text := strings.TrimSpace(r.lines[n-1])
		r.open = nil
		r.heading(r.levelOf(line[:1]), n-1, n, text)
		return n + 1, true
	}
	if n+2 < len(r.lines) && r.lines[n+2] == line && strings.TrimSpace(r.lines[n+1]) != "" {
		r.heading(r.levelOf(line[:1]+line[:1]), n, n+2, strings.TrimSpace(r.lines[n+1]))
		return n + 3, true
	}
	r.closeBlock()
	return n + 1, true // a transition
}

// adorns reports whether a line repeats one mark.
func adorns(line string) bool {
	return len(line) >= 3 && strings.IndexByte(`=-~^"'#*+_.:<>`+"`", line[0]) >= 0 && only(line, line[0], 3)
}

// levelOf returns the level of headings with an adornment, which is the order in which the
// adornments first appeared.
func (r *reader) levelOf(adornment string) int {
	at := slices.Index(r.adorned, adornment)
	if at < 0 {
		at = len(r.adorned)
		r.adorned = append(r.adorned, adornment)
	}
	return at + 1
}

// asciidoc reads one line of AsciiDoc, and returns the next one to read.
func (r *reader) asciidoc(n int) int {
	line, indent := unindent(r.lines[n])
	switch {
	case line == "" || line == "+":
		r.closeBlock()
		return n + 1
	case adocFence(line):
		r.closeBlock()
		return r.skipTo(n+1, func(l string) bool { return l == line })
	case markdown.Open(line).IsOpen():
		return r.skipFence(n, markdown.Open(line))
	case strings.HasPrefix(line, "//") || line[0] == '[' && strings.HasSuffix(line, "]") || adocBorder(line):
		r.closeBlock()
		return n + 1
	case indent > 0 && r.open == nil && bullet(line, adocMarks) == 0:
		return n + 1 // literal
	}
	if level := len(line) - len(strings.TrimLeft(line, "=")); level > 0 && level < 7 &&
		strings.HasPrefix(line[level:], " ") {
		r.heading(level, n, n, strings.TrimSpace(line[level:]))
		return n + 1
	}
	if level, from, to := markdown.Heading(line); level > 0 {
		r.heading(level, n, n, line[from:to])
		return n + 1
	}
	if b := bullet(line, adocMarks); b > 0 {
		r.start(Item, b, n, unchecked(line[b:]))
		r.open.Ordered = line[0] == '.' || numeric(line)
		return n + 1
	}
	if line[0] == '|' {
		r.start(Row, 0, n, line)
		r.closeBlock()
		return n + 1
	}
	r.extend(Paragraph, n, line)
	return n + 1
}

// adocFence reports whether a line opens or closes an area of code or comment.
func adocFence(line string) bool {
	return only(line, '-', 4) || only(line, '.', 4) || only(line, '+', 4) || only(line, '/', 4)
}

// adocBorder reports whether a line borders an area of prose.
func adocBorder(line string) bool {
	return only(line, '=', 4) || only(line, '*', 4) || only(line, '_', 4) || line == "--" ||
		strings.HasPrefix(line, "|===")
}
