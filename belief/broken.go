package belief

import (
	"fmt"
	"strings"

	"patina/store/markdown"
)

// Broken returns the reason why a belief's file breaks the format, or "".
func Broken(text string) string {
	text = text[:min(len(text), maxText)]
	front, body, ok := markdown.SplitFrontMatter(text)
	switch {
	case markdown.OpensFrontMatter(text):
		return "its front matter has no end"
	case !ok:
		return "no front matter"
	}
	_, faults := front.Entries()
	for _, f := range faults {
		if f.What == markdown.MergeMark {
			return fmt.Sprintf("line %d: %s", f.Line, f.What)
		}
	}
	if next, _, _ := strings.Cut(strings.TrimLeft(body, "\r\n"), "\n"); strings.TrimSpace(next) == "---" {
		return "two front matters"
	}
	if Parse("x.md", text).Statement == "" {
		return "no statement"
	}
	return ""
}
