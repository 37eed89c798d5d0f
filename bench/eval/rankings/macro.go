package rankings

import "patina/bench/eval"

// A MacroReport has the figures over several repositories. Each repository has equal weight,
// however many questions it has.
type MacroReport struct {
	Repositories []*Repository `json:"repositories"`
	Lines        []MacroLine   `json:"lines"` // in the systems' order
}

// A MacroLine is one system over all repositories.
type MacroLine struct {
	Name string        `json:"name"`
	MRR  eval.Estimate `json:"mrr"`
	// Hit is the share of questions with a right file among the first ten.
	Hit eval.Estimate `json:"hit"`
	// Against is its MRR minus that of BM25c, question by question.
	Against eval.Estimate `json:"against"`
	// Better is the number of repositories on which its MRR is above that of BM25c.
	Better int `json:"better"`
}

// NewMacroReport computes the figures over repositories, which must all have the same systems.
func NewMacroReport(rs []*Repository) *MacroReport {
	report := &MacroReport{Repositories: rs}
	if len(rs) == 0 {
		return report
	}
	base := samples(rs, bm25c, reciprocal)
	for _, s := range rs[0].Systems {
		mrr := samples(rs, s.Name, reciprocal)
		line := MacroLine{Name: s.Name, MRR: eval.EstimateOf(mrr...), Hit: eval.EstimateOf(samples(rs, s.Name, hit)...)}
		line.Against = eval.EstimateOf(minus(mrr, base)...)
		for i := range rs {
			if meanOf(mrr[i]) > meanOf(base[i]) {
				line.Better++
			}
		}
		report.Lines = append(report.Lines, line)
	}
	return report
}

// Paired returns the mean difference in MRR, system a minus system b. It is zero if a system is
// missing.
func (r *MacroReport) Paired(a, b string) eval.Estimate {
	return eval.EstimateOf(minus(samples(r.Repositories, a, reciprocal), samples(r.Repositories, b, reciprocal))...)
}

func reciprocal(rank int) float64 {
	if rank == 0 {
		return 0
	}
	return 1 / float64(rank)
}

func hit(rank int) float64 { return eval.Row{Rank: rank}.Hit() }

// samples returns a system's value for each question, by repository.
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

// meanOf returns the mean of a list, and 0 for an empty one.
func meanOf(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(max(1, len(xs)))
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
