package deliver

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"patina/actors/api"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout"
	"patina/code/assay"
)

// The widest columns in a table. A longer path is not cut and shifts the rest of its row.
const (
	MaxPlaceColumn = 72
	MaxTextColumn  = 60
)

// A FactsAnswer is the answer to a question about facts, with the state of its index.
type FactsAnswer struct {
	*assay.Facts
	Index api.IndexState
	Most  int // facts in the table; 0: all that fit
	// Elsewhere are the answers of related projects, if they were asked. Theirs are empty.
	Elsewhere []FactsElsewhere
}

// A FactsElsewhere is the answer of a related project. If Missed is set, it could not be asked, and
// FactsAnswer is empty.
type FactsElsewhere struct {
	FactsAnswer
	Project string
	Visit   Visit
	Missed  string
}

// facts returns the facts that may be shown.
func (a FactsAnswer) facts() []assay.Fact {
	if a.Most <= 0 {
		return a.Facts.Facts
	}
	return a.Facts.Facts[:min(len(a.Facts.Facts), a.Most)]
}

// FactsTable writes facts as a table of at most PageBytes, or o's ceiling if o.Budget is set. A
// title comes first, then one line a fact. Notes, the next call and the freshness follow.
func FactsTable(w io.Writer, a FactsAnswer, o Options) error {
	f := a.Facts
	ceiling := layout.PageBytes
	if o.Budget > 0 {
		ceiling = o.Ceiling()
	}
	top := []layout.Line{layout.Strong(assayTitle(f))}
	var end []layout.Line
	for _, n := range f.Notes[:min(len(f.Notes), ceiling/1000)] {
		end = append(end, layout.Faint("note: "+layout.Clip(n, layout.MaxLine)))
	}
	if len(f.Unknown) > 0 {
		end = append(end,
			layout.Faint(layout.Clip(f.Type, 20)+": not known for "+
				layout.Clip(strings.Join(f.Unknown, ", "), layout.MaxLine)))
	}
	if n := candidates(f); n > 0 {
		end = append(end, layout.Faint(fmt.Sprintf("?: %s; names alone do not tell", layout.Count(n, "candidate"))))
	}
	spare := 0 // for calls of the other front end, which shows the same rows
	if s := assayDeeper(f, o.Dialect); s != "" && ceiling >= 2*layout.MaxCommand {
		end = append(end, layout.Faint("Dig deeper: "+s))
		spare = max(0, len(assayDeeper(f, o.Dialect.Other()))-len(s))
	}
	if s := Freshness([]api.IndexState{a.Index}, o.Dialect); s != "" {
		end = append(end, layout.Faint(s))
	}
	rows := make([][]string, min(len(a.facts()), ceiling/shortestRow))
	for i := range rows {
		rows[i] = columns(f, f.Facts[i])
	}
	room := ceiling - layout.Size(end) - spare
	for n := len(rows); ; {
		lines := append(top[:1:1], table(rows[:n], f.Facts)...)
		if left := len(f.Facts) - n; left > 0 {
			lines = append(lines,
				layout.Faint(fmt.Sprintf("%d more: a narrower pattern, %s, or %s shows them", left,
					o.Dialect.Raise(2*ceiling/layout.TokenBytes), o.Dialect.JSON())))
		}
		over := layout.Size(lines) - room
		if over <= 0 || n == 0 {
			return layout.Write(w, append(lines, end...), o.Colour)
		}
		n -= min(n, max(1, over/longestRow))
	}
}

// The smallest and roughly the largest row, in bytes. With them, few steps are needed to cut a
// table.
const (
	shortestRow = 12
	longestRow  = 300
)

func assayTitle(f *assay.Facts) string {
	what := layout.Clip(f.Pattern, layout.MaxName)
	if len(f.Meant) == 1 {
		what = layout.OpenPath(f.Meant[0])
	} else if len(f.Meant) > 1 {
		unit := "file"
		if strings.Contains(f.Meant[0], "::") {
			unit = "definition"
		}
		what += " (" + layout.Count(len(f.Meant), unit) + ")"
	}
	switch {
	case len(f.Facts) > 0 || len(f.Unknown) == 0:
	case len(f.Meant) > 0 && (f.NothingRead || f.Type != "callers" && f.Type != "references" && f.Type != "importers"):
		return fmt.Sprintf("%s of %s: not known", layout.Clip(f.Type, 20), what)
	default: // any file might have some
		return fmt.Sprintf("%s of %s: none known", layout.Clip(f.Type, 20), what)
	}
	title := fmt.Sprintf("%s of %s: %d", layout.Clip(f.Type, 20), what, len(f.Facts))
	if len(f.Facts) == 0 && len(f.Meant) == 0 { // without this, 0 would look like a fact about it
		title += ", as nothing in the index has this name"
	}
	return title
}

func candidates(f *assay.Facts) int {
	n := 0
	for _, x := range f.Facts {
		if x.Candidate {
			n++
		}
	}
	return n
}

// columns returns the cells for one fact.
func columns(f *assay.Facts, x assay.Fact) []string {
	place := layout.OpenPath(x.Path)
	if x.Line > 0 {
		place += fmt.Sprintf(":%d", x.Line)
	}
	switch f.Type {
	case "callers":
		cells := []string{place, cell(x.Symbol), written(x)}
		if len(f.Meant) > 1 {
			cells = append(cells, "→ "+layout.OpenPath(x.Target))
		}
		return append(cells, certainty(x))
	case "references":
		cells := []string{place, cell(x.Symbol), x.As, written(x)}
		if len(f.Meant) > 1 {
			cells = append(cells, "→ "+layout.OpenPath(x.Target))
		}
		return append(cells, certainty(x))
	case "callees":
		to := "—"
		if x.DocID != "" {
			to = "→ " + layout.OpenPath(x.DocID)
		}
		return []string{place, written(x), to, certainty(x)}
	case "imports", "importers":
		cells := []string{place, cell(x.Written)}
		if x.Target != "" && (f.Type == "imports" || len(f.Meant) > 1) {
			return append(cells, "→ "+layout.OpenPath(x.Target))
		}
		return append(cells, certainty(x))
	case "inventory":
		return []string{place, cell(x.Written), layout.Clip(x.Title, layout.MaxLine)}
	case "co-changes":
		cells := []string{place, layout.Clip(x.Reason, MaxTextColumn)}
		if len(f.Meant) > 1 {
			cells = append(cells, "with "+layout.OpenPath(x.Target))
		}
		return cells
	}
	title := x.Title
	if owner, _, ok := strings.Cut(x.Symbol, "."); title == "" {
		title = x.Symbol
		// Only a Go method's signature names its type.
	} else if ok && !strings.Contains(title, owner) {
		title = x.Symbol + ": " + title
	}
	return []string{place, layout.Clip(title, layout.MaxLine)}
}

func cell(s string) string {
	if s == "" {
		return "-"
	}
	return layout.Clip(s, MaxTextColumn)
}

func written(x assay.Fact) string {
	s := cell(x.Written)
	if x.Count > 1 {
		s += fmt.Sprintf(" ×%d", x.Count)
	}
	return s
}

// certainty returns the evidence for a fact.
func certainty(x assay.Fact) string {
	if x.Candidate && x.Of > 1 {
		return fmt.Sprintf("1 of %d, %s", x.Of, x.Reason)
	}
	return x.Reason
}

// table aligns cells. The line of a candidate begins with a question mark.
func table(rows [][]string, facts []assay.Fact) []layout.Line {
	var widths []int
	for _, cells := range rows {
		for i, c := range cells {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			if n := utf8.RuneCountInString(c); i < len(cells)-1 && n > widths[i] && n <= MaxPlaceColumn {
				widths[i] = n
			}
		}
	}
	lines := make([]layout.Line, len(rows))
	for r, cells := range rows {
		var b strings.Builder
		mark := "  "
		if facts[r].Candidate {
			mark = "? "
		}
		b.WriteString(mark)
		for i, c := range cells {
			b.WriteString(c)
			if i < len(cells)-1 {
				b.WriteString(strings.Repeat(" ", max(0, widths[i]-utf8.RuneCountInString(c))+2))
			}
		}
		lines[r] = layout.Text(strings.TrimRight(b.String(), " "))
	}
	return lines
}

// assayDeeper returns the calls about the first fact that has a doc_id, or "".
func assayDeeper(f *assay.Facts, d dialect.Dialect) string {
	for _, x := range f.Facts {
		if x.DocID == "" {
			continue
		}
		calls := []string{d.Describe(x.DocID, 1)}
		if f.Type == "callees" && !x.Candidate { // a callee has a caller
			calls = append(calls, d.Assay("callers", x.DocID))
		}
		return layout.JoinCalls(calls)
	}
	return ""
}

type jsonFacts struct {
	Preamble
	QueryType string     `json:"query_type"`
	Pattern   string     `json:"pattern"`
	Meant     []string   `json:"meant"`
	Notes     []string   `json:"notes"`
	Unknown   []string   `json:"unknown"`
	Facts     []jsonFact `json:"facts"`

	Elsewhere []jsonFactsElsewhere `json:"elsewhere,omitempty"` // if related projects were asked
}

type jsonFactsElsewhere struct {
	Project string     `json:"project"`
	Via     string     `json:"via"`
	Missed  string     `json:"missed,omitempty"`
	Meant   []string   `json:"meant"`
	Facts   []jsonFact `json:"facts"`
}

type jsonFact struct {
	DocID     string `json:"doc_id"`
	Path      string `json:"path"`
	Line      int    `json:"line"`
	Symbol    string `json:"symbol"`
	Sort      string `json:"sort"`
	Title     string `json:"title"`
	Written   string `json:"written"`
	As        string `json:"as"`
	Target    string `json:"target"`
	Count     int    `json:"count"`
	Candidate bool   `json:"candidate"`
	Of        int    `json:"of"`
	Reason    string `json:"reason"`
}

// FactsJSON writes the facts by the schema in docs/assay.md. It is bounded by a.Most only.
func FactsJSON(w io.Writer, a FactsAnswer) error {
	f := a.Facts
	out := jsonFacts{
		Preamble: PreambleOf(a.Index), QueryType: f.Type, Pattern: f.Pattern,
		Meant: layout.NonNil(f.Meant), Notes: layout.NonNil(f.Notes), Unknown: layout.NonNil(f.Unknown),
		Facts: a.json(),
	}
	for _, x := range a.Elsewhere {
		there := jsonFactsElsewhere{Project: x.Project, Via: x.Visit.Via, Missed: x.Missed, Facts: []jsonFact{}}
		if x.Missed == "" {
			there.Facts, there.Meant = x.json(), x.Meant
		}
		there.Meant = layout.NonNil(there.Meant)
		out.Elsewhere = append(out.Elsewhere, there)
	}
	return layout.Encode(w, out)
}

// json returns the facts that may be shown, by the schema.
func (a FactsAnswer) json() []jsonFact {
	out := []jsonFact{}
	for _, x := range a.facts() {
		out = append(out, jsonFact{
			DocID: x.DocID, Path: x.Path, Line: x.Line, Symbol: x.Symbol, Sort: string(x.Sort), Title: x.Title,
			Written: x.Written,
			As:      x.As, Target: x.Target, Count: x.Count, Candidate: x.Candidate, Of: x.Of, Reason: x.Reason,
		})
	}
	return out
}
