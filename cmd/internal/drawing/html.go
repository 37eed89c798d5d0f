package drawing

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"

	"patina/cmd/internal/layout"
	"patina/graph"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// pageStyle is the style sheet of the page around a drawing.
const pageStyle = `:root{color-scheme:light dark}body{font:14px/1.5 system-ui,sans-serif;margin:1rem}` +
	`.drawing{overflow:auto}li{margin:.2rem 0}section:target{outline:2px solid;outline-offset:4px}` +
	`code{overflow-wrap:anywhere}`

// A detail is the part of the page about one node.
type detail struct {
	Number            int
	Label, Kind, Note string
	ID                string
	Edges             []detailEdge
}

type detailEdge struct {
	How, Note string
	Number    int // of the other end
	Label     string
}

// writeHTML writes a graph as one page that needs no other file and runs no script. Each box is a
// link to the detail of its node.
func writeHTML(w io.Writer, g *graph.Graph) error {
	style := pageStyle + Style()
	sum := sha256.Sum256([]byte(style))
	at := numbersOf(g)
	drawn := SVG(g, Look{Link: func(n graph.Node) string { return fmt.Sprintf("#n%d", at[n.ID]) }})
	return page.Execute(w, struct {
		Title, Hash string
		Style       template.CSS
		Drawing     template.HTML
		Details     []detail
		Remarks     []string
	}{
		layout.Clip(g.Title, layout.MaxLine), base64.StdEncoding.EncodeToString(sum[:]),
		template.CSS(style), template.HTML(drawn), // both are ours, and SVG escapes its texts
		detailsOf(g, at), remarks(g),
	})
}

// detailsOf returns the details of all nodes.
func detailsOf(g *graph.Graph, at map[string]int) []detail {
	all := make([]detail, len(g.Nodes))
	for i, n := range g.Nodes {
		about := []string{}
		for _, s := range []string{n.Under, n.Note} {
			if s != "" {
				about = append(about, layout.Clip(s, layout.MaxLine))
			}
		}
		all[i] = detail{
			Number: i, Label: label(n), Kind: layout.Clip(n.Kind, maxKind), ID: layout.OpenPath(n.ID),
			Note: strings.Join(about, " · "),
		}
	}
	for _, e := range g.Edges {
		from, to := at[e.From], at[e.To]
		add := func(i, other int, how string) {
			if e.Candidate {
				how = "? " + how
			}
			all[i].Edges = append(all[i].Edges, detailEdge{how, layout.Clip(e.Note, layout.MaxLine), other, all[other].Label})
		}
		add(from, to, kindOf(e.Kind))
		if from != to {
			add(to, from, layout.Clip(passive(e.Kind), maxKind+len(" from")))
		}
	}
	return all
}
