package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"patina/bench/eval"
)

// compareRanking asks the set of questions in each tree, from the shared store and from a store of
// its own. Every question must have the same ranking in both, because both are fitted to the main
// working tree (docs/searching.md).
func (t *torture) compareRanking(ctx context.Context, shared string, trees []linkedTree) error {
	if t.questions == "" {
		fmt.Fprintln(t.out, "  no set of questions (-q): ranking was not compared")
		return nil
	}
	same := 0
	for _, x := range trees {
		own := x.dir + "-own"
		alone, err := t.linkedScrape(ctx, x.dir, own)
		if err != nil {
			return err
		}
		moved, err := t.compareViews(ctx, x.dir, shared, own)
		if err != nil {
			return err
		}
		if err := os.RemoveAll(own); err != nil {
			return err
		}
		if len(moved) == 0 {
			same++
		}
		fmt.Fprintf(t.out, "  %s, %d commits back: a store of its own takes %.2f MB, %.2f CPU s%s\n",
			filepath.Base(x.dir), x.back, megabytes(alone.added), alone.cpu.Seconds(), strings.Join(moved, ""))
	}
	fmt.Fprintf(t.out, "  ranks as a view are those of a store of its own in %d of %d trees\n", same, len(trees))
	if same < len(trees) {
		return errors.New("ranking with views differs")
	}
	return nil
}

// compareViews evaluates a working tree from two stores. It returns the systems that rank some
// question differently: all channels together, and each alone.
func (t *torture) compareViews(ctx context.Context, dir, shared, own string) (moved []string, err error) {
	kept := own + ".json"
	alone, _, err := t.evaluate(ctx, dir, own)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(kept, alone, 0o600); err != nil {
		return nil, err
	}
	_, view, err := t.evaluate(ctx, dir, shared, "--compare", kept)
	if err != nil {
		return nil, err
	}
	for _, s := range view.Comparison.Systems {
		if s.MRR.Better+s.MRR.Worse+s.NDCG.Better+s.NDCG.Worse > 0 && !strings.HasPrefix(s.Name, "without ") {
			moved = append(moved, fmt.Sprintf("; %s %+.4f NDCG@10, %+.4f MRR@10", s.Name, s.NDCG.Mean, s.MRR.Mean))
		}
	}
	return moved, nil
}

// evaluate runs "patina eval retrieval" in a working tree. It returns an error if a channel did not
// answer.
func (t *torture) evaluate(ctx context.Context, dir, store string, args ...string) ([]byte, *eval.Report, error) {
	c := t.command(ctx, store, append([]string{"eval", "retrieval", "--json", "-q", t.questions}, args...)...)
	c.Dir = dir
	out, err := c.Output()
	if err != nil {
		return nil, nil, fmt.Errorf("evaluate: %w", err)
	}
	var r eval.Report
	if err := json.Unmarshal(out, &r); err != nil {
		return nil, nil, fmt.Errorf("evaluate: %w", err)
	}
	if slices.ContainsFunc(r.Systems, func(s eval.System) bool { return s.Partial > 0 }) {
		return nil, nil, fmt.Errorf("evaluate: not all channels answered: %.300s", out)
	}
	return out, &r, nil
}
