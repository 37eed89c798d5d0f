package belief

import (
	"fmt"
	"strings"
)

// Broken says why a belief's file breaks the format, or returns "".
func Broken(text string) string {
	text = text[:min(len(text), maxText)]
	open, _, _ := strings.Cut(strings.TrimPrefix(text, "\ufeff"), "\n")
	if strings.TrimSpace(open) != "---" {
		return "no front matter"
	}
	front, body := FrontMatter(text)
	if body == text {
		return "its front matter has no end"
	}
	if reason := brokenYAML(front); reason != "" {
		return reason
	}
	if next, _, _ := strings.Cut(strings.TrimLeft(body, "\r\n"), "\n"); strings.TrimSpace(next) == "---" {
		return "two front matters"
	}
	if Parse("x.md", text).Statement == "" {
		return "no statement"
	}
	return ""
}

// brokenYAML says why lines are no mapping, or returns "". It looks for what an editor or a merge
// leaves behind, and is no whole parser.
func brokenYAML(front string) string {
	n := 1
	for line := range strings.Lines(front) {
		n++
		line = strings.TrimRight(line, " \t\r\n")
		text := strings.TrimLeft(line, " \t")
		_, value, pair := strings.Cut(text, ":")
		value = strings.TrimSpace(value)
		switch {
		case text == "" || text[0] == '#':
		case strings.HasPrefix(text, "- ") || text == "-":
		case strings.HasPrefix(text, "<<<<<<<") || strings.HasPrefix(text, ">>>>>>>"):
			return fmt.Sprintf("line %d is a mark of a merge", n)
		case !pair && line == text:
			return fmt.Sprintf("line %d is no key and value", n)
		case strings.HasPrefix(value, "[") && !strings.Contains(value, "]") && !strings.Contains(front, "]"):
			return fmt.Sprintf("line %d opens a list that has no end", n)
		case strings.HasPrefix(value, `"`) && strings.Count(value, `"`) == 1:
			return fmt.Sprintf("line %d opens a quotation that has no end", n)
		}
	}
	return ""
}
