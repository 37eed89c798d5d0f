package ui

import (
	"fmt"

	"patina/actors/api"
	"patina/ask"
	"patina/belief/verify"
	"patina/cmd/internal/layout"
)

func init() {
	addRoute("GET /part/impact", (*view).impactPart)
}

// mostImpacts bounds each list of a change's reach.
const mostImpacts = 15

// An impact has the documents that a change may reach, and those that govern it.
type impact struct{ Governs, Changes beside }

// impactPart writes the reach of a change. A document that is no code has only the files that
// change with it.
func (v *view) impactPart() error {
	id := v.query.Get("id")
	_, a, err := v.ask("impact", ask.ImpactTime, ask.Request{Form: ask.Impact, Name: id})
	if err != nil {
		return err
	}
	t := trailOf(v.query).past(id)
	return v.part("impact", impact{governing(a.Impact, t), changing(a.Impact.ImpactAnswer, t)})
}

// changing returns the files that change together with a document, the tests that reach it, and the
// people who changed it.
func changing(f *api.ImpactAnswer, t trail) beside {
	b := beside{None: "no commit touched it together with another file, and no test is known to reach it"}
	var files, tests edgeList
	for i, x := range f.Files {
		if i == mostImpacts {
			b.More += len(f.Files) - i
			break
		}
		e := edge{Name: layout.ShortPath(x.Path, layout.MaxShortPath), Link: t.link(x.Path, 0), Strength: x.Score, Candidate: x.Together == 0 && x.Callers == 0}
		if x.Together > 0 {
			e.Note = fmt.Sprintf("in %d of %d commits", x.Together, x.Of)
		} else if x.Callers > 0 {
			e.Note = layout.Count(x.Callers, "caller")
		} else {
			e.Note = "by its imports, its name or its folder"
		}
		files.Edges = append(files.Edges, e)
	}
	for i, x := range f.Tests {
		if i == mostImpacts {
			b.More += len(f.Tests) - i
			break
		}
		name := x.Symbol
		if name == "" {
			name = x.Path
		}
		tests.Edges = append(tests.Edges, edge{
			Name: layout.Clip(name, layout.MaxName), Link: t.link(x.DocID, 0), Place: layout.ShortPath(x.Path, 48),
			Note: layout.Clip(x.Reason, 80), Candidate: x.Candidate || x.Hops == 0, Strength: x.Score,
		})
	}
	for _, l := range []edgeList{{"files", files.Edges}, {"tests", tests.Edges}} {
		if len(l.Edges) > 0 {
			b.Lists = append(b.Lists, l)
		}
	}
	for i, x := range f.Authors {
		if i == 3 {
			break
		}
		b.Said = append(b.Said, fmt.Sprintf("%s changed it in %s", layout.Clip(x.Name, 40), layout.Count(x.Commits, "commit")))
	}
	for _, x := range f.Owners {
		b.Said = append(b.Said, "owned by "+layout.Clip(x.Text, 80))
	}
	for _, n := range f.Notes {
		b.Notes = append(b.Notes, layout.OneLine(n))
	}
	return b
}

// governing returns the beliefs, decisions and rules that govern a change.
func governing(f *ask.ImpactFound, t trail) beside {
	b := beside{None: "no belief, decision or rule is known to be about it"}
	var beliefs, rules edgeList
	failed := failedChecks(f.Checks)
	if f.Unrun != "" {
		b.Notes = append(b.Notes, "their checks were not run: "+layout.OneLine(f.Unrun))
	}
	for _, g := range f.Governing {
		beliefs.Edges = append(beliefs.Edges, edge{
			Name: layout.Clip(g.Statement, 200), Link: t.link(ask.BeliefPrefix+g.ID, 0), Note: layout.Clip(g.Reason, 100) + failed[g.ID],
			Place: layout.Clip(g.ID, 60), Strength: g.Score,
		})
	}
	for _, r := range f.Rules {
		rules.Edges = append(rules.Edges, edge{
			Name: layout.Clip(r.Text, 200), Link: t.link(r.Path, r.Line), Place: fmt.Sprintf("%s:%d", layout.ShortPath(r.Path, 48), r.Line),
		})
	}
	for _, l := range []edgeList{{"beliefs and decisions", beliefs.Edges}, {"rules", rules.Edges}} {
		if len(l.Edges) > 0 {
			b.Lists = append(b.Lists, l)
		}
	}
	return b
}

// failedChecks returns notes on the beliefs with a check that fails, by id. The answer may be nil.
func failedChecks(a *api.VerifyAnswer) map[string]string {
	notes := map[string]string{}
	if a == nil {
		return notes
	}
	for _, b := range a.Beliefs {
		n := 0
		for _, o := range b.Outcomes {
			if o.Status == verify.Failed {
				n++
			}
		}
		if n > 0 {
			notes[b.ID] = "; it does not hold now: " + layout.Count(n, "check") + " of it failed"
		}
	}
	return notes
}
