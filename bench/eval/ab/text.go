package ab

import (
	"fmt"
	"io"
	"strings"
)

// Text writes a report as tables. Each mean is followed by the most that the arm could reach, each
// difference by its 95% interval.
func (r *Report) Text(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "first %d results, seed %d, 95%% of %d paired bootstrap samples\n", r.K, r.Seed, r.Resamples)
	for _, g := range r.Groups {
		g.text(&b)
	}
	if r.Judge != nil {
		r.Judge.text(&b)
	}
	for _, f := range r.Failed {
		fmt.Fprintf(&b, "no answer to %s by %s: %s\n", f.Task, f.Arm, oneLine(f.Why))
	}
	if len(r.Dropped) > 0 {
		fmt.Fprintf(&b, "left out, since this index holds nothing that they need: %s\n", strings.Join(r.Dropped, ", "))
	}
	if len(r.Missing) > 0 {
		fmt.Fprintf(&b, "not in this index: %s\n", strings.Join(r.Missing, ", "))
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	if r.Record != "" {
		fmt.Fprintf(&b, "record: %s\n", r.Record)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// titles are the titles of the groups.
var titles = map[string]string{
	TaskOriented: "task-oriented", KnowledgeSeeking: "knowledge-seeking",
	allKinds: "all tasks",
}

func (g *Group) text(b *strings.Builder) {
	width := 12
	for _, f := range g.Arms {
		width = max(width, len(f.Arm))
	}
	var of []string
	if g.Knowing > 0 {
		of = append(of, fmt.Sprintf("%.0f%% stand in the knowledge (n=%d)", 100*g.Overlap.Knowledge, g.Knowing))
	}
	if g.Coding > 0 {
		of = append(of, fmt.Sprintf("%.0f%% in the code (n=%d)", 100*g.Overlap.Code, g.Coding))
	}
	fmt.Fprintf(b, "\n%s, n=%d; of a task's words %s\n", titles[g.Kind], g.Tasks, strings.Join(of, ", "))
	fmt.Fprintf(b, "%-*s  knowledge      code           score, 0 to %d  first code  in the text  tokens  files\n",
		width, "", MostScore)
	for _, f := range g.Arms {
		early := "-"
		if g.Coding > 0 {
			early = fmt.Sprintf("%.3f", f.First.Mean)
		}
		fmt.Fprintf(b, "%-*s  %-14s %-14s %-14s %-11s %-12.3f %-7.0f %.1f\n", width, f.Arm,
			outOf(g.Knowing, f.Knowledge.Mean, f.Best.Knowledge), outOf(g.Coding, f.Code.Mean, f.Best.Code),
			outOf(g.Tasks, f.Score.Mean, f.Best.Score),
			early, f.InText.Mean, f.Tokens.Mean, f.Files)
	}
	for _, d := range g.Differences {
		fmt.Fprintf(b, "%s against %s\n", d.Arm, d.Base)
		fmt.Fprintf(b, "  delta %s of the scale, at most %+.3f; in the text %s\n", d.Delta.signed(), d.AtMost,
			d.InText.signed())
		if g.Knowing > 0 {
			fmt.Fprintf(b, "  needed knowledge %s\n", d.Knowledge.signed())
		}
		if g.Coding > 0 {
			fmt.Fprintf(b, "  needed code %s, first %s; pushed out %s, brought in %s\n", d.Code.signed(),
				d.First.signed(), moved(d.PushedOut), moved(d.BroughtIn))
		}
		fmt.Fprintf(b, "  of all files shown %.0f%% are others; tokens %+.0f [%+.0f, %+.0f]\n", 100*d.Replaced.Mean,
			d.Tokens.Mean, d.Tokens.Low, d.Tokens.High)
	}
}

// outOf formats a mean and the most that was possible, over n tasks.
func outOf(n int, mean, most float64) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3f of %.3f", mean, most)
}

func (i Interval) signed() string { return fmt.Sprintf("%+.3f [%+.3f, %+.3f]", i.Mean, i.Low, i.High) }

func (i Interval) text() string { return fmt.Sprintf("%.3f [%.3f, %.3f]", i.Mean, i.Low, i.High) }

// mostMoved is the number of needs, found by one arm only, that are named.
const mostMoved = 5

func moved(list []Moved) string {
	if len(list) == 0 {
		return "0"
	}
	var names []string
	for _, m := range list[:min(len(list), mostMoved)] {
		names = append(names, m.Task+" "+m.Code)
	}
	if n := len(list) - len(names); n > 0 {
		names = append(names, fmt.Sprintf("%d more", n))
	}
	return fmt.Sprintf("%d (%s)", len(list), strings.Join(names, ", "))
}

func (v *Verdict) text(b *strings.Builder) {
	fmt.Fprintf(b, "\njudged by %s: %d of %d pairs, each task in both orders\n", oneLine(v.Command), v.Judged, v.Pairs)
	for _, c := range v.Comparisons {
		most := float64(MostScore * c.Tasks)
		fmt.Fprintf(b, "%s, n=%d: %s %.1f, %s %.1f of %.0f; delta %s of the scale, at most %+.3f\n",
			titles[c.Kind], c.Tasks, c.Base, c.Before, c.Arm, c.Scored, most, c.Delta.signed(), c.AtMost)
		fmt.Fprintf(b, "  better %d, equal %d, worse %d; both orders agree %s, the first one gains %s\n",
			c.Better, c.Equal, c.Worse, c.Agreement.text(), c.Position.signed())
		if c.Same > 0 {
			fmt.Fprintf(b, "  control: %d tasks have two equal answers, %d of them are scored alike\n", c.Same,
				c.SameScores)
		}
	}
	for _, f := range v.Faults {
		fmt.Fprintf(b, "  judge: %s\n", oneLine(f))
	}
}

// oneLine replaces control characters in text from outside by spaces.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return ' '
		}
		return r
	}, s)
}
