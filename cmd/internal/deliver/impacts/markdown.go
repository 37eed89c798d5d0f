package impacts

import (
	"fmt"
	"io"
	"strings"

	"patina/ask"
	"patina/cmd/internal/deliver"
	"patina/cmd/internal/layout"
)

// Marker is the first line of the Markdown, by which the comment of an earlier run is found.
const Marker = "<!-- patina impact -->"

// maxMarkdown bounds the Markdown in bytes, because GitHub takes at most 65,536 characters.
const maxMarkdown = 60_000

// Markdown writes an impact for the comment of a pull request. Each section can be opened, and what
// needs attention is open. Everything from the repository is in code spans, so that it is no
// markup, mentions nobody and links to nothing.
func Markdown(w io.Writer, f *ask.ImpactFound, o deliver.Options) error {
	ceiling := maxMarkdown
	if o.Budget > 0 {
		ceiling = min(ceiling, o.Ceiling())
	}
	var top, end strings.Builder
	fmt.Fprintf(&top, "%s\n**Impact** of %s\n\n", Marker, codeSpan(titleOf(f)))
	if n := FailedChecks(f); n > 0 {
		fmt.Fprintf(&top, "**%s of a governing belief fails.**\n\n", layout.Count(n, "check"))
	}
	for _, text := range remarks(f) {
		if row := "- " + codeSpan(layout.Clip(text, layout.MaxLine)) + "\n"; end.Len()+len(row) < ceiling/8 {
			end.WriteString(row)
		}
	}
	sections := sectionsOf(f)
	for i := range sections {
		for j, row := range sections[i].rows {
			sections[i].rows[j] = codeSpan(row)
		}
	}
	const frame = 80 // bytes of markup around a section
	fitted, _ := fitRows(sections, ceiling-top.Len()-end.Len()-frame*len(sections))
	var b strings.Builder
	for i, s := range sections {
		switch {
		case fitted[i] < 0:
		case len(s.rows) == 0:
			fmt.Fprintf(&b, "%s\n\n", s.empty)
		default:
			open := ""
			if i < urgentSections {
				open = " open"
			}
			fmt.Fprintf(&b, "<details%s><summary>%s</summary>\n\n", open, headingOf(s, fitted[i]))
			for _, row := range s.rows[:fitted[i]] {
				fmt.Fprintf(&b, "- %s\n", row)
			}
			b.WriteString("\n</details>\n\n")
		}
	}
	_, err := io.WriteString(w, top.String()+b.String()+end.String())
	return err
}

// urgentSections is the number of sections that are open at first: the beliefs that govern the
// change, and the files that are missing from it.
const urgentSections = 2

// codeSpan returns a line of text as a code span, in which Markdown reads nothing. It is fenced by
// more backticks than the text has in a row.
func codeSpan(s string) string {
	s = layout.OneLine(s)
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || strings.HasPrefix(s, " ") {
		s = " " + s + " "
	}
	return fence + s + fence
}
