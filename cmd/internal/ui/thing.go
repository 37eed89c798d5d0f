package ui

import (
	"context"
	"net/url"
	"strings"

	"patina/actors/api"
	"patina/ask"
	"patina/cmd/internal/deliver"
	"patina/cmd/internal/layout"
	"patina/memory"
	"patina/store/doc"
)

func init() { addRoute("GET /thing", (*view).thing) }

// A panel is a place beside a thing, whose content comes after the page.
type panel struct {
	Name  string // of the part
	Title string
	Link  string // the address of the content
	Late  bool   // the content may take seconds, and comes when the panel is seen
}

// A thing is one document whole, as its page shows it.
type thing struct {
	ID, Name, Kind     string
	Path, Symbol       string
	Above              []string // lines above its text
	Facts              []doc.ExternalFact
	Prose              string // a text that is no code: a commit's message
	Code               window
	Crumbs             []crumb
	Left, Right, Below []panel
	LeftEdges          []edgeList // links that the index has at once
	RightEdges         []edgeList
	Notes              []note
	MoreNotes          int
	Note               string // why something is missing
	Whole              string // the address of the whole file, if a part of it is shown
	Project            string // another project
	Keep               string // the address of a new note about it
	Rank               string // the address of why it has its rank, if a question led here
}

// An edgeList is links of one relation.
type edgeList struct {
	Title string
	Edges []edge
}

// A note is a note of the project about a document.
type note struct{ ID, Type, Text, Link, Day, Moved string }

// thing shows one document whole, with its neighbours.
func (v *view) thing() error {
	t, id, line := trailOf(v.query), v.query.Get("id"), numberArgument(v.query, "line")
	c, a, err := v.ask("detail", 0, ask.Request{Form: ask.Detail, Name: id})
	if err != nil {
		return v.folderInstead(t, id, err)
	}
	d := a.Document
	whole := &api.DetailAnswer{Description: d.Description, Body: d.Body, Diff: d.Diff, Note: d.Note}
	past := t.past(d.DocID)
	x := thing{
		ID: d.DocID, Name: deliver.Name(d.Description), Kind: d.Kind.Label(), Path: d.Path, Symbol: d.Symbol,
		Above: deliver.Above(d.Description), Crumbs: t.crumbs(), Note: d.Note, Code: windowOf(whole, t, 0, line),
	}
	if c.Moved != "" {
		x.Project = c.Place.Name
	}
	switch {
	case d.Outside != nil:
		x.Facts, x.Prose = d.Outside.Facts, layout.Body(d.Body)
		x.Code = window{}
	case d.Path == "":
		x.Prose = layout.Body(strings.TrimSpace(d.Body))
		if d.Diff == "" {
			x.Code = window{}
		}
	}
	x.LeftEdges, x.RightEdges = sides(d.Description, past)
	x.Left, x.Right, x.Below = panelsOf(d.Description, t)
	for _, m := range d.Noted.Notes {
		x.Notes = append(x.Notes, newNote(m, past))
	}
	x.MoreNotes = d.Noted.More
	if d.Path != "" && d.Symbol != "" && d.Belief == nil && d.First > 0 {
		x.Whole = past.link(d.Path, d.First)
	}
	if d.Path != "" && c.Moved == "" {
		x.Keep = "/notes?" + url.Values{"path": {d.Path}, "symbol": {d.Symbol}}.Encode() + "#new"
	}
	if asked, err := url.ParseQuery(t.ask); err == nil && asked.Get("q") != "" {
		q := questionOf(asked).values()
		q.Set("id", d.DocID)
		x.Rank = "/rank?" + q.Encode()
	}
	return v.page("thing", x.Name, "", x)
}

func newNote(m memory.Memory, t trail) note {
	id := doc.Memory.FileID(m.ID)
	return note{
		ID: m.ID, Type: m.Type, Text: layout.Clip(m.Content, 300), Link: t.link(id, 0), Day: layout.Day(m.Created), Moved: m.Moved,
	}
}

// leftRelations are the relations of links that lead to a document, rather than from it.
var leftRelations = map[string]string{"belief": "Beliefs about it", "callers": "Called by", "superseded by": "Superseded by"}

// rightTitles are the headings of links that lead from a document.
var rightTitles = map[string]string{
	"touches": "Files it touches", "names": "Names", "reaches": "Is about", "captured": "Beliefs captured",
	"commit": "Commits", "imports": "Imports", "supersedes": "Supersedes", "evidence": "Rests on",
}

// laterRelations are shown by panels, which know more.
var laterRelations = map[string]bool{"co-changes": true, "note": true}

// sides returns the links of a document that its description has, in groups.
func sides(d doc.Description, t trail) (left, right []edgeList) {
	for _, l := range d.Links {
		if laterRelations[l.Relation] || d.Kind == doc.Code && (l.Relation == "callers" || l.Relation == "imports" || l.Relation == "commit") {
			continue
		}
		e := t.edges([]doc.Link{l})[0]
		if title, ok := leftRelations[l.Relation]; ok {
			left = addEdge(left, title, e)
			continue
		}
		title, ok := rightTitles[l.Relation]
		if !ok {
			title = l.Relation
		}
		right = addEdge(right, title, e)
	}
	return left, right
}

func addEdge(lists []edgeList, title string, e edge) []edgeList {
	for i := range lists {
		if lists[i].Title == title {
			lists[i].Edges = append(lists[i].Edges, e)
			return lists
		}
	}
	return append(lists, edgeList{title, []edge{e}})
}

// panelsOf returns the panels beside a document: those that lead to it, those where it leads, and
// below those about a change of it.
func panelsOf(d doc.Description, t trail) (left, right, below []panel) {
	at := func(name, title string) panel {
		return panel{name, title, "/part/" + name + "?" + t.values(d.DocID).Encode(), name == "impact" || name == "around"}
	}
	switch {
	case d.Outside != nil:
	case d.Kind == doc.Code && d.Symbol != "":
		left = []panel{at("callers", "Who calls it")}
		right = []panel{at("callees", "What it calls")}
	case d.Kind == doc.Code:
		left = []panel{at("importers", "Who imports it"), at("outline", "In this file")}
		right = []panel{at("imports", "What it imports"), at("callees", "What it calls")}
	case d.Belief != nil:
		left = []panel{at("standing", "What moves its standing")}
		right = []panel{at("bears", "What it supports or attacks"), at("reach", "Code that it is about")}
	}
	around := at("around", "Around it")
	if d.Belief != nil { // by its file, as a file's commits and neighbours are meant
		d.DocID = d.Path
	}
	if d.Path != "" {
		below = []panel{at("impact", "What changes with it, and what governs it"), at("history", "Why it is so")}
	}
	if d.Outside == nil {
		below = append(below, around)
	}
	return left, right, below
}

// document calls f with a document that the address names.
func (v *view) document(mode string, f func(context.Context, *ask.Call, api.Service, *api.DetailAnswer) error) error {
	return v.lookUp(mode, 0, func(ctx context.Context, c *ask.Call, e api.Service) error {
		d, err := c.Document(ctx, e, v.query.Get("id"), true)
		if err != nil {
			return c.NotFound(ctx, e, err, "document", v.query.Get("id"))
		}
		return f(ctx, c, e, d)
	})
}
