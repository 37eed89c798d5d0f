package self

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"patina/bench/eval"
)

// Text prints the report: a block for each pipeline, then unified compared with each other one,
// then the summary.
func (r *Report) Text(w io.Writer) error {
	var b strings.Builder
	var asked []*Figures
	for i := range r.Truths {
		if f := &r.Truths[i]; f.N > 0 {
			asked = append(asked, f)
		}
	}
	names := pipelines(asked)
	for _, name := range names {
		r.block(&b, name, asked)
	}
	if len(asked) > 0 {
		beside(&b, names, asked)
		summary(&b, asked)
		b.WriteString("\n━━━ Score distribution (unified) ━━━\n")
		_ = r.Scores.Text(&b) // a Builder does not fail
	}
	r.notes(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// pipelines returns the names of all pipelines, each once, in printing order.
func pipelines(asked []*Figures) (names []string) {
	rank := func(n string) int {
		switch {
		case n == Unified:
			return 0
		case strings.HasPrefix(n, "only "):
			return 1
		case strings.HasPrefix(n, "without "):
			return 2
		}
		return 3
	}
	for _, f := range asked {
		for _, p := range f.Pipelines {
			if !slices.Contains(names, p.Name) {
				names = append(names, p.Name)
			}
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return rank(a) - rank(b) })
	return names
}

// title returns the heading of a pipeline's block.
func title(name string, asked []*Figures) string {
	switch {
	case name == Unified:
		oracles := map[string]bool{}
		for _, f := range asked {
			for _, o := range f.Searched {
				oracles[o] = true
			}
		}
		return fmt.Sprintf("Unified pipeline (%d oracles + fusion)", len(oracles))
	case name == Plain:
		return "Baseline: plain BM25"
	case name == FileLinks:
		return "Beside it: scry --file (counted, not ranked)"
	}
	if o, ok := strings.CutPrefix(name, "only "); ok {
		return "Ablation: " + o + " only"
	}
	return "Ablation: " + name
}

func (r *Report) block(b *strings.Builder, name string, asked []*Figures) {
	fmt.Fprintf(b, "━━━ %s ━━━\n", title(name, asked))
	for _, f := range asked {
		if p := f.Pipeline(name); p != nil {
			s := p.Score
			fmt.Fprintf(b, "  %-21s P@5=%-5s P@10=%-5s (n=%d)  MRR=%.2f  NDCG=%.2f  recall=%s  all kinds: MRR=%.2f\n",
				f.Label+":", percent(s.P5.Mean), percent(s.P10.Mean), f.N, s.MRR.Mean, s.NDCG.Mean,
				percent(s.Recall.Mean), s.List.Mean)
		}
	}
	b.WriteByte('\n')
}

// beside prints the mean differences in reciprocal rank.
func beside(b *strings.Builder, names []string, asked []*Figures) {
	b.WriteString("━━━ Unified minus the others: MRR, paired, 95% ━━━\n")
	w := tabwriter.NewWriter(b, 0, 8, 2, ' ', 0)
	fmt.Fprint(w, "Pipeline")
	for _, f := range asked {
		fmt.Fprintf(w, "\t%s", f.Truth)
	}
	fmt.Fprintln(w)
	for _, name := range names[1:] {
		fmt.Fprint(w, name)
		for _, f := range asked {
			cell := "–"
			if p := f.Pipeline(name); p != nil && p.Behind != nil {
				cell = signed(p.Behind.MRR)
			}
			fmt.Fprintf(w, "\t%s", cell)
		}
		fmt.Fprintln(w)
	}
	_ = w.Flush() // a Builder does not fail
	b.WriteByte('\n')
}

// summary prints each truth's unified pipeline with its best channel, the baseline, chance and the
// attainable score.
func summary(b *strings.Builder, asked []*Figures) {
	b.WriteString("━━━ Summary ━━━\n")
	fmt.Fprintf(b, "%-27s %-7s %-7s %s\n", "Pipeline", "P@5", "P@10", "vs random")
	for _, f := range asked {
		line := func(name string, s Score) {
			fmt.Fprintf(b, "%-27s %-7s %-7s %s\n", name+" ("+f.Truth+")", percent(s.P5.Mean), percent(s.P10.Mean),
				times(s.P10.Mean, f.Random.P10.Mean))
		}
		shown := []string{Unified, Plain}
		if c := f.Channel(); c != nil {
			shown = []string{Unified, c.Name, Plain}
		}
		for _, name := range append(shown, FileLinks) {
			if p := f.Pipeline(name); p != nil {
				line(name, p.Score)
			}
		}
		line("random", f.Random)
		line("at best", f.Best)
	}
}

// notes prints the questions that were left out, the truths that could not be asked, and the
// changes.
func (r *Report) notes(b *strings.Builder) {
	for _, f := range r.Truths {
		if f.N == 0 {
			why := f.Why
			if why == "" {
				why = "interrupted"
			}
			fmt.Fprintf(b, "not asked: %s: %s\n", f.Label, why)
		}
		for _, why := range slices.Sorted(maps.Keys(f.LeftOut)) {
			fmt.Fprintf(b, "left out of %s: %d: %s\n", f.Label, f.LeftOut[why], why)
		}
	}
	if r.Partial {
		b.WriteString("interrupted: fewer questions than the sample; every pipeline has answered the same ones\n")
	}
	if len(r.Comparison) > 0 {
		b.WriteString("\n━━━ Since the earlier report: new minus old on the same questions, 95% ━━━\n")
		w := tabwriter.NewWriter(b, 0, 8, 2, ' ', 0)
		fmt.Fprintln(w, "Pipeline\tn\tP@10\tMRR")
		for _, c := range r.Comparison {
			fmt.Fprintf(w, "%s (%s)\t%d\t%s\t%s\n", c.Pipeline, c.Truth, c.N, signed(c.Score.P10), signed(c.Score.MRR))
		}
		_ = w.Flush()
	} else if r.Comparison != nil {
		b.WriteString("the earlier report shares no question with this one\n")
	}
}

func signed(e eval.Estimate) string {
	return fmt.Sprintf("%+.3f [%+.3f, %+.3f]", e.Mean, e.Low, e.High)
}

// percent formats a share. Small ones get a further digit.
func percent(x float64) string {
	if x > 0 && x < 0.0995 {
		return fmt.Sprintf("%.1f%%", 100*x)
	}
	return fmt.Sprintf("%.0f%%", 100*x)
}

func times(x, random float64) string {
	if random == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1fx", x/random)
}
