package dialect

import (
	"strings"
	"unicode/utf8"
)

// The descriptions of tools. "--help" begins with these texts, and other front ends describe their
// tools with them.
const (
	ScryTool = `Search codebase knowledge — USE THIS FIRST for any question about the code, its history, beliefs and session
learnings. ` + RecallRule

	ContextTool = `Get project patterns and conventions — USE THIS to understand design rules before making architectural changes:
recalls principles, beliefs by relevance, how to build and test, central files, owners.`

	AssayTool = `Ask what calls, imports, defines or changes with what. A line with "?" is a candidate: names alone do not tell what a
variable is.`

	RememberTool = `Keep a note about this project for later sessions: lesson, decision, gotcha. One said before is merged.`
)

// columns is the width of a help page.
const columns = 80

// InLines breaks a text into lines that fit a help page. The first line begins after used columns.
func InLines(text string, used int) string {
	var b strings.Builder
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case used+1+n > columns:
			b.WriteByte('\n')
			used = 0
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += n
	}
	return b.String()
}
