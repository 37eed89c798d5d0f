package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
)

// tolerance is by how much a mean may differ from that of a store of its own.
const tolerance = 0.005

// compareRanking asks the set of questions of some trees, in the shared store and in one of their own.
func (t *torture) compareRanking(ctx context.Context, shared string, trees []linkedTree) error {
	if t.questions == "" {
		fmt.Println("  no set of questions (-q): ranking was not compared")
		return nil
	}
	worst := 0.0
	for i, x := range trees {
		own := filepath.Join(t.work, fmt.Sprintf("own%d", i))
		alone, err := t.linkedScrape(ctx, x.dir, own)
		if err != nil {
			return err
		}
		views, err := t.scores(ctx, x.dir, shared)
		if err != nil {
			return err
		}
		owns, err := t.scores(ctx, x.dir, own)
		if err != nil {
			return err
		}
		fmt.Printf("  %s, in a store of its own: %.2f MB, %.2f CPU s\n", filepath.Base(x.dir), megabytes(alone.added), alone.cpu.Seconds())
		for k, v := range views {
			o := owns[k]
			fmt.Printf("    %s: NDCG@10 %.4f, MRR@10 %.4f as a view; %.4f, %.4f in its own%s\n", v.Name, v.Overall.NDCG.Mean, v.Overall.MRR.Mean,
				o.Overall.NDCG.Mean, o.Overall.MRR.Mean, v.placedOtherwise(o))
			if v.Name == fused {
				worst = max(worst, math.Abs(v.Overall.NDCG.Mean-o.Overall.NDCG.Mean), math.Abs(v.Overall.MRR.Mean-o.Overall.MRR.Mean))
			}
		}
	}
	fmt.Printf("  greatest difference of a mean of all channels: %.4f\n", worst)
	if worst > tolerance {
		return fmt.Errorf("ranking with views differs by more than %g", tolerance)
	}
	return nil
}

// fused is how the report names all channels together.
const fused = "fused"

// A score is how one system did on a set of questions: a part of what patina eval retrieval --json prints.
type score struct {
	Name    string
	Partial int
	Overall struct{ MRR, NDCG struct{ Mean float64 } }
	Rows    []struct {
		ID   string
		Rank int
	}
}

// placedOtherwise names the questions whose expected answer has another place in o.
func (s score) placedOtherwise(o score) string {
	var out strings.Builder
	for i, row := range s.Rows {
		if i < len(o.Rows) && row.Rank != o.Rows[i].Rank {
			fmt.Fprintf(&out, "; %s %d, %d", row.ID, row.Rank, o.Rows[i].Rank)
		}
	}
	return out.String()
}

// scores evaluates the set of questions in a working tree: by all channels first, then by each alone.
func (t *torture) scores(ctx context.Context, dir, store string) ([]score, error) {
	c := t.command(ctx, store, "eval", "retrieval", "--json", "-q", t.questions)
	c.Dir = dir
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("evaluate: %w", err)
	}
	var r struct{ Systems []score }
	if err := json.Unmarshal(out, &r); err != nil {
		return nil, fmt.Errorf("evaluate: %w", err)
	}
	kept := slices.DeleteFunc(r.Systems, func(s score) bool { return s.Name != fused && !strings.HasPrefix(s.Name, "only ") })
	if len(kept) == 0 || kept[0].Name != fused || kept[0].Partial > 0 {
		return nil, fmt.Errorf("evaluate: not all channels answered: %.300s", out)
	}
	return kept, nil
}
