package ui

import (
	"cmp"
	"html/template"
	"net/url"
	"strings"

	"patina/ask"
	"patina/belief/audit"
	"patina/cmd/internal/drawing"
	"patina/cmd/internal/layout"
	"patina/graph"
)

func init() {
	addRoute("GET /part/project-packages", func(v *view) error { return v.mapPart(ask.PackageMap) })
	addRoute("GET /part/project-beliefs", func(v *view) error { return v.mapPart(ask.BeliefMap) })
	addRoute("GET /part/project-mother", func(v *view) error { return v.mapPart(ask.MotherMap) })
	addRoute("GET /part/around", (*view).aroundPart)
}

type auditEntry = audit.Entry

// A drawn is a graph in a page.
type drawn struct {
	Title, Command string
	SVG            template.HTML
	Notes          []string // instead of an empty drawing
	Depths         []crumb  // the same, deeper or less deep
}

// mapPart writes a map of the project.
func (v *view) mapPart(which string) error {
	depth := min(max(0, numberArgument(v.query, "depth")), ask.MostDepth)
	_, a, err := v.ask("graph", 0, ask.Request{Form: ask.Graph, Map: which, Depth: depth})
	if err != nil {
		return err
	}
	d := v.drawn(a.Graph, "patina graph --"+which)
	if which == ask.PackageMap && len(a.Graph.Nodes) > 0 {
		for i, name := range []string{"as it fits", "top folders", "two deep", "three deep"} {
			q := url.Values{"depth": {string(rune('0' + i))}}
			if repos := v.repos(); len(repos) > 0 {
				q["repo"] = repos
			}
			if i == depth {
				q = nil
			}
			link := ""
			if q != nil {
				link = "/part/project-packages?" + q.Encode()
			}
			d.Depths = append(d.Depths, crumb{name, link})
		}
	}
	return v.part("drawn", d)
}

// aroundPart draws the surroundings of a document.
func (v *view) aroundPart() error {
	id := v.query.Get("id")
	_, a, err := v.ask("graph", 0, ask.Request{Form: ask.Graph, Name: id})
	if err != nil {
		return err
	}
	return v.part("drawn", v.drawn(a.Graph, "patina graph "+layout.Quote(id, layout.MaxPath)))
}

// drawn returns a graph for a page, whose boxes lead to the pages of their documents.
func (v *view) drawn(g *graph.Graph, command string) drawn {
	d := drawn{Title: layout.Clip(g.Title, layout.MaxLine), Command: command}
	if len(g.Nodes) == 0 {
		for _, note := range g.Notes {
			d.Notes = append(d.Notes, layout.OneLine(note))
		}
		return d
	}
	t := trailOf(v.query)
	if id := v.query.Get("id"); id != "" {
		t = t.past(id)
	}
	svg := drawing.SVG(g, drawing.Look{Link: func(n graph.Node) string {
		switch {
		case n.Centre || n.Faint || n.ID == ".":
			return ""
		case n.Kind == "repository":
			return "/project?repo=" + url.QueryEscape(cmp.Or(strings.TrimSpace(n.Note), n.Label))
		}
		return t.link(n.ID, 0)
	}})
	d.SVG = template.HTML(svg) // SVG escapes its texts
	return d
}
