package record

import (
	"fmt"
	"io"
	"strings"
	"time"

	"patina/bench/eval/self"
)

// The plot has a row for each eighth of the scale, and a column for each entry.
const (
	plotRows  = 8
	plotCols  = 60 // the newest entries
	perColumn = 2
)

// Text draws, for each truth, unified's mean reciprocal rank over time, from 0 to 1. Then it lists
// the entries. A bar of ┊ is the 95% interval.
func Text(w io.Writer, entries []Entry) error {
	var b strings.Builder
	shown := entries[max(0, len(entries)-plotCols/perColumn):]
	for _, t := range truths(shown) {
		fmt.Fprintf(&b, "%s, MRR of unified\n", t.Label)
		plot(&b, t.Name, shown)
	}
	fmt.Fprintf(&b, "%-4s %-16s %-12s %-5s %s\n", "", "time", "commit", "n", "MRR of unified")
	for i, e := range shown {
		n, scores := 0, []string{}
		for _, m := range e.Truths {
			n += m.N
			scores = append(scores, fmt.Sprintf("%s %.2f", m.Truth, m.Unified.MRR.Mean))
		}
		note := ""
		if e.Partial {
			note = "  (interrupted)"
		}
		fmt.Fprintf(&b, "%-4d %-16s %-12.12s %-5d %s%s\n", i+1, e.Time.Local().Format("2006-01-02 15:04"), e.Head, n,
			strings.Join(scores, "  "), note)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// plot draws one truth.
func plot(b *strings.Builder, truth string, entries []Entry) {
	level := func(x float64) int { return min(plotRows-1, max(0, int(x*plotRows))) }
	for row := plotRows - 1; row >= 0; row-- {
		fmt.Fprintf(b, "%5.2f ", float64(row)/plotRows)
		line := "│"
		for _, e := range entries {
			mark := "  "
			if m, ok := e.Of(truth); ok {
				switch s := m.Unified.MRR; {
				case level(s.Mean) == row:
					mark = " ●"
				case level(s.Low) <= row && row <= level(s.High):
					mark = " ┊"
				}
			}
			line += mark
		}
		fmt.Fprintln(b, strings.TrimRight(line, " "))
	}
	fmt.Fprintf(b, "      └%s\n\n", strings.Repeat("─", perColumn*len(entries)))
}

// Sizes in the SVG, in pixels.
const (
	svgWidth  = 860
	svgHeight = 150 // of each truth
	svgLeft   = 50
	svgRight  = 120
	svgTop    = 30
)

// The lines that are drawn, and their colours.
var drawn = []struct{ pipeline, colour string }{
	{self.Unified, "#4b8f8c"}, {self.Plain, "#b9b4a7"},
}

// SVG draws a panel for each truth: the mean reciprocal ranks of unified, with its interval, and of
// plain BM25, one step for each entry.
func SVG(w io.Writer, entries []Entry) error {
	var b strings.Builder
	y := 0
	for _, t := range truths(entries) {
		panel(&b, y, t, entries)
		y += svgTop + svgHeight
	}
	_, err := fmt.Fprintf(w, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n"+
		"<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n%s</svg>\n", svgWidth, y+30, b.String())
	return err
}

func panel(b *strings.Builder, top int, t self.Truth, entries []Entry) {
	const height = svgHeight - 30
	y := func(v float64) float64 { return float64(top+svgTop) + (1-v)*height }
	x := func(i int) float64 {
		return svgLeft + float64(i)*(svgWidth-svgLeft-svgRight)/float64(max(1, len(entries)-1))
	}
	fmt.Fprintf(b, "<text x=\"10\" y=\"%d\" font-weight=\"bold\">%s — MRR</text>\n", top+18, t.Label)
	for _, v := range []float64{0, 0.5, 1} {
		fmt.Fprintf(b, "<path d=\"M%d %.1fH%d\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.1f</text>\n", svgLeft, y(v), svgWidth-svgRight, svgLeft-6, y(v)+4, v)
	}
	for _, d := range drawn {
		path, last := "", -1
		for i, e := range entries {
			m, ok := e.Of(t.Name)
			v, has := m.MRR[d.pipeline]
			if !ok || !has {
				continue
			}
			if d.pipeline == self.Unified {
				fmt.Fprintf(b, "<path d=\"M%.1f %.1fV%.1f\" stroke=\"%s\"/>\n", x(i), y(m.Unified.MRR.Low),
					y(m.Unified.MRR.High), d.colour)
			}
			fmt.Fprintf(b, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"><title>%s %.12s: %.3f</title></circle>\n", x(i), y(v), d.colour, e.Time.Format(time.DateOnly), e.Head, v)
			if path == "" {
				path = "M"
			} else {
				path += "L"
			}
			path += fmt.Sprintf("%.1f %.1f", x(i), y(v))
			last = i
		}
		if last >= 0 {
			m, _ := entries[last].Of(t.Name)
			fmt.Fprintf(b, "<path d=\"%s\" fill=\"none\" stroke=\"%s\"/><text x=\"%.1f\" y=\"%.1f\" fill=\"%s\">%s %.2f</text>\n",
				path, d.colour, x(last)+8, y(m.MRR[d.pipeline])+4, d.colour, d.pipeline, m.MRR[d.pipeline])
		}
	}
}
