// Package beliefs writes beliefs: lists, pages and audits (beliefs.go), one belief in an answer
// (believed.go), standings (standing.go), the code that they are about (reach.go), outcomes of
// checks (verification.go), graphs (graph.go), and proposed sentences (proposals.go).
package beliefs

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"patina/actors/api"
	"patina/belief"
	"patina/belief/audit"
	"patina/cmd/internal/deliver"
	"patina/cmd/internal/layout"
	"patina/store/doc"
)

// List writes beliefs, one a line, the highest standing first, at most PageBytes or the budget.
// others is the number of beliefs that a filter left out.
func List(w io.Writer, a *api.BeliefsAnswer, others int, o deliver.Options) error {
	all := slices.Clone(a.Beliefs)
	slices.SortStableFunc(all, func(x, y audit.Entry) int {
		return cmp.Or(cmp.Compare(rankOf(x), rankOf(y)), cmp.Compare(y.Standing, x.Standing),
			cmp.Compare(y.Beliefs+y.Sessions, x.Beliefs+x.Sessions), cmp.Compare(x.ID, y.ID))
	})
	var rows []layout.Line
	for _, e := range all {
		rows = append(rows,
			layout.Text(fmt.Sprintf("%s: %s (%s) %s:%d", layout.Clip(e.ID, layout.MaxName),
				layout.Quote(e.Statement, layout.MaxLine), heldText(e), layout.OpenPath(e.Path), e.Line)))
	}
	head := layout.Count(len(all), "belief")
	if len(all) == 0 {
		head = "no belief"
	}
	if others > 0 {
		head += fmt.Sprintf(", without %s (patina belief list --all)", layout.Count(others, "other"))
	}
	var end []layout.Line
	if len(all) > 0 {
		if call := o.Dialect.Believe(all[0].ID); call != "" {
			end = []layout.Line{layout.Faint("Dig deeper: " + call)}
		}
	}
	return writeList(w, append([]layout.Line{layout.Faint(head)}, rows...), end, a.Index, o)
}

// rankOf puts active beliefs first, then those that hold in part.
func rankOf(e audit.Entry) int {
	return slices.Index([]string{belief.Scoped, belief.Active}, e.Status) * -1
}

// heldText returns how a belief is held, in a few words.
func heldText(e audit.Entry) string {
	s := deliver.AuthorMark(e.ByOthers)
	if e.Status != belief.Active {
		s = layout.Clip(e.Status, 20) + ", "
	}
	if e.Source == belief.Decision {
		s += "decision record"
		if e.Extracted != "" {
			s += " of " + layout.Clip(e.Extracted, 20)
		}
		return s
	}
	return s + fmt.Sprintf("entrenchment: %g, standing: %.2f, evidence: %d/%d, use: %d+%d", e.Entrenchment, e.Standing,
		len(e.Sources), e.Resolved(), e.Beliefs, e.Sessions)
}

// A Page is all that is known of one belief. A nil Standing is not printed.
type Page struct {
	audit.Entry
	Standing *api.StandingAnswer
	Log      []string   // the entries of its Revision Log
	Commits  []doc.Link // that touched its file, newest first
	Older    int        // number of further commits
	Checks   bool       // its file contains checks
}

// The largest numbers of lines in the parts of a page.
const (
	maxPageLines  = 12
	maxPageCommit = 5
)

// Show writes a page about a belief: its statement, its evidence and whether it has changed since,
// its links, its standing line by line, and its history.
func Show(w io.Writer, p Page, o deliver.Options) error {
	lines := []layout.Line{
		layout.Strong(fmt.Sprintf("belief:%s  %s", layout.Clip(p.ID, layout.MaxName), layout.Clip(p.Status, 20))),
		layout.Text(fmt.Sprintf("%s%s:%d", layout.Indent, layout.OpenPath(p.Path), p.Line)),
		layout.Text(layout.Indent + layout.Quote(p.Statement, layout.MaxLine) + " (" + heldText(p.Entry) + ")"),
	}
	if s := datesOf(p); s != "" {
		lines = append(lines, layout.Faint(layout.Indent+s))
	}
	lines = append(lines, part("Evidence", evidenceLines(p.Entry), o)...)
	lines = append(lines, part("Links", edgeLines(p.Entry), o)...)
	if p.Standing != nil {
		lines = append(lines, layout.Strong(fmt.Sprintf("Standing %.3f", p.Standing.Score)))
		lines = append(lines, account(p.Standing, o)...)
	}
	lines = append(lines, part("History", historyLines(p), o)...)
	calls := []string{o.Dialect.Believe(p.ID), o.Dialect.Why(doc.Belief.FileID(p.ID))}
	if p.Checks {
		calls = append(calls, o.Dialect.Check(p.ID))
	}
	lines = append(lines, layout.Faint("Dig deeper: "+layout.JoinCalls(calls)))
	if p.Standing != nil {
		if s := deliver.Freshness([]api.IndexState{p.Standing.Index}, o.Dialect); s != "" {
			lines = append(lines, layout.Faint(s))
		}
	}
	return layout.Write(w, lines, o.Colour)
}

// part returns a titled list, cut to maxPageLines. Without items it returns nil.
func part(title string, items []string, o deliver.Options) []layout.Line {
	if len(items) == 0 {
		return nil
	}
	lines := []layout.Line{layout.Strong(title)}
	for i, s := range items {
		if i == maxPageLines {
			return append(lines,
				layout.Faint(fmt.Sprintf("%s%d more: %s shows them", layout.Indent, len(items)-i, o.Dialect.JSON())))
		}
		lines = append(lines, layout.Text(layout.Indent+s))
	}
	return lines
}

func datesOf(p Page) string {
	var parts []string
	if len(p.Facets) > 0 {
		parts = append(parts, "facets: "+layout.Clip(strings.Join(p.Facets, ", "), layout.MaxLine))
	}
	for _, d := range []struct{ what, when string }{{"extracted", p.Extracted}, {"revised", p.Revised}} {
		if d.when != "" {
			parts = append(parts, d.what+" "+layout.Clip(d.when, 20))
		}
	}
	return strings.Join(parts, "; ")
}

// evidenceLines reports, for each piece of evidence, whether it is still there unchanged.
func evidenceLines(e audit.Entry) (out []string) {
	for _, v := range e.Sources {
		s := fmt.Sprintf("line %d: ", v.Line)
		switch {
		case v.Name == "":
			s += "names nothing"
		case v.DocID == "":
			s += layout.Clip(v.Name, layout.MaxName) + ", not in the index"
		case v.Commits > 0:
			s += fmt.Sprintf("%s, changed since: %s, the newest of %s", deliver.TargetID(v.DocID),
				layout.Count(v.Commits, "commit"), layout.Day(v.Changed))
		default:
			s += deliver.TargetID(v.DocID) + ", holds"
		}
		if v.Weight >= 0 {
			s += fmt.Sprintf(" (weight %g)", v.Weight)
		}
		out = append(out, s)
	}
	return out
}

// edgeLines returns the target of each link with its status, then the beliefs that link here.
func edgeLines(e audit.Entry) (out []string) {
	for i, x := range slices.Concat(e.Supports, e.Attacks, e.AttackedBy) {
		t := e.Edges[i]
		var notes []string
		switch {
		case t.Stands != "":
			notes = append(notes, layout.Clip(t.Stands, 20))
		case t.DocID != "":
			notes = append(notes, "no belief but "+layout.ShortPath(t.DocID, layout.MaxShortPath))
		case t.Name != "":
			notes = append(notes, "no belief")
		}
		if x.Status != "" && x.Status != t.Stands {
			notes = append(notes, "said to be "+layout.Clip(x.Status, 20))
		}
		if x.Reason != "" && e.Source != belief.Decision {
			notes = append(notes, layout.Clip(x.Reason, layout.MaxName))
		}
		s := t.Relation + " " + layout.Clip(cmp.Or(t.Name, "nothing"), layout.MaxName)
		if len(notes) > 0 {
			s += " (" + strings.Join(notes, ", ") + ")"
		}
		out = append(out, s)
	}
	for _, t := range e.Others {
		out = append(out,
			fmt.Sprintf("%s %s (%s)", t.Relation, layout.Clip(t.Name, layout.MaxName), layout.Clip(t.Stands, 20)))
	}
	return out
}

func historyLines(p Page) (out []string) {
	for _, s := range p.Log {
		out = append(out, layout.Clip(s, layout.MaxLine))
	}
	for _, l := range p.Commits {
		out = append(out, deliver.Link(l, layout.MaxPath))
	}
	if p.Older > 0 {
		out = append(out, fmt.Sprintf("and %d commits before these", p.Older))
	}
	return out
}

// RevisionLog returns the entries of the section "Revision Log" in a belief's file.
func RevisionLog(text string) (entries []string) {
	in := false
	for l := range strings.Lines(text) {
		l = strings.TrimSpace(l)
		switch {
		case strings.HasPrefix(l, "#"):
			in = strings.EqualFold(strings.TrimSpace(strings.TrimLeft(l, "#")), "revision log")
		case in && (strings.HasPrefix(l, "- ") || strings.HasPrefix(l, "* ")):
			entries = append(entries, l[2:])
		}
	}
	return entries
}

// Audit writes the flaws of beliefs, the gravest first, each with its fix. It takes at most
// PageBytes or the budget.
func Audit(w io.Writer, a *api.AuditAnswer, o deliver.Options) error {
	var rows []layout.Line
	var flaw audit.Flaw
	n, fixes := map[audit.Flaw]int{}, map[audit.Flaw][]string{}
	for _, f := range a.Findings {
		if n[f.Flaw]++; !slices.Contains(fixes[f.Flaw], f.Fix) {
			fixes[f.Flaw] = append(fixes[f.Flaw], f.Fix)
		}
	}
	var summary []string
	for _, f := range a.Findings {
		if f.Flaw != flaw {
			flaw = f.Flaw
			rows = append(rows,
				layout.Strong(fmt.Sprintf("%s (%d): %s", flaw, n[flaw], strings.Join(fixes[flaw], "; or "))))
			summary = append(summary, fmt.Sprintf("%d %s", n[flaw], flaw))
		}
		at := layout.OpenPath(f.Path)
		if f.Line > 0 {
			at = fmt.Sprintf("%s:%d", at, f.Line)
		}
		rows = append(rows,
			layout.Text(fmt.Sprintf("%s%s: %s", layout.Indent, at, layout.Clip(f.Text, layout.MaxLine))))
	}
	said := layout.Count(a.Beliefs, "belief") + " examined: "
	if len(summary) == 0 {
		said += "all is well"
	}
	return writeList(w, rows, []layout.Line{layout.Faint(said + strings.Join(summary, ", "))}, a.Index, o)
}

type jsonBeliefs struct {
	deliver.Preamble
	Beliefs []jsonKept `json:"beliefs"`
}

type jsonKept struct {
	ID           string         `json:"id"`
	Statement    string         `json:"statement"`
	Status       string         `json:"status"`
	Source       belief.Source  `json:"source"`
	Others       bool           `json:"by_others,omitempty"`
	Entrenchment float64        `json:"entrenchment"`
	Standing     float64        `json:"standing"`
	Facets       []string       `json:"facets"`
	Path         string         `json:"path"`
	Line         int            `json:"line"`
	Extracted    string         `json:"extracted"`
	Revised      string         `json:"revised"`
	Evidence     []jsonEvidence `json:"evidence"`
	Links        []jsonEdge     `json:"links"`
	Beliefs      int            `json:"cited_by_beliefs"`
	Sessions     int            `json:"cited_by_sessions"`
	Log          []string       `json:"log,omitempty"`
	Commits      []string       `json:"commits,omitempty"`
}

type jsonEvidence struct {
	Target  string   `json:"target"`
	DocID   string   `json:"doc_id"`
	Line    int      `json:"line"`
	Weight  *float64 `json:"weight"`
	Commits int      `json:"commits_since"`
	Changed *string  `json:"changed"`
}

type jsonEdge struct {
	Relation string `json:"relation"`
	Target   string `json:"target"`
	DocID    string `json:"doc_id"`
	Stands   string `json:"stands"`
	Status   string `json:"status"`
	Reason   string `json:"reason"`
	Line     int    `json:"line"`
}

// ListJSON writes beliefs by the schema in docs/knowledge.md. It has no ceiling.
func ListJSON(w io.Writer, a *api.BeliefsAnswer, pages ...Page) error {
	out := jsonBeliefs{deliver.PreambleOf(a.Index), []jsonKept{}}
	for _, e := range a.Beliefs {
		out.Beliefs = append(out.Beliefs, entryInJSON(e))
	}
	for i, p := range pages {
		out.Beliefs[i].Log = p.Log
		for _, l := range p.Commits {
			out.Beliefs[i].Commits = append(out.Beliefs[i].Commits, l.Target)
		}
	}
	return layout.Encode(w, out)
}

func entryInJSON(e audit.Entry) jsonKept {
	out := jsonKept{
		ID: e.ID, Statement: e.Statement, Status: e.Status, Source: e.Source, Others: e.ByOthers,
		Entrenchment: e.Entrenchment, Standing: layout.Round(e.Standing),
		Facets: append([]string{}, e.Facets...), Path: e.Path, Line: e.Line, Extracted: e.Extracted, Revised: e.Revised,
		Evidence: []jsonEvidence{}, Links: []jsonEdge{}, Beliefs: e.Beliefs, Sessions: e.Sessions,
	}
	for _, v := range e.Sources {
		x := jsonEvidence{Target: v.Name, DocID: v.DocID, Line: v.Line, Commits: v.Commits}
		if v.Weight >= 0 {
			x.Weight = &v.Weight
		}
		if v.Commits > 0 {
			changed := v.Changed.UTC().Format(time.RFC3339)
			x.Changed = &changed
		}
		out.Evidence = append(out.Evidence, x)
	}
	for i, x := range slices.Concat(e.Supports, e.Attacks, e.AttackedBy) {
		t := e.Edges[i]
		out.Links = append(out.Links, jsonEdge{t.Relation, t.Name, t.DocID, t.Stands, x.Status, x.Reason, t.Line})
	}
	for _, t := range e.Others {
		out.Links = append(out.Links,
			jsonEdge{Relation: t.Relation, Target: t.Name, DocID: t.DocID, Stands: t.Stands, Line: t.Line})
	}
	return out
}

type jsonAudit struct {
	deliver.Preamble
	Beliefs  int           `json:"beliefs"`
	Findings []jsonFinding `json:"findings"`
}

type jsonFinding struct {
	Flaw audit.Flaw `json:"flaw"`
	Hint bool       `json:"hint"`
	ID   string     `json:"id"`
	Path string     `json:"path"`
	Line int        `json:"line"`
	Text string     `json:"text"`
	Fix  string     `json:"fix"`
}

// AuditJSON writes the same as Audit by the schema in docs/knowledge.md. It has no ceiling.
func AuditJSON(w io.Writer, a *api.AuditAnswer) error {
	out := jsonAudit{deliver.PreambleOf(a.Index), a.Beliefs, []jsonFinding{}}
	for _, f := range a.Findings {
		out.Findings = append(out.Findings, jsonFinding{f.Flaw, f.Flaw.Hint(), f.ID, f.Path, f.Line, f.Text, f.Fix})
	}
	return layout.Encode(w, out)
}
