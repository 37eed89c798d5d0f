// Package impacts prints what a change may reach: as text within a budget, as JSON, and as Markdown
// for the comment of a pull request.
//
// All of it quotes a repository: names and sentences are made harmless as in package layout, and in
// Markdown nothing of them is markup, a mention or a link. Package code/impact finds what is
// printed.
package impacts

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"patina/actors/api"
	"patina/ask"
	"patina/cmd/internal/deliver"
	"patina/cmd/internal/layout"
)

// defaultTokens is the usual ceiling of the text.
const defaultTokens = 1500

// A section is a heading with its rows, the likeliest first.
type section struct {
	title string // what is listed, without the number of rows
	empty string // is printed if there are no rows; "": nothing is
	rows  []string
	all   int // rows that exist; more than len(rows) if some were left out before
}

// usualRows is the number of rows of a section without a budget: more are seldom read.
const usualRows = 15

// Text writes an impact in at most defaultTokens or o's budget. Rows that do not fit are counted in
// the heading of their section.
func Text(w io.Writer, f *ask.ImpactFound, o deliver.Options) error {
	ceiling := defaultTokens * layout.TokenBytes
	if o.Budget > 0 {
		ceiling = o.Ceiling()
	}
	top := []layout.Line{layout.Strong(layout.Clip("impact of "+titleOf(f), layout.MaxLine))}
	var end []layout.Line
	for _, text := range remarks(f) {
		end = append(end, layout.Faint(layout.Clip(text, layout.MaxLine)))
	}
	end = end[:min(len(end), ceiling/800)]
	if s := deliver.Freshness([]api.IndexState{f.Index}, o.Dialect); s != "" {
		end = append(end, layout.Faint(s))
	}
	sections := sectionsOf(f)
	if o.Budget == 0 {
		for i, s := range sections {
			sections[i].rows = s.rows[:min(len(s.rows), usualRows)]
		}
	}
	fitted, isCut := fitRows(sections, ceiling-layout.Size(top)-layout.Size(end)-layout.MaxLine)
	lines := top
	for i, s := range sections {
		if fitted[i] < 0 {
			continue
		}
		if len(s.rows) == 0 {
			lines = append(lines, layout.Text(s.empty))
			continue
		}
		lines = append(lines, layout.Strong(headingOf(s, fitted[i])))
		for _, row := range s.rows[:fitted[i]] {
			lines = append(lines, layout.Text("  "+row))
		}
	}
	if isCut {
		lines = append(lines, layout.Faint(fmt.Sprintf("%s or %s shows all", o.Dialect.Raise(2*ceiling/layout.TokenBytes), o.Dialect.JSON())))
	}
	return layout.Write(w, append(lines, end...), o.Colour)
}

// headingOf returns a heading with the numbers of rows.
func headingOf(s section, shown int) string {
	if shown < s.all {
		return fmt.Sprintf("%s: %d of %d", s.title, shown, s.all)
	}
	return fmt.Sprintf("%s: %d", s.title, s.all)
}

// leastRows is the number of rows that a section keeps while others have more.
const leastRows = 3

// fitRows returns the number of rows of each section, so that all take at most room bytes; -1 means
// that the section is left out. The longest section is cut first, and the last ones go first.
func fitRows(sections []section, room int) (shown []int, isCut bool) {
	shown = make([]int, len(sections))
	used := 0
	for i, s := range sections {
		shown[i] = len(s.rows)
		isCut = isCut || s.all > len(s.rows)
		if len(s.rows) == 0 && s.empty == "" {
			shown[i] = -1
			continue
		}
		used += sizeOf(s, shown[i])
	}
	for used > room {
		longest := -1
		for i, s := range sections {
			if shown[i] > leastRows && (longest < 0 || sizeOf(s, shown[i]) > sizeOf(sections[longest], shown[longest])) {
				longest = i
			}
		}
		if longest < 0 { // all are short: the last one goes
			longest = len(shown) - 1
			for longest >= 0 && shown[longest] < 0 {
				longest--
			}
			if longest < 0 {
				return shown, true
			}
			used -= sizeOf(sections[longest], shown[longest])
			shown[longest], isCut = -1, true
			continue
		}
		s := sections[longest]
		used -= sizeOf(s, shown[longest])
		shown[longest]--
		used += sizeOf(s, shown[longest])
		isCut = true
	}
	return shown, isCut
}

func sizeOf(s section, rows int) int {
	if len(s.rows) == 0 {
		return len(s.empty) + 1
	}
	n := len(headingOf(s, 0)) + 8
	for _, row := range s.rows[:rows] {
		n += len(row) + 3
	}
	return n
}

// titleOf returns a line about the changed files and symbols.
func titleOf(f *ask.ImpactFound) string {
	if f.Name != "" {
		return layout.OpenPath(f.Name)
	}
	states := layout.Clip(f.Range, layout.MaxName)
	if states == "HEAD" {
		states = "uncommitted work"
	}
	if len(f.Changed) == 0 {
		return states + ": nothing has changed"
	}
	return fmt.Sprintf("%s: %s, %s", states, layout.Count(len(f.Changed), "changed file"),
		layout.Count(countSymbols(f), "symbol"))
}

// remarks returns what a reader must know about the bounds of the answer.
func remarks(f *ask.ImpactFound) (out []string) {
	if len(f.Unknown) > 0 {
		out = append(out, "callers: not known for "+strings.Join(f.Unknown, ", "))
	}
	if f.Commits == 0 && len(f.Changed) > 0 {
		out = append(out, "no commit of few files has them: what changes with them is not known")
	}
	if f.Unrun != "" {
		out = append(out, "the checks of beliefs were not run: "+f.Unrun)
	}
	for _, n := range slices.Concat(f.Notes, f.ImpactAnswer.Notes) {
		out = append(out, "note: "+n)
	}
	return out
}
