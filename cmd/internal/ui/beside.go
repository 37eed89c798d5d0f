package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"patina/actors/api"
	"patina/ask"
	"patina/belief"
	"patina/cmd/internal/deliver"
	"patina/cmd/internal/layout"
	"patina/code/assay"
	"patina/code/lookup"
	"patina/store/doc"
)

func init() {
	for _, facts := range []string{"callers", "callees", "importers", "imports"} {
		addRoute("GET /part/"+facts, func(v *view) error { return v.factsPart(facts) })
	}
	addRoute("GET /part/outline", (*view).outlinePart)
	addRoute("GET /part/standing", (*view).standingPart)
	addRoute("GET /part/bears", (*view).bearsPart)
	addRoute("GET /part/reach", (*view).reachPart)
	addRoute("GET /part/history", (*view).historyPart)
}

const (
	mostEdges = 60 // in a list; the rest is counted
	openEdges = 12 // that are seen at once; a click shows the others
)

// A beside is the content of a panel.
type beside struct {
	Said  []string // before the edges
	Lists []edgeList
	More  int      // edges left out
	Notes []string // omissions, and what is not known
	None  string   // why there are no edges
}

// factsPart writes the facts about a document.
func (v *view) factsPart(question string) error {
	id, t := v.query.Get("id"), trailOf(v.query)
	_, a, err := v.ask("assay", ask.FactsTime(question), ask.Request{
		Form: ask.Facts, Query: assay.Query{Type: question, Pattern: id},
	})
	if err != nil {
		return err
	}
	return v.part("beside", besideOf(a.Facts.Facts, t.past(id)))
}

// besideOf returns facts as edges, the certain ones first.
func besideOf(f assay.Facts, t trail) beside {
	var certain, candidates, outside []edge
	b := beside{}
	for i, x := range f.Facts {
		if i == mostEdges {
			b.More = len(f.Facts) - i
			break
		}
		e := edgeOf(f.Type, x, t)
		switch {
		case e.Link == "":
			outside = append(outside, e)
		case x.Candidate:
			candidates = append(candidates, e)
		default:
			certain = append(certain, e)
		}
	}
	for _, l := range []edgeList{{"", certain}, {"by the name alone", candidates}, {"outside of the index", outside}} {
		if len(l.Edges) > 0 {
			b.Lists = append(b.Lists, l)
		}
	}
	for _, n := range f.Notes {
		b.Notes = append(b.Notes, layout.OneLine(n))
	}
	if len(f.Unknown) > 0 {
		b.Notes = append(b.Notes, "not known for "+strings.Join(f.Unknown, ", ")+": no parser finds this there")
	}
	if len(b.Lists) == 0 && !f.NothingRead {
		b.None = nothing[f.Type]
	}
	return b
}

// nothing says of each question that it found nothing.
var nothing = map[string]string{
	"callers": "nothing in the index calls it", "callees": "it calls nothing",
	"importers": "nothing in the index imports it", "imports": "it imports nothing",
}

// edgeOf returns a fact as an edge.
func edgeOf(question string, x assay.Fact, t trail) edge {
	e := edge{Candidate: x.Candidate, Name: shown(x)}
	var notes []string
	if x.Count > 1 {
		notes = append(notes, fmt.Sprintf("%d times", x.Count))
	}
	if x.Candidate && x.Of > 1 {
		notes = append(notes, fmt.Sprintf("one of %d of that name", x.Of))
	}
	if x.Reason != "" {
		notes = append(notes, layout.Clip(x.Reason, 80))
	}
	e.Note = strings.Join(notes, ", ")
	id, line := x.DocID, x.Line
	switch question {
	case "callees": // the line is that of the call
		line = 0
	case "imports": // the document is the one that imports
		id, line, e.Name = x.Target, 0, layout.Clip(x.Written, layout.MaxName)
	}
	e.Link = t.link(id, line)
	if x.Path != "" && x.Line > 0 {
		e.Place = fmt.Sprintf("%s:%d", layout.ShortPath(x.Path, 48), x.Line)
	}
	return e
}

// shown returns the name of a fact's document, or the text of the source for one that is outside.
func shown(x assay.Fact) string {
	switch {
	case x.DocID == "":
		return layout.Clip(x.Written, layout.MaxName)
	case x.Symbol != "":
		return layout.Clip(x.Symbol, layout.MaxName)
	}
	return layout.ShortPath(x.DocID, layout.MaxShortPath)
}

// outlinePart writes the definitions in a file.
func (v *view) outlinePart() error {
	id := v.query.Get("id")
	t := trailOf(v.query).past(id)
	b := beside{None: "it defines nothing that a parser knows"}
	for _, question := range []string{"types", "functions"} {
		_, a, err := v.ask("assay", 0, ask.Request{Form: ask.Facts, Query: assay.Query{Type: question, Pattern: id}})
		if err != nil {
			return err
		}
		var list edgeList
		for i, x := range a.Facts.Facts.Facts {
			if i == mostEdges {
				b.More += len(a.Facts.Facts.Facts) - i
				break
			}
			list.Edges = append(list.Edges, edge{Name: shown(x), Link: t.link(x.DocID, 0), Place: fmt.Sprintf("line %d", x.Line)})
		}
		if list.Title = question; len(list.Edges) > 0 {
			b.Lists = append(b.Lists, list)
		}
	}
	return v.part("beside", b)
}

// standingPart writes the supports and attacks of a belief, and how far each moves its standing.
func (v *view) standingPart() error {
	return v.document("why", func(ctx context.Context, c *ask.Call, e api.Service, d *api.DetailAnswer) error {
		if d.Belief == nil {
			return lookup.ErrNoDocument
		}
		a, err := e.Standing(ctx, api.StandingRequest{ReadOptions: c.Within(), ID: d.Belief.ID})
		if err != nil {
			return err
		}
		t := trailOf(v.query).past(d.DocID)
		b := beside{None: "nothing supports or attacks it", Said: []string{
			fmt.Sprintf("standing %.2f, from a base of %.2f by how firmly it is held", a.Score, a.Base),
		}}
		var sources []edge
		for _, s := range a.Sources {
			sources = append(sources, edge{
				Name: layout.Clip(s.From, layout.MaxName), Link: t.link(ask.BeliefPrefix+s.From, 0), Against: !s.Supports,
				Relation: relationOf(s.Supports), Strength: s.Score,
				Note: fmt.Sprintf("moves it by %+.2f; without it %.2f", s.Energy, s.Without),
			})
		}
		if len(sources) > 0 {
			b.Lists = []edgeList{{"", sources}}
		}
		return v.part("beside", b)
	})
}

func relationOf(supports bool) string {
	if supports {
		return "supports"
	}
	return "attacks"
}

// bearsPart writes the beliefs that a belief supports or attacks, and its evidence.
func (v *view) bearsPart() error {
	return v.document("why", func(_ context.Context, _ *ask.Call, _ api.Service, d *api.DetailAnswer) error {
		if d.Belief == nil {
			return lookup.ErrNoDocument
		}
		t := trailOf(v.query).past(d.DocID)
		b := beside{None: "it names no other belief and no evidence"}
		add := func(title string, edges []belief.Edge, against bool) {
			var list edgeList
			for _, x := range edges {
				list.Edges = append(list.Edges, edge{
					Name: layout.Clip(x.Target, layout.MaxName), Link: t.link(ask.BeliefPrefix+x.Target, 0), Against: against,
					Relation: relationOf(!against), Note: layout.Clip(x.Reason, 120),
				})
			}
			if list.Title = title; len(list.Edges) > 0 {
				b.Lists = append(b.Lists, list)
			}
		}
		add("supports", d.Belief.Supports, false)
		add("attacks", d.Belief.Attacks, true)
		var evidence edgeList
		for _, x := range d.Belief.Sources {
			name := x.Target
			if name == "" {
				name = fmt.Sprintf("line %d of its file", x.Line)
			}
			evidence.Edges = append(evidence.Edges, edge{Name: layout.Clip(name, layout.MaxName), Link: t.link(x.DocID, 0), Candidate: x.DocID == ""})
		}
		if evidence.Title = "evidence"; len(evidence.Edges) > 0 {
			b.Lists = append(b.Lists, evidence)
		}
		return v.part("beside", b)
	})
}

// reachPart writes the code that a belief is about.
func (v *view) reachPart() error {
	_, a, err := v.ask("belief", 0, ask.Request{Form: ask.Belief, Name: beliefName(v.query.Get("id"))})
	if noBelief, ok := errors.AsType[*ask.NoBeliefError](err); ok {
		return v.part("beside", beside{None: noBelief.Error()})
	}
	if err != nil {
		return err
	}
	t := trailOf(v.query).past(v.query.Get("id"))
	b, list := beside{None: "it cites no code, and none shares its words"}, edgeList{}
	for i, x := range a.Belief.Reached {
		if i == mostEdges {
			b.More = len(a.Belief.Reached) - i
			break
		}
		id := x.Path
		if x.Symbol != "" {
			id = doc.SymbolID(x.Path, x.Symbol)
		}
		list.Edges = append(list.Edges, edge{
			Name: layout.ShortPath(id, layout.MaxShortPath), Link: t.link(id, 0), Note: layout.Clip(x.Reason, 100),
			Candidate: x.ByWords(), Strength: x.Score,
		})
	}
	if len(list.Edges) > 0 {
		b.Lists = []edgeList{list}
	}
	return v.part("beside", b)
}

// beliefName returns the id of a belief from its doc_id, which may be a path.
func beliefName(docID string) string {
	return strings.TrimPrefix(deliver.TargetID(docID), ask.BeliefPrefix)
}

// historyPart writes the commits behind a document, and the sentences that say why.
func (v *view) historyPart() error {
	_, a, err := v.ask("why", 0, ask.Request{Form: ask.Why, Name: v.query.Get("id")})
	if err != nil {
		return err
	}
	if a.Document == nil || a.Document.Near == nil {
		return v.part("history", history{beside: beside{None: "no commit is known to have touched it"}})
	}
	near, t := a.Document.Near, trailOf(v.query).past(v.query.Get("id"))
	h := history{}
	for _, r := range near.Reasons {
		x := reason{Text: layout.Clip(r.Text, 420), Day: ""}
		if r.DocID != "" {
			x.Place, x.Link, x.Day = shortName(r.DocID), t.link(r.DocID, 0), layout.Day(r.Time)
		} else {
			x.Place, x.Link = fmt.Sprintf("%s:%d", layout.ShortPath(r.Path, 48), r.Line), t.link(r.Path, r.Line)
		}
		h.Reasons = append(h.Reasons, x)
	}
	var commits []edge
	for _, l := range near.Links {
		if l.Relation == "commit" {
			commits = append(commits, t.edges([]doc.Link{l})...)
		}
	}
	if len(commits) > 0 {
		h.Lists = []edgeList{{"", commits}}
	}
	h.More = max(0, near.Commits-len(commits))
	if h.None = "no commit is known to have touched it"; near.Index.Generation.History != "" {
		h.None = "its commits are not known: " + near.Index.Generation.History
	}
	if near.Note != "" {
		h.Notes = append(h.Notes, layout.OneLine(near.Note))
	}
	return v.part("history", h)
}

// A history is the content of the panel about the past.
type history struct {
	beside
	Reasons []reason
}

// A reason is a sentence that says why something is so.
type reason struct{ Text, Place, Link, Day string }
