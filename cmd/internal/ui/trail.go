package ui

import (
	"net/url"
	"strconv"

	"patina/cmd/internal/deliver"
	"patina/cmd/internal/layout"
	"patina/store/doc"
)

// mostSteps bounds the steps of a walk that an address keeps.
const mostSteps = 8

// A trail is the walk that led to a page: from a question over documents to this one.
type trail struct {
	ask   string   // the address of the question; empty without one
	repo  string   // the project, if it is another than the server's
	steps []string // doc_ids, oldest first
}

// trailOf reads a trail from an address.
func trailOf(q url.Values) trail {
	steps := nonEmpty(q["walk"])
	return trail{ask: q.Get("ask"), repo: q.Get("repo"), steps: steps[max(0, len(steps)-mostSteps):]}
}

// link returns the address of a document at the end of the trail. A line above 0 is shown first.
func (t trail) link(docID string, line int) string {
	if docID == "" {
		return ""
	}
	q := t.values(docID)
	if line > 0 {
		q.Set("line", strconv.Itoa(line))
		return "/thing?" + q.Encode() + "#L" + strconv.Itoa(line)
	}
	return "/thing?" + q.Encode()
}

// values returns the arguments of the address of a document.
func (t trail) values(docID string) url.Values {
	q := url.Values{"id": {docID}}
	if t.ask != "" {
		q.Set("ask", t.ask)
	}
	if t.repo != "" {
		q.Set("repo", t.repo)
	}
	for _, s := range t.steps {
		q.Add("walk", s)
	}
	return q
}

// past returns the trail with one more step.
func (t trail) past(docID string) trail {
	steps := append(t.steps[:len(t.steps):len(t.steps)], docID)
	t.steps = steps[max(0, len(steps)-mostSteps):]
	return t
}

// A crumb is one step of a trail.
type crumb struct{ Name, Link string }

// crumbs returns the steps of the trail.
func (t trail) crumbs() (all []crumb) {
	if t.ask != "" {
		asked, _ := url.ParseQuery(t.ask)
		all = append(all, crumb{layout.Clip(`“`+asked.Get("q")+`”`, 40), "/?" + questionOf(asked).values().Encode()})
	}
	for i, id := range t.steps {
		before := t
		before.steps = t.steps[:i]
		all = append(all, crumb{shortName(id), before.link(id, 0)})
	}
	return all
}

// shortName returns the end of a doc_id by which a reader knows it.
func shortName(docID string) string { return layout.ShortPath(deliver.TargetID(docID), 36) }

// An edge leads from one document to another.
type edge struct {
	Relation  string
	Name      string
	Link      string // empty if the index does not have the target
	Place     string // path and line
	Note      string
	Candidate bool // known by its name alone
	Against   bool // an attack
	Strength  float64
}

// edges returns links as edges.
func (t trail) edges(links []doc.Link) (all []edge) {
	for _, l := range links {
		all = append(all, edge{
			Relation: l.Relation, Name: deliver.TargetID(l.Target), Link: t.link(l.Target, 0), Note: layout.Plain(l.Note),
		})
	}
	return all
}
