package excerpt

import (
	"strings"

	"patina/store/markdown"
	"patina/store/text"
)

// CodeBlock returns the first and last line of the first code block from line first to line last of
// a document: inside a fence in Markdown, or indented after "::" or a code directive in
// reStructuredText. It returns 0, 0 if there is no code block.
func CodeBlock(lines text.Lines, first, last int) (from, to int) {
	last = min(last, lines.Len())
	for n := max(1, first); n <= last; n++ {
		line := strings.TrimSpace(lines.At(n))
		switch {
		case markdown.Open(line).IsOpen():
			return untilFence(lines, n+1, last, markdown.Open(line))
		case strings.HasPrefix(line, ".. code"), strings.HasPrefix(line, ".. sourcecode"),
			strings.HasSuffix(line, "::") && !strings.HasPrefix(line, ".."):
			if from, to = indentedLines(lines, n, last); from > 0 {
				return from, to
			}
		}
	}
	return 0, 0
}

// untilFence returns the lines up to the closing fence, or up to last if the fence is not closed.
func untilFence(lines text.Lines, from, last int, fence markdown.Fence) (int, int) {
	to := from - 1
	for n := from; n <= last && !markdown.Closes(strings.TrimSpace(lines.At(n)), fence); n++ {
		to = n
	}
	if to < from {
		return 0, 0
	}
	return from, to
}

// indentedLines returns the lines after line at that are indented more than it is, without options,
// and without blank lines at both ends.
func indentedLines(lines text.Lines, at, last int) (from, to int) {
	margin := indentOf(lines.At(at))
	for n := at + 1; n <= last; n++ {
		line := lines.At(n)
		switch {
		case isBlank(line):
			continue
		case indentOf(line) <= margin:
			return from, to
		case from == 0 && strings.HasPrefix(strings.TrimSpace(line), ":"):
			continue
		case from == 0:
			from = n
		}
		to = n
	}
	return from, to
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }
