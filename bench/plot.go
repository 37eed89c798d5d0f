package main

import (
	"fmt"
	"html"
	"strings"
)

// The plot has a panel for each unit, with a bar for each figure. The length of a bar is the
// median, and a line extends from minimum to maximum.
const (
	plotWidth = 860
	nameWidth = 330
	barHeight = 16
	rowHeight = 22
)

// A panel is a group of figures with one scale.
type panel struct {
	title   string
	figures []figure
}

// panels returns the figures to draw: scrapes in seconds, questions and changes in milliseconds.
func (r *report) panels() []panel {
	var out []panel
	for _, p := range []struct{ title, unit string }{{"Scrapes (s)", "s"}, {"Questions and changes (ms)", "ms"}} {
		drawn := panel{title: p.title}
		for _, f := range r.figures {
			if f.unit == p.unit && !strings.HasPrefix(f.name, "— ") {
				drawn.figures = append(drawn.figures, f)
			}
		}
		if len(drawn.figures) > 0 {
			out = append(out, drawn)
		}
	}
	return out
}

// svg returns the report as a picture.
func (r *report) svg() string {
	var body strings.Builder
	y := 10
	for _, p := range r.panels() {
		y += rowHeight
		fmt.Fprintf(&body, "<text x=\"10\" y=\"%d\" font-weight=\"bold\">%s — %s</text>\n", y,
			html.EscapeString(p.title), html.EscapeString(r.repository))
		most := 0.0
		for _, f := range p.figures {
			most = max(most, f.greatest())
		}
		scale := func(v float64) float64 { return v / max(most, 1e-9) * (plotWidth - nameWidth - 90) }
		for _, f := range p.figures {
			y += rowHeight
			middle := y - barHeight/2 + 3
			fmt.Fprintf(&body, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n", nameWidth-8, y,
				html.EscapeString(f.name))
			fmt.Fprintf(&body, "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n", nameWidth,
				y-barHeight+4, max(1, scale(f.median())), barHeight, colour(f.name))
			fmt.Fprintf(&body, "<path d=\"M%.1f %dH%.1f\" stroke=\"black\"/>\n", nameWidth+scale(f.least()), middle,
				nameWidth+scale(f.greatest()))
			fmt.Fprintf(&body, "<text x=\"%.1f\" y=\"%d\">%s</text>\n", nameWidth+scale(f.greatest())+6, y,
				digits(f.median()))
		}
	}
	return fmt.Sprintf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n%s</svg>\n",
		plotWidth, y+20, body.String())
}

// colour returns the colour of a figure. Other programs have another one than patina.
func colour(name string) string {
	for _, other := range []string{"ripgrep", "zoekt", "universal-ctags"} {
		if strings.HasPrefix(name, other) {
			return "#b9b4a7"
		}
	}
	return "#4b8f8c"
}
