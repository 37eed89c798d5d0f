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

// reportMutations prints the share of failing tests that were named, a mutation each.
func reportMutations(w io.Writer, all []outcome) {
	fmt.Fprintln(w, "| tree | mutations | failing tests | named tests | found @5 | @10 | all | a failing one @5 | @10 | all | files found |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
	row := func(name string, part []outcome) {
		var failing, named, files []float64
		found, some := map[int][]float64{}, map[int][]float64{}
		for _, x := range part {
			failing, named = append(failing, float64(len(x.failing))), append(named, float64(len(x.named)))
			for _, n := range []int{5, 10, 0} {
				most := len(x.failing)
				if n > 0 {
					most = min(n, most)
				}
				got := countFound(x.failing, x.named, n)
				found[n] = append(found[n], float64(got)/float64(most))
				some[n] = append(some[n], float64(min(got, 1)))
			}
			files = append(files, float64(countFound(x.failingFiles, x.files, 0))/float64(len(x.failingFiles)))
		}
		fmt.Fprintf(w, "| %s | %d | %.1f | %.1f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |\n", name, len(part),
			mean(failing), mean(named), mean(found[5]), mean(found[10]), mean(found[0]),
			mean(some[5]), mean(some[10]), mean(some[0]), mean(files))
	}
	row("all", all)
	var names []string
	for _, x := range all {
		if !slices.Contains(names, x.tree) {
			names = append(names, x.tree)
			row(x.tree, slices.DeleteFunc(slices.Clone(all), func(y outcome) bool { return y.tree != x.tree }))
		}
	}
}
