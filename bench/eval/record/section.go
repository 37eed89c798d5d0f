package record

import (
	"fmt"
	"html"
	"io"
	"strings"

	"patina/bench/eval"
	"patina/bench/eval/self"
)

// Section writes a Markdown table over the reports of several projects: unified, its best single
// channel and plain BM25, and their differences.
func Section(w io.Writer, reports []*self.Report) error {
	var b strings.Builder
	b.WriteString("| project | sort | n | unified | best channel | plain BM25 | random | unified − best channel | unified − BM25 |\n|---|---|--:|--:|---|--:|--:|--:|--:|\n")
	for _, r := range reports {
		for i := range r.Truths {
			f := &r.Truths[i]
			u, c, p := f.Pipeline(self.Unified), f.Channel(), f.Pipeline(self.Plain)
			if u == nil || c == nil || p == nil {
				continue
			}
			fmt.Fprintf(&b, "| %s | %s | %d | %.3f | %s %.3f | %.3f | %.3f | %s | %s |\n", r.Project, f.Label, f.N,
				u.Score.MRR.Mean,
				strings.TrimPrefix(c.Name, "only "), c.Score.MRR.Mean, p.Score.MRR.Mean, f.Random.MRR.Mean,
				marked(c.Behind.MRR), marked(p.Behind.MRR))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// marked formats a difference. It is bold if its interval does not include zero.
func marked(e eval.Estimate) string {
	text := fmt.Sprintf("%+.3f [%+.3f, %+.3f]", e.Mean, e.Low, e.High)
	if e.Low > 0 || e.High < 0 {
		return "**" + text + "**"
	}
	return text
}

// Bars draws the reports of several projects: a bar for each of unified, the best channel and BM25,
// with unified's interval.
func Bars(w io.Writer, reports []*self.Report) error {
	const name, row, width = 260, 16, 420
	var b strings.Builder
	y := 10
	for _, t := range self.Truths() {
		titled := false
		for _, r := range reports {
			f := figuresOf(r, t.Name)
			if f == nil || f.Channel() == nil {
				continue
			}
			if !titled {
				y += 24
				fmt.Fprintf(&b, "<text x=\"10\" y=\"%d\" font-weight=\"bold\">%s — MRR: unified, best channel, plain BM25</text>\n", y, html.EscapeString(t.Label))
				titled = true
			}
			y += 8
			fmt.Fprintf(&b, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n", name-8, y+12,
				html.EscapeString(r.Project))
			for i, p := range []*self.Pipeline{f.Pipeline(self.Unified), f.Channel(), f.Pipeline(self.Plain)} {
				v := p.Score.MRR
				fmt.Fprintf(&b, "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n", name, y,
					max(1, v.Mean*width), row-6, []string{"#4b8f8c", "#9cc5c3", "#b9b4a7"}[i])
				if i == 0 {
					fmt.Fprintf(&b, "<path d=\"M%.1f %dH%.1f\" stroke=\"black\"/>\n", name+v.Low*width, y+5,
						name+v.High*width)
				}
				fmt.Fprintf(&b, "<text x=\"%.1f\" y=\"%d\" font-size=\"10\">%.2f</text>\n",
					name+max(v.Mean, v.High*float64(1-min(1, i)))*width+6, y+9, v.Mean)
				y += row - 5
			}
		}
	}
	_, err := fmt.Fprintf(w, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n"+
		"<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n%s</svg>\n", name+width+80, y+20, b.String())
	return err
}

func figuresOf(r *self.Report, truth string) *self.Figures {
	for i := range r.Truths {
		if r.Truths[i].Truth == truth && r.Truths[i].N > 0 {
			return &r.Truths[i]
		}
	}
	return nil
}
