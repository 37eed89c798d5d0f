package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"patina/store/vector"
)

const (
	// rescored is the number of best rows by bytes that are compared with the exact question: as
	// many documents as the store requests.
	rescored = 2 * enough
	asked    = 2 * rescored // rows that the store requests from a graph
)

// exactScan measures the scan of all rows as bytes for the ten best, and its recall before and
// after rescoring.
func (b *bench) exactScan(x *flat, f *vector.File) {
	b.say("exact scan of %d rows", x.rows)
	rows, dots := f.Slice(0, x.rows), make([]int32, x.rows)
	scan := func(q []float32, n int) []int64 {
		vector.Dots(dots, rows, rounded(q))
		return greatest(dots, n)
	}
	var took [][]time.Duration
	for range b.times.rounds {
		took = append(took, x.asked(func(q []float32) { scan(q, nearest) }))
	}
	b.report.add(latencies("exact scan of all rows, ten best", took, warmPercentiles[:2])...)
	b.report.add(
		figure{"— recall@10 against exact floats", "", []float64{x.recall(func(q []float32) []int64 {
			return scan(q, nearest)
		})}},
		figure{fmt.Sprintf("— recall@10, best %d rescored with the question in float", rescored), "", []float64{
			x.recall(func(q []float32) []int64 { return rescore(f, q, scan(q, rescored)) }),
		}},
	)
}

// graphFigures builds a graph of the same rows. It measures searches for ten rows, and for as many
// as the store requests.
func (b *bench) graphFigures(ctx context.Context, x *flat, f *vector.File) error {
	b.say("graph of %d rows", x.rows)
	path := filepath.Join(b.work, "flat.hnsw")
	var built usage
	before, most := residentOwn(), int64(0)
	began, cpu := time.Now(), processorTime()
	err := vector.BuildIndex(ctx, f, x.rows, path, func(int64) { most = max(most, residentOwn()) })
	if err != nil {
		return err
	}
	built.wall, built.cpu = time.Since(began), processorTime()-cpu
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	began = time.Now()
	graph, err := vector.OpenIndex(path, f)
	if err != nil {
		return err
	}
	defer func() { _ = graph.Close() }()
	b.report.add(
		figure{"graph (HNSW) of the same rows, built", "s", []float64{built.wall.Seconds()}},
		figure{"— CPU time", "s", []float64{built.cpu.Seconds()}},
		figure{"— on the disk", "MB", []float64{float64(info.Size()) / megabyte}},
		figure{"— reading and checking it", "ms", []float64{millis(time.Since(began))}},
	)
	if most > before {
		b.report.add(figure{"— memory while it is built", "MB", []float64{float64(most-before) / megabyte}})
	}
	for _, k := range []int{nearest, asked} {
		search := func(q []float32) []int64 {
			rows, _, failed := graph.Search(rounded(q), k)
			err = errors.Join(err, failed)
			return rows[:min(len(rows), nearest)]
		}
		var took [][]time.Duration
		for range b.times.rounds {
			took = append(took, x.asked(func(q []float32) { search(q) }))
		}
		b.report.add(latencies(fmt.Sprintf("— search for %d rows", k), took, warmPercentiles[:2])...)
		b.report.add(figure{fmt.Sprintf("— search for %d rows, recall@10", k), "", []float64{x.recall(search)}})
	}
	return err
}

// asked asks every question once and returns the times.
func (x *flat) asked(ask func(q []float32)) []time.Duration {
	took := make([]time.Duration, len(x.questions))
	for i, q := range x.questions {
		began := time.Now()
		ask(q)
		took[i] = time.Since(began)
	}
	return took
}

// recall returns the share of the ten nearest rows by exact floats that search finds. Rows that are
// tied with the tenth count, too. Questions without a known word do not count, because they have no
// neighbours.
func (x *flat) recall(search func(q []float32) []int64) float64 {
	right, wanted := 0, 0
	for i, q := range x.questions {
		best := x.best[i]
		if len(best) == 0 || best[0].cosine <= 0 {
			continue
		}
		n := min(nearest, len(best))
		wanted += n
		for _, row := range search(q)[:n] {
			if slices.ContainsFunc(best, func(b near) bool {
				return b.row == row && b.cosine > best[n-1].cosine-ties
			}) {
				right++
			}
		}
	}
	return float64(right) / float64(max(wanted, 1))
}

// rounded returns a question in the form that the scan needs.
func rounded(q []float32) []int8 {
	out := make([]int8, len(q))
	vector.Quantise(out, q)
	return out
}

// greatest returns the n rows with the greatest products, best first. Of equal rows, the first
// wins.
func greatest(dots []int32, n int) []int64 {
	best := make([]int64, 0, n+1)
	for i, d := range dots {
		if len(best) == n && d <= dots[best[n-1]] {
			continue
		}
		at := len(best)
		for at > 0 && dots[best[at-1]] < d {
			at--
		}
		best = slices.Insert(best, at, int64(i))[:min(len(best)+1, n)]
	}
	return best
}

// rescore returns the ten of the given rows that are nearest to the exact question.
func rescore(f *vector.File, q []float32, rows []int64) []int64 {
	row := make([]float32, len(q))
	score := func(at int64) float32 {
		for i, x := range f.Slice(at, 1) {
			row[i] = float32(x)
		}
		return cosine(q, row)
	}
	var best []near
	for _, at := range rows {
		best = keep(best, near{at, score(at)})
	}
	out := make([]int64, 0, nearest)
	for _, n := range best[:min(nearest, len(best))] {
		out = append(out, n.row)
	}
	return out
}
