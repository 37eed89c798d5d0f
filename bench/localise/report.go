package main

import (
	"fmt"
	"io"
	"slices"
)

// A report collects the calls and tokens of both agents.
type report struct {
	list int // tokens of the tools
	rows []row
}

// A row is one task.
type row struct {
	repo            string
	task            task
	asked, searched play
}

func (r *report) add(repo string, t task, asked, searched play) {
	r.rows = append(r.rows, row{repo, t, asked, searched})
}

// print writes a table of the tasks and a table of the sums.
func (r *report) print(w io.Writer) error {
	fmt.Fprintf(w, "| task | calls with patina | tokens | calls with rg | tokens |\n|---|---|---|---|---|\n")
	for _, x := range r.rows {
		fmt.Fprintf(w, "| %s | %s | %d | %s | %d |\n", x.task.Text, x.asked.said(), x.asked.tokens, x.searched.said(),
			x.searched.tokens)
	}
	fmt.Fprintf(w, "\n| repository | found with patina | median calls | median tokens | found with rg | median calls | median tokens |\n|---|---|---|---|---|---|---|\n")
	var repos []string
	for _, x := range r.rows {
		if !slices.Contains(repos, x.repo) {
			repos = append(repos, x.repo)
		}
	}
	for _, repo := range repos {
		r.sum(w, repo, func(x row) bool { return x.repo == repo })
	}
	r.sum(w, "all", func(row) bool { return true })
	_, err := fmt.Fprintf(w, "\nThe list of tools and the instructions have %d tokens.\n", r.list)
	return err
}

// said returns the number of calls until the right file was open.
func (p play) said() string {
	if !p.found {
		return fmt.Sprintf("not in %d", p.calls)
	}
	return fmt.Sprint(p.calls)
}

// sum writes a line for the rows that in accepts. The medians are over all of them, found or not.
func (r *report) sum(w io.Writer, name string, in func(row) bool) {
	var asked, searched []play
	for _, x := range r.rows {
		if in(x) {
			asked, searched = append(asked, x.asked), append(searched, x.searched)
		}
	}
	fmt.Fprintf(w, "| %s | %s | %s |\n", name, medians(asked), medians(searched))
}

func medians(plays []play) string {
	var calls, spent []int
	found := 0
	for _, p := range plays {
		calls, spent = append(calls, p.calls), append(spent, p.tokens)
		if p.found {
			found++
		}
	}
	slices.Sort(calls)
	slices.Sort(spent)
	return fmt.Sprintf("%d of %d | %d | %d", found, len(plays), calls[len(calls)/2], spent[len(spent)/2])
}
