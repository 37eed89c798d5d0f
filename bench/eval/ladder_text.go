package eval

import (
	"fmt"
	"io"
	"strings"
)

// Text writes the ladder as a Markdown table: means with 95% intervals, and the mean paired
// differences.
func (r *LadderReport) Text(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d questions; %d files of code, %d chunks", r.Questions, r.Files, r.Chunks)
	for _, x := range r.Indexes {
		fmt.Fprintf(&b, "; %s generation %d", x.Project, x.Generation)
	}
	b.WriteString("\n\n| step | NDCG@10 | MRR@10 | hit@10 | NDCG@10 against the step before | MRR@10 against the step before |\n|---|---|---|---|---|---|\n")
	for i, x := range r.Rungs {
		fmt.Fprintf(&b, "| %d %s | %s | %s | %s |", i+1, x.Name, x.Score.NDCG.text(), x.Score.MRR.text(), x.Score.Hit.text())
		if i > 0 {
			fmt.Fprintf(&b, " %s | %s |\n", x.Gain.NDCG.signed(), x.Gain.MRR.signed())
		} else {
			b.WriteString(" | |\n")
		}
	}
	b.WriteString("\n")
	for _, x := range r.Rungs[len(computed):] {
		fmt.Fprintf(&b, "- %s, against plain BM25: NDCG@10 %s, MRR@10 %s\n", strings.TrimPrefix(x.Name, "+ "), x.Total.NDCG.signed(), x.Total.MRR.signed())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Ranks writes the expected answer's rank on each rung, a line a question, and the files the last
// rung puts first.
func (r *LadderReport) Ranks(w io.Writer) error {
	var b strings.Builder
	b.WriteString("\n")
	last := r.Rungs[len(r.Rungs)-1].Rows
	for i, row := range last {
		b.WriteString(row.ID + ":")
		for _, x := range r.Rungs {
			fmt.Fprintf(&b, " %d", x.Rows[i].Rank)
		}
		fmt.Fprintf(&b, " -> %s\n", strings.Join(row.Top, ", "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
