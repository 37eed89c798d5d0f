package locate

import (
	"math/rand/v2"
	"slices"
)

// A Report is what was measured on a number of repositories. Each counts alike, however many questions it gave.
type Report struct {
	Repositories []*Repository `json:"repositories"`
	Lines        []Line        `json:"lines"` // in the order of the systems
}

// A Line is one system over all repositories.
type Line struct {
	Name    string   `json:"name"`
	MRR     Estimate `json:"mrr"`
	Hit     Estimate `json:"hit"`     // the share of questions with a right file among the first ten
	Against Estimate `json:"against"` // its MRR minus that of BM25c, question by question
	Better  int      `json:"better"`  // repositories on which its MRR is above that of BM25c
}

// An Estimate is a macro mean with its 95% bootstrap interval: questions are drawn again inside each repository.
type Estimate struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

const (
	resamples = 1000
	lowest    = 25  // of the sorted means, from 0: 2.5%
	highest   = 974 // 97.5%
	seed      = 1
	hitDepth  = 10
)

// NewReport computes the figures of repositories that have the same systems.
func NewReport(rs []*Repository) *Report {
	report := &Report{Repositories: rs}
	if len(rs) == 0 {
		return report
	}
	base := samples(rs, bm25c, reciprocal)
	for _, s := range rs[0].Systems {
		mrr := samples(rs, s.Name, reciprocal)
		line := Line{Name: s.Name, MRR: estimate(mrr), Hit: estimate(samples(rs, s.Name, hit))}
		line.Against = estimate(minus(mrr, base))
		for i := range rs {
			if mean(mrr[i]) > mean(base[i]) {
				line.Better++
			}
		}
		report.Lines = append(report.Lines, line)
	}
	return report
}

// Paired is the mean of the differences in MRR of system a over system b. It is zero where one of them is missing.
func (r *Report) Paired(a, b string) Estimate {
	return estimate(minus(samples(r.Repositories, a, reciprocal), samples(r.Repositories, b, reciprocal)))
}

func reciprocal(rank int) float64 {
	if rank == 0 {
		return 0
	}
	return 1 / float64(rank)
}

func hit(rank int) float64 {
	if rank == 0 || rank > hitDepth {
		return 0
	}
	return 1
}

// samples are the values of a system's questions, by repository.
func samples(rs []*Repository, name string, value func(rank int) float64) [][]float64 {
	var all [][]float64
	for _, r := range rs {
		var xs []float64
		for _, s := range r.Systems {
			if s.Name == name {
				for _, n := range s.Ranks {
					xs = append(xs, value(n))
				}
			}
		}
		all = append(all, xs)
	}
	return all
}

func minus(a, b [][]float64) [][]float64 {
	out := make([][]float64, len(a))
	for i := range a {
		for k := range min(len(a[i]), len(b[i])) {
			out[i] = append(out[i], a[i][k]-b[i][k])
		}
	}
	return out
}

// estimate begins at the same seed at every call, so that an interval does not depend on what was estimated before.
func estimate(groups [][]float64) Estimate {
	groups = slices.DeleteFunc(slices.Clone(groups), func(xs []float64) bool { return len(xs) == 0 })
	if len(groups) == 0 {
		return Estimate{}
	}
	draw := rand.New(rand.NewPCG(seed, seed))
	var means [resamples]float64
	for i := range means {
		for _, xs := range groups {
			sum := 0.0
			for range xs {
				sum += xs[draw.IntN(len(xs))]
			}
			means[i] += sum / float64(len(xs)) / float64(len(groups))
		}
	}
	slices.Sort(means[:])
	e := Estimate{Low: means[lowest], High: means[highest]}
	for _, xs := range groups {
		e.Mean += mean(xs) / float64(len(groups))
	}
	return e
}

func mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(max(1, len(xs)))
}
