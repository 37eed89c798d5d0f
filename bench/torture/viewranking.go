package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"patina/bench/eval"
)

// tolerance is by how much the mean of a tree's questions may differ from that of a store of its own.
const tolerance = 0.005

// compareRanking asks the set of questions of each tree, in the shared store and in one of its own, and fails if the means of any tree
// differ by more than the tolerance: in a set of twenty questions one place more or less is 0.006 to 0.025.
func (t *torture) compareRanking(ctx context.Context, shared string, trees []linkedTree) error {
	if t.questions == "" {
		fmt.Println("  no set of questions (-q): ranking was not compared")
		return nil
	}
	var all differences
	for i, x := range trees {
		own := filepath.Join(t.work, fmt.Sprintf("own%d", i))
		alone, err := t.linkedScrape(ctx, x.dir, own)
		if err != nil {
			return err
		}
		views, err := t.evaluate(ctx, x.dir, shared)
		if err != nil {
			return err
		}
		owns, err := t.evaluate(ctx, x.dir, own)
		if err != nil {
			return err
		}
		if err := os.RemoveAll(own); err != nil {
			return err
		}
		for k, v := range views {
			all.add(v, owns[k])
		}
		v, o := views[0].Overall, owns[0].Overall
		fmt.Printf("  %s, %d commits back: NDCG@10 %.4f, MRR@10 %.4f as a view; %.4f, %.4f in a store of its own of %.2f MB, %.2f CPU s%s\n", filepath.Base(x.dir), x.back,
			v.NDCG.Mean, v.MRR.Mean, o.NDCG.Mean, o.MRR.Mean, megabytes(alone.added), alone.cpu.Seconds(), placedOtherwise(views[0], owns[0]))
	}
	return all.tell()
}

// evaluate asks the set of questions in a working tree: of all channels first, then of each alone.
func (t *torture) evaluate(ctx context.Context, dir, store string) ([]eval.System, error) {
	c := t.command(ctx, store, "eval", "retrieval", "--json", "-q", t.questions)
	c.Dir = dir
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("evaluate: %w", err)
	}
	var r eval.Report
	if err := json.Unmarshal(out, &r); err != nil {
		return nil, fmt.Errorf("evaluate: %w", err)
	}
	kept := slices.DeleteFunc(r.Systems, func(s eval.System) bool { return s.Name != "fused" && !strings.HasPrefix(s.Name, "only ") })
	if len(kept) == 0 || kept[0].Name != "fused" || kept[0].Partial > 0 {
		return nil, fmt.Errorf("evaluate: not all channels answered: %.300s", out)
	}
	return kept, nil
}

// placedOtherwise names the questions whose expected answer has another place in a store of its own.
func placedOtherwise(view, own eval.System) string {
	var out strings.Builder
	for i, row := range view.Rows {
		if row.Rank != own.Rows[i].Rank {
			fmt.Fprintf(&out, "; %s %d, %d", row.ID, row.Rank, own.Rows[i].Rank)
		}
	}
	return out.String()
}

// differences gathers by how much questions stand higher as a view than in a store of its own, system by system, fused first.
type differences []*difference

// A difference is of one system. NDCG and reciprocal ranks are added up by question: the trees are asked the same ones.
type difference struct {
	system    string
	ndcg, mrr []float64
	trees     int
	most      float64 // of a mean of one tree
	within    int     // trees whose means both differ by no more than the tolerance
}

func (ds *differences) add(view, own eval.System) {
	i := slices.IndexFunc(*ds, func(d *difference) bool { return d.system == view.Name })
	if i < 0 {
		i = len(*ds)
		*ds = append(*ds, &difference{system: view.Name, ndcg: make([]float64, len(view.Rows)), mrr: make([]float64, len(view.Rows))})
	}
	d := (*ds)[i]
	for q, row := range view.Rows {
		d.ndcg[q] += row.NDCG - own.Rows[q].NDCG
		d.mrr[q] += row.RR() - own.Rows[q].RR()
	}
	d.trees++
	v, o := view.Overall, own.Overall
	apart := max(math.Abs(v.NDCG.Mean-o.NDCG.Mean), math.Abs(v.MRR.Mean-o.MRR.Mean))
	d.most = max(d.most, apart)
	if apart <= tolerance {
		d.within++
	}
}

// tell prints the means over trees and questions, with the interval over the questions.
func (ds differences) tell() error {
	for _, d := range ds {
		ndcg, mrr := d.mean(d.ndcg), d.mean(d.mrr)
		fmt.Printf("  %s, as a view less in a store of its own: NDCG@10 %+.4f [%+.4f, %+.4f], MRR@10 %+.4f [%+.4f, %+.4f]; of one tree at most %.4f, in %d of %d within %g\n",
			d.system, ndcg.Mean, ndcg.Low, ndcg.High, mrr.Mean, mrr.Low, mrr.High, d.most, d.within, d.trees, tolerance)
	}
	if ds[0].most > tolerance {
		return fmt.Errorf("ranking with views differs by more than %g", tolerance)
	}
	return nil
}

// mean is over the trees and questions, from sums over the trees.
func (d *difference) mean(sums []float64) eval.Estimate {
	means := make([]float64, len(sums))
	for i, x := range sums {
		means[i] = x / float64(d.trees)
	}
	return eval.EstimateOf(means)
}
