package prose

import (
	"strings"

	"patina/store/markdown"
)

// markdown reads one line as CommonMark defines it, and returns the next one to read.
func (r *reader) markdown(n int) int {
	line, indent := unindent(r.lines[n])
	if line == "" {
		r.closeBlock()
		return n + 1
	}
	if indent >= 4 && r.open == nil && (!r.inList || indent >= r.listBody+4) {
		return n + 1 // indented code
	}
	if fence := markdown.Open(line); fence.IsOpen() {
		return r.skipFence(n, fence)
	}
	if strings.HasPrefix(line, "<!--") {
		r.closeBlock()
		if strings.Contains(line[4:], "-->") {
			return n + 1
		}
		return r.skipTo(n+1, func(l string) bool { return strings.Contains(l, "-->") })
	}
	if indent == 0 || indent < 4 && !r.inList {
		if level, from, to := markdown.Heading(line); level > 0 {
			r.heading(level, n, n, line[from:to])
			return n + 1
		}
		if r.setext(n, line) {
			return n + 1
		}
	}
	r.markdownText(n, line, indent)
	return n + 1
}

// skipFence returns the line after the block that the fence in line n opens.
func (r *reader) skipFence(n int, fence markdown.Fence) int {
	r.closeBlock()
	return r.skipTo(n+1, func(l string) bool { return markdown.Closes(strings.TrimSpace(l), fence) })
}

// markdownText reads a line that is no heading, code or comment.
func (r *reader) markdownText(n int, line string, indent int) {
	if rule(line) {
		r.closeBlock()
		return
	}
	if b := bullet(line, markdownMarks); b > 0 {
		r.start(Item, indent, n, unchecked(line[b:]))
		r.open.Ordered = numeric(line)
		r.inList, r.listBody = true, indent+b
		return
	}
	if indent == 0 && r.open == nil {
		r.inList = false
	}
	switch {
	case line[0] == '|':
		r.start(Row, 0, n, line)
		r.closeBlock()
	case line[0] == '>':
		r.extend(Quote, n, strings.TrimLeft(line, "> \t"))
	case line[0] == '<' && tagOnly(line):
		r.closeBlock()
	default:
		r.extend(Paragraph, n, line)
	}
}

// setext makes an open paragraph of one line a heading if the line below has only "=" or "-".
func (r *reader) setext(n int, line string) bool {
	level := 0
	switch {
	case only(line, '=', 2):
		level = 1
	case only(line, '-', 2):
		level = 2
	}
	if level == 0 || r.open == nil || r.open.Kind != Paragraph || r.open.First != n {
		return false
	}
	text := r.text[0]
	r.open = nil
	r.heading(level, n-1, n, text)
	return true
}

// rule reports whether a line is a thematic break.
func rule(line string) bool {
	bare := strings.ReplaceAll(line, " ", "")
	return only(bare, '-', 3) || only(bare, '*', 3) || only(bare, '_', 3)
}

// unchecked returns the text of an item without its check box.
func unchecked(text string) string {
	for _, box := range []string{"[ ] ", "[x] ", "[X] "} {
		if bare, ok := strings.CutPrefix(text, box); ok {
			return bare
		}
	}
	return text
}

// tagOnly reports whether a line has only one HTML tag.
func tagOnly(line string) bool {
	return strings.HasSuffix(line, ">") && strings.Count(line, "<") == 1
}
