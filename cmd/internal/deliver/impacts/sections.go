package impacts

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"patina/ask"
	"patina/belief/verify"
	"patina/cmd/internal/deliver"
	"patina/cmd/internal/layout"
	"patina/code/impact"
	"patina/store/doc"
)

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

// callersSection lists the callers in product code, those of one function in one row.
func callersSection(f *ask.ImpactFound) section {
	s := section{title: "callers"}
	several := countSymbols(f) > 1
	candidates := 0
	var rows groupedRows
	for _, c := range f.Callers {
		if c.Test {
			continue // listed below the tests
		}
		mark, target := "", ""
		if c.Candidate {
			mark = "? "
			candidates++
		}
		if several {
			_, symbol, _ := strings.Cut(c.Target, "::")
			target = "  → " + symbolOrTop(symbol)
		}
		rows.addPart(mark+layout.OpenPath(c.Path)+":", "  "+symbolOrTop(c.Symbol)+target, strconv.Itoa(c.Line), ",")
	}
	if s.rows = rows.joinedRows(); candidates > 0 {
		s.title = fmt.Sprintf("callers (?: %s; the name alone says so)", layout.Count(candidates, "candidate"))
	}
	s.all = len(s.rows)
	if s.all == 0 && hasCode(f) && len(f.Unknown) == 0 {
		s.empty = "callers: none in product code"
	}
	return s
}

// groupedRows joins rows that differ in one part only, in the order of the first of each.
type groupedRows struct {
	heads, ends []string
	parts       [][]string
	between     string
}

// addPart adds a part to the row with a head and an end.
func (g *groupedRows) addPart(head, end, part, between string) {
	g.between = between
	for i := range g.heads {
		if g.heads[i] == head && g.ends[i] == end {
			if !slices.Contains(g.parts[i], part) {
				g.parts[i] = append(g.parts[i], part)
			}
			return
		}
	}
	g.heads, g.ends, g.parts = append(g.heads, head), append(g.ends, end), append(g.parts, []string{part})
}

// mostJoined is the room for the parts of one row, in bytes.
const mostJoined = 120

// joinedRows returns the rows. Parts beyond mostJoined are counted.
func (g *groupedRows) joinedRows() (out []string) {
	for i, head := range g.heads {
		text, left := g.parts[i][0], 0
		for n, part := range g.parts[i][1:] {
			if len(text)+len(part) > mostJoined {
				left = len(g.parts[i]) - 1 - n
				break
			}
			text += g.between + part
		}
		if left > 0 {
			text += fmt.Sprintf(" and %d more", left)
		}
		out = append(out, head+text+g.ends[i])
	}
	return out
}

// hasCode reports whether symbols have changed.
func hasCode(f *ask.ImpactFound) bool { return countSymbols(f) > 0 }

func countSymbols(f *ask.ImpactFound) (n int) {
	for _, c := range f.Changed {
		n += len(c.Symbols)
	}
	return n
}

func symbolOrTop(symbol string) string {
	if symbol == "" {
		return "(top level)"
	}
	return layout.Clip(symbol, layout.MaxName)
}

// testsSection lists the tests, those of one file that reach the change in the same way in one row.
func testsSection(f *ask.ImpactFound) section {
	s := section{title: fmt.Sprintf("tests to run (%d), likeliest first", len(f.Tests))}
	var rows groupedRows
	for _, t := range f.Tests {
		head, name := layout.OpenPath(t.Path), layout.Clip(t.Symbol, layout.MaxName)
		if t.Candidate {
			head = "? " + head
		}
		switch {
		case name != "":
			head += "  "
		case t.Line > 0:
			head, name = head+":", strconv.Itoa(t.Line)
		}
		rows.addPart(head, "  ("+layout.Clip(t.Reason, layout.MaxName)+")", name, ", ")
	}
	s.rows = rows.joinedRows()
	s.all = len(s.rows)
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
	add(x.Together > 1, fmt.Sprintf("%d of %d commits", x.Together, x.Of))
	add(x.Callers > 0, "calls it")
	add(x.Callers == 0 && x.Candidates > 0, "may call it")
	add(x.Callees > 0, "is called by it")
	add(x.Importer, "imports it")
	add(x.Imported && x.Callees == 0, "is imported by it")
	add(x.Named, "is named like it")
	return strings.Join(why, ", ")
}
