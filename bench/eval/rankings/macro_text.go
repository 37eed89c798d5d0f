package rankings

import (
	"fmt"
	"io"
	"strings"

	"patina/bench/eval"
)

// pairs are the comparisons that are shown beside those with BM25c, if both systems are present.
var pairs = [][2]string{
	{adapted, static},
	{"RRF(BM25c, static)", "RRF(BM25c, TF-IDF)"},
	{"RRF(BM25c, adapted, history)", adapted},
	{"RRF(BM25c, adapted, history)", "RRF(BM25c, adapted)"},
	{"engine", "engine lexical"},
	{"engine lexical", bm25c},
}

// Text writes the report as Markdown: the trees, the macro means with 95% intervals, and each
// repository.
func (r *MacroReport) Text(w io.Writer) error {
	var b strings.Builder
	b.WriteString("| searched | tree | files | chunks | commits before | questions | adapted in |\n|---|---|---|---|---|---|---|\n")
	questions := 0
	for _, x := range r.Repositories {
		questions += len(x.Questions)
		fmt.Fprintf(&b, "| %s | %.10s | %d | %d | %d | %d | %.1f s |\n",
			x.Name, x.Cut, x.Files, x.Chunks, x.History, len(x.Questions), x.Adapted.Seconds())
	}
	for _, x := range r.Repositories {
		if len(x.Partial) > 0 {
			fmt.Fprintf(&b, "\n%s: %d answers lacked a channel, as %s\n", x.Name, len(x.Partial), x.Partial[0])
		}
	}
	fmt.Fprintf(&b, "\n%d questions; every repository counts alike\n\n", questions)
	b.WriteString("| ranking | MRR | Hit@10 | MRR against BM25c | better on |\n|---|---|---|---|---|\n")
	for _, x := range r.Lines {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %d of %d |\n", x.Name, x.MRR.String(), x.Hit.String(),
			x.Against.Signed(), x.Better, len(r.Repositories))
	}
	b.WriteString("\n")
	for _, p := range pairs {
		if e := r.Paired(p[0], p[1]); e != (eval.Estimate{}) {
			fmt.Fprintf(&b, "- %s minus %s: %s MRR\n", p[0], p[1], e.Signed())
		}
	}
	r.each(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// each writes the MRR and Hit@10 of every system on every repository.
func (r *MacroReport) each(b *strings.Builder) {
	b.WriteString("\n| MRR / Hit@10 |")
	for _, x := range r.Repositories {
		fmt.Fprintf(b, " %s |", x.Name)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(r.Repositories)) + "\n")
	for _, line := range r.Lines {
		fmt.Fprintf(b, "| %s |", line.Name)
		mrr, hits := samples(r.Repositories, line.Name, reciprocal), samples(r.Repositories, line.Name, hit)
		for i := range mrr {
			fmt.Fprintf(b, " %.3f / %.3f |", meanOf(mrr[i]), meanOf(hits[i]))
		}
		b.WriteString("\n")
	}
}
