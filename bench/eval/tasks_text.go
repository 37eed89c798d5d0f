package eval

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A TaskReport holds the plays of both agents.
type TaskReport struct {
	// Wanted names what was looked for: "files" if empty, or "lines".
	Wanted string      `json:"wanted,omitempty"`
	Tasks  []TaskPlays `json:"tasks"`
}

func (r *TaskReport) wanted() string { return cmp.Or(r.Wanted, "files") }

// TaskPlays are both agents' plays of one task.
type TaskPlays struct {
	ID      string `json:"id"`
	Repo    string `json:"repo"`
	Wanted  int    `json:"wanted"`
	Patina  Play   `json:"patina"`
	Ripgrep *Play  `json:"ripgrep,omitempty"` // nil: left out
}

// An agent picks its play of a task.
type agent struct {
	name string
	play func(TaskPlays) Play
}

var (
	withPatina  = agent{"patina", func(t TaskPlays) Play { return t.Patina }}
	withRipgrep = agent{"rg", func(t TaskPlays) Play { return *t.Ripgrep }}
)

// A measure is one number of a play.
type measure struct {
	name string
	of   func(t TaskPlays, p Play) float64
}

var (
	allSeen = measure{"all files seen", func(_ TaskPlays, p Play) float64 {
		if p.All {
			return 1
		}
		return 0
	}}
	filesSeen = measure{"files seen", func(t TaskPlays, p Play) float64 { return float64(p.Seen) / float64(t.Wanted) }}
	calls     = measure{"calls", func(_ TaskPlays, p Play) float64 { return float64(len(p.Calls)) }}
	tokens    = measure{"tokens", func(_ TaskPlays, p Play) float64 { return float64(p.Tokens) }}
	paths     = measure{"paths printed", func(_ TaskPlays, p Play) float64 { return float64(p.Paths) }}
)

// Text writes a table with a row for each repository and agent, and the differences over all tasks.
// Means have 95% intervals. Repositories count alike.
func (r *TaskReport) Text(w io.Writer) error {
	var b strings.Builder
	agents, groups := r.agents(), r.groups()
	fmt.Fprintf(&b, "| repository | tasks | agent | all %[1]s seen | %[1]s seen | calls | tokens | paths printed |\n|---|--:|---|---|---|--:|--:|--:|\n", r.wanted())
	for _, g := range groups {
		for _, a := range agents {
			b.WriteString(a.row(g[0].Repo, g))
		}
	}
	if len(groups) > 1 {
		for _, a := range agents {
			b.WriteString(a.row("all", groups...))
		}
	}
	fmt.Fprintf(&b, "\ncalls, tokens, paths printed: medians, until all %s were seen or the script ended\n", r.wanted())
	if len(agents) == 2 {
		r.differences(&b, groups)
	} else {
		b.WriteString("rg is not on PATH: its half is left out\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// agents returns the agents that played every task.
func (r *TaskReport) agents() []agent {
	if slices.ContainsFunc(r.Tasks, func(t TaskPlays) bool { return t.Ripgrep == nil }) {
		return []agent{withPatina}
	}
	return []agent{withPatina, withRipgrep}
}

// groups splits the tasks by repository, in the set's order.
func (r *TaskReport) groups() [][]TaskPlays {
	var groups [][]TaskPlays
	for _, t := range r.Tasks {
		i := slices.IndexFunc(groups, func(g []TaskPlays) bool { return g[0].Repo == t.Repo })
		if i < 0 {
			groups = append(groups, []TaskPlays{t})
		} else {
			groups[i] = append(groups[i], t)
		}
	}
	return groups
}

func (a agent) values(m measure, groups ...[]TaskPlays) [][]float64 {
	all := make([][]float64, len(groups))
	for i, g := range groups {
		for _, t := range g {
			all[i] = append(all[i], m.of(t, a.play(t)))
		}
	}
	return all
}

func (a agent) row(name string, groups ...[]TaskPlays) string {
	n := len(slices.Concat(groups...))
	s := fmt.Sprintf("| %s | %d | %s | %s | %s |", name, n, a.name,
		estimate(a.values(allSeen, groups...)...).text(), estimate(a.values(filesSeen, groups...)...).text())
	for _, m := range []measure{calls, tokens, paths} {
		s += fmt.Sprintf(" %.0f |", median(slices.Concat(a.values(m, groups...)...)))
	}
	return s + "\n"
}

// differences writes patina minus rg, task by task, and the costs where both saw all files.
func (r *TaskReport) differences(b *strings.Builder, groups [][]TaskPlays) {
	b.WriteString("\n| patina minus rg, task by task | mean | patina less | patina more | equal |\n|---|---|--:|--:|--:|\n")
	for _, m := range []measure{allSeen, filesSeen, calls, tokens, paths} {
		d := minus(withPatina.values(m, groups...), withRipgrep.values(m, groups...))
		var less, more, equal int
		for _, x := range slices.Concat(d...) {
			switch {
			case x < 0:
				less++
			case x > 0:
				more++
			default:
				equal++
			}
		}
		fmt.Fprintf(b, "| %s | %s | %d | %d | %d |\n", strings.ReplaceAll(m.name, "files", r.wanted()), m.signed(estimate(d...)), less, more, equal)
	}
	both := slices.DeleteFunc(slices.Clone(r.Tasks), func(t TaskPlays) bool { return !t.Patina.All || !t.Ripgrep.All })
	fmt.Fprintf(b, "\nboth saw all %s in %d tasks", r.wanted(), len(both))
	for _, a := range []agent{withPatina, withRipgrep} {
		if len(both) == 0 {
			break
		}
		fmt.Fprintf(b, "; %s: %.0f calls, %.0f tokens", a.name, median(a.values(calls, both)[0]), median(a.values(tokens, both)[0]))
	}
	b.WriteString("\n")
}

// signed formats a mean difference: a share with three digits, a count with one.
func (m measure) signed(e Estimate) string {
	if m.name == allSeen.name || m.name == filesSeen.name {
		return e.signed()
	}
	return fmt.Sprintf("%+.1f [%+.1f, %+.1f]", e.Mean, e.Low, e.High)
}

// median returns the middle value, or the mean of the middle two; 0 for none.
func median(xs []float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	xs = slices.Sorted(slices.Values(xs))
	return (xs[(len(xs)-1)/2] + xs[len(xs)/2]) / 2
}
