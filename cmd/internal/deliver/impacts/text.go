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
	"patina/belief/verify"
	"patina/cmd/internal/deliver"
	"patina/cmd/internal/layout"
	"patina/code/impact"
	"patina/store/doc"
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
	symbols := 0
	for _, c := range f.Changed {
		symbols += len(c.Symbols)
	}
	return fmt.Sprintf("%s, %s", layout.Count(len(f.Changed), "changed file"), layout.Count(symbols, "symbol"))
}

// sectionsOf returns the sections in the order in which a reader needs them.
func sectionsOf(f *ask.ImpactFound) []section {
	return []section{
		governingSection(f), missingSection(f), callersSection(f), testsSection(f), ownersSection(f), filesSection(f),
	}
}

func governingSection(f *ask.ImpactFound) section {
	s := section{title: "governed by"}
	for _, g := range f.Governing {
		kind := "belief"
		if g.Decision {
			kind = "decision"
		}
		s.rows = append(s.rows, fmt.Sprintf("%s %s (%s%s:%d): %s; %s%s", kind, layout.Clip(g.ID, layout.MaxName),
			deliver.AuthorMark(g.ByOthers), layout.OpenPath(g.Path), g.Line, layout.Quote(g.Statement, layout.MaxLine),
			layout.Clip(g.Reason, layout.MaxName), outcomeOf(f, g.ID)))
	}
	for _, q := range f.Rules {
		s.rows = append(s.rows, fmt.Sprintf("rule %s:%d: %s", layout.OpenPath(q.Path), q.Line, layout.Quote(q.Text, layout.MaxLine)))
	}
	s.all = len(s.rows)
	return s
}

// outcomeOf returns the outcome of the checks in a belief, for the end of its row.
func outcomeOf(f *ask.ImpactFound, id string) string {
	if f.Checks == nil {
		return ""
	}
	var n verify.Counts
	failed := ""
	for _, b := range f.Checks.Beliefs {
		if b.ID != id {
			continue
		}
		for _, o := range b.Outcomes {
			n.Add(o.Status)
			if o.Status == verify.Failed && failed == "" {
				failed = fmt.Sprintf("; CHECK FAILS: %s: %s, expected %s", layout.Quote(o.Label, deliver.MaxTextColumn),
					layout.Clip(o.Got, deliver.MaxTextColumn), layout.Clip(o.Expect, deliver.MaxTextColumn))
			}
		}
	}
	switch {
	case failed != "":
		return failed
	case n.Broken+n.Unsupported > 0:
		return fmt.Sprintf("; %s without an answer", layout.Count(n.Broken+n.Unsupported, "check"))
	case n.Passed > 0:
		return fmt.Sprintf("; %s passed", layout.Count(n.Passed, "check"))
	}
	return ""
}

// FailedChecks returns the number of failed checks in the beliefs that govern a change.
func FailedChecks(f *ask.ImpactFound) (failed int) {
	if f.Checks == nil {
		return 0
	}
	for _, b := range f.Checks.Beliefs {
		for _, o := range b.Outcomes {
			if o.Status == verify.Failed {
				failed++
			}
		}
	}
	return failed
}

func missingSection(f *ask.ImpactFound) section {
	s := section{title: "mostly changes with it", all: len(f.Missing)}
	if f.Name == "" {
		s.title = "mostly changes with it, and is missing here"
	}
	for _, m := range f.Missing {
		row := fmt.Sprintf("%s  %d of %d commits", layout.OpenPath(m.Path), m.Commits, m.Of)
		if len(f.Changed) > 1 {
			row += " of " + layout.OpenPath(m.With)
		}
		s.rows = append(s.rows, row)
	}
	return s
}

func callersSection(f *ask.ImpactFound) section {
	s := section{title: "callers"}
	candidates := 0
	for _, c := range f.Callers {
		if c.Test {
			continue // listed below the tests
		}
		s.all++
		row := fmt.Sprintf("%s:%d  %s", layout.OpenPath(c.Path), c.Line, nameOf(c.Symbol))
		if countSymbols(f) > 1 {
			_, symbol, _ := strings.Cut(c.Target, "::")
			row += "  → " + nameOf(symbol)
		}
		if c.Candidate {
			candidates++
			row = "? " + row
		}
		s.rows = append(s.rows, row)
	}
	if candidates > 0 {
		s.title = fmt.Sprintf("callers (?: %s; the name alone says so)", layout.Count(candidates, "candidate"))
	}
	if s.all == 0 && hasCode(f) && len(f.Unknown) == 0 {
		s.empty = "callers: none in product code"
	}
	return s
}

// hasCode reports whether symbols have changed.
func hasCode(f *ask.ImpactFound) bool { return countSymbols(f) > 0 }

func countSymbols(f *ask.ImpactFound) (n int) {
	for _, c := range f.Changed {
		n += len(c.Symbols)
	}
	return n
}

func nameOf(symbol string) string {
	if symbol == "" {
		return "(top level)"
	}
	return layout.Clip(symbol, layout.MaxName)
}

func testsSection(f *ask.ImpactFound) section {
	s := section{title: "tests to run", all: len(f.Tests)}
	for _, t := range f.Tests {
		row := layout.OpenPath(t.Path)
		if t.Line > 0 {
			row += fmt.Sprintf(":%d", t.Line)
		}
		if t.Symbol != "" {
			row += "  " + layout.Clip(t.Symbol, layout.MaxName)
		}
		if t.Candidate {
			row = "? " + row
		}
		s.rows = append(s.rows, row+"  "+layout.Clip(t.Reason, layout.MaxName))
	}
	if s.all == 0 && hasCode(f) {
		s.empty = "tests: none known to reach it"
		if len(f.Unknown) > 0 {
			s.empty = "tests: not known"
		}
	}
	return s
}

func ownersSection(f *ask.ImpactFound) section {
	s := section{title: "owners"}
	for _, o := range f.Owners {
		s.rows = append(s.rows, fmt.Sprintf("%s  %s:%d", layout.Clip(o.Text, layout.MaxLine), layout.OpenPath(o.Path), o.Line))
	}
	if len(f.Owners) == 0 && len(f.Authors) > 0 {
		s.title = "committed most"
		for _, a := range f.Authors {
			s.rows = append(s.rows, fmt.Sprintf("%s  %s, last %s", layout.Clip(a.Name, layout.MaxName),
				layout.Count(a.Commits, "commit"), layout.Day(doc.Unix(a.Newest))))
		}
	}
	s.all = len(s.rows)
	return s
}

// mostFiles is the number of ranked files in a text: more are in the JSON.
const mostFiles = 10

// filesSection lists the files that may change too and that no other section names.
func filesSection(f *ask.ImpactFound) section {
	s := section{title: "may change too"}
	for _, x := range f.Files {
		isMissing := slices.ContainsFunc(f.Missing, func(m impact.Missing) bool { return m.Path == x.Path })
		if why := causesOf(x); !isMissing && why != "" && len(s.rows) < mostFiles {
			s.rows = append(s.rows, layout.OpenPath(x.Path)+"  "+why)
		}
	}
	s.all = len(s.rows)
	return s
}

// causesOf returns why a file may change too, or "" if it is only in the same folder.
func causesOf(x impact.File) string {
	var why []string
	add := func(holds bool, text string) {
		if holds {
			why = append(why, text)
		}
	}
	add(x.Together > 0, fmt.Sprintf("%d of %d commits", x.Together, x.Of))
	add(x.Callers > 0, "calls it")
	add(x.Callers == 0 && x.Candidates > 0, "may call it")
	add(x.Callees > 0, "is called by it")
	add(x.Importer, "imports it")
	add(x.Imported && x.Callees == 0, "is imported by it")
	add(x.Named, "is named like it")
	return strings.Join(why, ", ")
}

// remarks returns what a reader must know about the bounds of the answer.
func remarks(f *ask.ImpactFound) (out []string) {
	if len(f.Unknown) > 0 {
		out = append(out, "callers: not known for "+strings.Join(f.Unknown, ", "))
	}
	if f.Commits == 0 {
		out = append(out, "no commit of these files is known: what changes with them is not known")
	}
	if f.Unrun != "" {
		out = append(out, "the checks of beliefs were not run: "+f.Unrun)
	}
	for _, n := range f.Notes {
		out = append(out, "note: "+n)
	}
	return out
}
