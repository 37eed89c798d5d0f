package eval

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

const (
	missedShown = 10 // questions named in the text; the JSON has all
	queryShown  = 60 // runes per question
)

// Text writes the report as compact tables. Intervals are 95%, and every row has its n.
func (r *Report) Text(w io.Writer) error {
	var out strings.Builder
	r.heading(&out)
	if r.Real.N > 0 {
		r.systems(&out)
		r.groups(&out)
	}
	r.relevance(&out)
	_ = r.Calibration.Text(&out)
	_ = r.Scores.Text(&out)
	r.comparison(&out)
	r.missed(&out)
	_, err := io.WriteString(w, out.String())
	return err
}

func (r *Report) heading(w io.Writer) {
	fmt.Fprintf(w, "%d questions: %d with an answer, %d absurd", len(r.Questions), r.Real.N, r.Absurd.N)
	for _, x := range r.Indexes {
		fmt.Fprintf(w, "; %s generation %d", x.Project, x.Generation)
	}
	fmt.Fprintln(w)
	if len(r.Unavailable) > 0 {
		fmt.Fprintf(w, "nothing to search: %s; alone, it finds no more than exact names\n",
			strings.Join(r.Unavailable, ", "))
	}
	for _, s := range r.Systems {
		if s.Partial > 0 {
			fmt.Fprintf(w, "%s: %d answers lacked a channel; its figures are not of the ranking alone\n", s.Name,
				s.Partial)
		}
	}
}

func (r *Report) systems(w io.Writer) {
	t := table(w, "system\tn\tMRR@10\thit@10\tNDCG@10\n")
	for _, s := range r.Systems {
		scoreRow(t, s.Name, s.Overall)
	}
	_ = t.Flush() // a strings.Builder does not fail
}

// groups prints the fused system's figures for each kind and category. A single group with all
// questions is left out.
func (r *Report) groups(w io.Writer) {
	s := r.Systems[0]
	for _, g := range []struct {
		title  string
		scores []Score
	}{{"kind", s.Kinds}, {"category", s.Categories}} {
		if len(g.scores) == 0 || len(g.scores) == 1 && g.scores[0].N == s.Overall.N {
			continue
		}
		t := table(w, s.Name+" by "+g.title+"\tn\tMRR@10\thit@10\tNDCG@10\n")
		for _, x := range g.scores {
			scoreRow(t, x.Group, x)
		}
		_ = t.Flush()
	}
}

func (r *Report) relevance(w io.Writer) {
	t := table(w, "relevance\tn\trefused\tweak\tanswered\n")
	for _, x := range []struct {
		name string
		Refusals
	}{{"with an answer", r.Real}, {"absurd", r.Absurd}} {
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%s\n", x.name, x.N, part(x.Refused, x.N), part(x.Weak, x.N),
			part(x.Answered, x.N))
	}
	_ = t.Flush()
}

func (r *Report) comparison(w io.Writer) {
	c := r.Comparison
	if c == nil {
		return
	}
	fmt.Fprintf(w, "\nnew minus old on %d shared questions (%d changed, %d added, %d removed; +better -worse)\n",
		c.Shared, c.Changed, c.Added, c.Removed)
	if c.Unlike {
		fmt.Fprintln(w, "the old report was asked with another filter or limit: the differences are of that, too")
	}
	t := table(w, "system\tn\tMRR@10\thit@10\tNDCG@10\n")
	for _, s := range c.Systems {
		fmt.Fprintf(t, "%s\t%d", s.Name, s.N)
		for _, d := range []Difference{s.MRR, s.Hit, s.NDCG} {
			fmt.Fprint(t, "\t"+d.signed())
		}
		fmt.Fprintln(t)
	}
	_ = t.Flush()
}

// missed prints the questions without a right answer in the fused system's first ten places.
func (r *Report) missed(w io.Writer) {
	query := map[string]string{}
	for _, q := range realOnes(r.Questions) {
		query[q.ID] = q.Query
	}
	var lines []string
	for _, row := range r.Systems[0].Rows {
		q, real := query[row.ID]
		if !real || row.Hit() == 1 {
			continue
		}
		lines = append(lines, fmt.Sprintf("  %s: %s -> %s\n", row.ID, cut(q), strings.Join(row.Top, ", ")))
	}
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(w, "\nnot in the first ten: %d of %d\n", len(lines), r.Real.N)
	io.WriteString(w, strings.Join(lines[:min(missedShown, len(lines))], ""))
	if n := len(lines) - missedShown; n > 0 {
		fmt.Fprintf(w, "  and %d more\n", n)
	}
}

// table begins a table after an empty line. The caller must flush it.
func table(w io.Writer, heading string) *tabwriter.Writer {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w)
	fmt.Fprint(t, heading)
	return t
}

func scoreRow(w io.Writer, name string, s Score) {
	fmt.Fprintf(w, "%s\t%d", name, s.N)
	for _, e := range []Estimate{s.MRR, s.Hit, s.NDCG} {
		fmt.Fprint(w, "\t"+e.String())
	}
	fmt.Fprintln(w)
}

// part formats a count with its share.
func part(n, all int) string {
	if all == 0 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d (%d%%)", n, (100*n+all/2)/all)
}

func cut(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > queryShown {
		return string(r[:queryShown-1]) + "…"
	}
	return s
}
