package belief

import (
	"fmt"
	"strings"

	"patina/store/frontmatter"
)

// Broken says why a belief's file breaks the format, or returns "".
func Broken(text string) string {
	text = text[:min(len(text), maxText)]
	front, body, ok := frontmatter.Split(text)
	switch {
	case frontmatter.IsOpen(text):
		return "its front matter has no end"
	case !ok:
		return "no front matter"
	}
	if _, faults := front.Entries(); len(faults) > 0 {
		return fmt.Sprintf("line %d: %s", faults[0].Line, faults[0].What)
	}
	if next, _, _ := strings.Cut(strings.TrimLeft(body, "\r\n"), "\n"); strings.TrimSpace(next) == "---" {
		return "two front matters"
	}
	if Parse("x.md", text).Statement == "" {
		return "no statement"
	}
	return ""
}
