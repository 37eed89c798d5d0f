package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
)

// reportChanges prints a table: all changes, then each language and each repository.
func reportChanges(w io.Writer, all []measured) {
	fmt.Fprintln(w, "| changes | n | impact | co-change alone | callers alone |\n|---|--:|--:|--:|--:|")
	row := func(name string, part []measured) {
		fmt.Fprintf(w, "| %s | %d |", name, len(part))
		for _, by := range []string{byImpact, byTogether, byCallers} {
			recalls := recallsOf(part, by)
			low, high := interval(recalls)
			fmt.Fprintf(w, " %.3f [%.2f, %.2f] |", mean(recalls), low, high)
		}
		fmt.Fprintln(w)
	}
	row("all", all)
	for _, key := range []func(measured) string{
		func(m measured) string { return m.Language }, func(m measured) string { return m.Repository },
	} {
		var names []string
		for _, m := range all {
			if !slices.Contains(names, key(m)) {
				names = append(names, key(m))
			}
		}
		for _, name := range names {
			row(name, slices.DeleteFunc(slices.Clone(all), func(m measured) bool { return key(m) != name }))
		}
	}
}

// recallsOf returns the share of the other files among the first ones of a ranking, a change each.
func recallsOf(all []measured, by string) (out []float64) {
	for _, m := range all {
		first := m.Rankings[by]
		first = first[:min(len(first), shown)]
		found := 0
		for _, path := range m.Others {
			if slices.Contains(first, path) {
				found++
			}
		}
		out = append(out, float64(found)/float64(len(m.Others)))
	}
	return out
}

func mean(xs []float64) (sum float64) {
	for _, x := range xs {
		sum += x
	}
	return sum / float64(max(1, len(xs)))
}

// draws is the number of resamplings behind an interval.
const draws = 2000

// interval returns the 95% interval of a mean, by resampling with a fixed seed.
func interval(xs []float64) (low, high float64) {
	if len(xs) == 0 {
		return 0, 0
	}
	r := rand.New(rand.NewPCG(1, 1))
	means := make([]float64, draws)
	for i := range means {
		for range xs {
			means[i] += xs[r.IntN(len(xs))] / float64(len(xs))
		}
	}
	slices.Sort(means)
	return means[draws*25/1000], means[draws*975/1000]
}
