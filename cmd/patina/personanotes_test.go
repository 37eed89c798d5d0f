package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"patina/memory/persona"
	"patina/registry"
)

// Notes that a user may make in other projects: habits, and the languages that they are about.
var (
	habits = []string{
		"I prefer tabs to spaces in %s, since everybody sets the width they like",
		"Name the test after the behaviour in %s, not after the function",
		"Never catch an exception in %s without logging the cause",
		"In %s I write the error first and the happy path last",
		"Run the formatter for %s in a commit hook, so that no review is about spaces",
		"A class in %s with one method is a function",
		"Do not mock the database in %s: start a real one in a container",
		"Pin every dependency in %s to an exact version and update on Mondays",
		"I keep lines in %s under 100 columns",
		"Reviews of %s begin with the tests",
		"Feature flags in %s are removed in the sprint after the release",
		"Use structured logging in %s with a request id in each line",
		"A pull request in %s has at most 400 lines",
		"Comments in %s say why and never what",
		"In %s prefer composition to inheritance because hierarchies grow old",
		"Generate the API client for %s from the schema, do not write it by hand",
		"Secrets for %s services come from the vault, never from the environment",
		"Benchmarks of %s run on a quiet machine with ten repetitions",
		"Deploy %s services on weekdays before noon only",
		"I decided against an ORM in %s: plain queries are easier to read",
	}
	languages = []string{
		"Rust", "Python", "TypeScript", "Java", "Kotlin", "Ruby", "Elixir", "Haskell", "Swift",
		"Scala",
	}
)

// A place is a result, as a test reads it.
type place struct {
	DocID string `json:"doc_id"`
	Kind  string `json:"kind"`
	Path  string `json:"path"`
}

func (g *goldens) places(q goldenQuestion) (all []place) {
	g.t.Helper()
	var out, errs strings.Builder
	run(append([]string{"scry", "--json=full", "-n", "12", "--"}, q.Query), strings.NewReader(""), &out, &errs)
	var a struct {
		Results []place `json:"results"`
	}
	check(g.t, json.Unmarshal([]byte(out.String()), &a))
	return a.Results
}

// With two hundred notes about other things, no question may show more than one of them or have one
// among the first five. Absurd questions show no note. The expected documents keep their places
// within 0.005 of the mean reciprocal rank.
func TestNotesLeaveTheCode(t *testing.T) {
	if testing.Short() {
		t.Skip("a hundred answers")
	}
	g := layGoldens(t)
	g.run("scrape", "--no-adapt")
	var before [][]place
	for _, q := range g.questions {
		before = append(before, g.places(q))
	}
	home, err := registry.Home()
	check(t, err)
	for i, l := range languages {
		for j, h := range habits {
			e := persona.Event{
				Content: fmt.Sprintf(h, l), Source: "direct", Domains: []string{strings.ToLower(l)},
				Time: time.Date(2025, 1, 1+i, 12, j, 0, 0, time.UTC),
			}
			_, err := persona.LogIn(home).Append(t.Context(), e)
			check(t, err)
		}
	}
	is := func(p place) bool { return p.Kind == "persona" }
	had, has, shown := 0.0, 0.0, 0
	for i, q := range g.questions {
		after := g.places(q)
		at := slices.IndexFunc(after, is)
		rest := slices.DeleteFunc(slices.Clone(after), is)
		had, has = had+reciprocalRank(before[i], q.Expect), has+reciprocalRank(after, q.Expect)
		if at >= 0 {
			shown++
			t.Logf("%s: %q shows a note at place %d", q.ID, q.Query, at+1)
		}
		if at >= 0 && at < 5 && len(rest) > at || len(after)-len(rest) > 1 || at >= 0 && len(q.Expect) == 0 {
			t.Errorf("%s: %q shows %+v", q.ID, q.Query, after)
		}
		if !slices.Equal(rest[:min(len(rest), 11)], before[i][:min(len(before[i]), len(rest), 11)]) {
			t.Errorf("%s: the other results were\n%+v and are\n%+v", q.ID, before[i], rest)
		}
	}
	n := float64(len(g.questions))
	t.Logf("MRR %.4f without notes, %.4f with; %d of %.0f questions show one", had/n, has/n, shown, n)
	if (had-has)/n > 0.005 {
		t.Errorf("MRR falls from %.4f to %.4f", had/n, has/n)
	}
}

func reciprocalRank(all []place, expected []string) float64 {
	for i, p := range all {
		if slices.Contains(expected, p.Path) ||
			slices.ContainsFunc(expected, func(x string) bool { return strings.HasPrefix(p.DocID, x) }) {
			return 1 / float64(i+1)
		}
	}
	return 0
}
