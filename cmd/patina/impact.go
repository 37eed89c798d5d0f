package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"patina/ask"
	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/print"
)

// impact is the command that lists what a change may reach.
func (a *app) impact() *cobra.Command {
	s := &impactFlags{app: a}
	c := &cobra.Command{
		Use:   "impact [PATH|SYMBOL] [--diff [RANGE]]",
		Short: "List what a change may reach: callers, tests, files, rules",
		Long: `List what a change of a file or a symbol may reach: the beliefs, decisions and
rules that govern it, files that mostly change together with it, its callers,
the tests that reach it, its owners, and other files that may have to change.

Without a name, it is the uncommitted work; with --diff alone, all since the
merge base with the default branch. Then the symbols around the changed lines
count, and files that mostly change together and are missing come first.
A line that begins with "?" is known by its name alone.

Exit codes: 0 listed, 1 a check of a governing belief fails, 2 error.`,
		Example: `  patina impact
  patina impact --diff main...HEAD
  patina impact store/build/segment.go
  patina impact segments.merge
  patina impact store/build/segment.go::segments.merge --json`,
		RunE: func(c *cobra.Command, args []string) error { return s.printImpact(c, args) },
	}
	f := c.Flags()
	f.StringVar(&s.states, "diff", "", "the files of a `range`: A..B, A...B, A; alone: since the default branch")
	f.Lookup("diff").NoOptDefVal = sinceDefault
	f.StringArrayVar(&s.Repos, "repo", nil, "in this project: its `name`, or its path")
	f.BoolVar(&s.asJSON, "json", false, "print JSON (docs/json.md)")
	f.BoolVar(&s.markdown, "markdown", false, "print Markdown, for a comment on a pull request")
	f.BoolVar(&s.noRefresh, "no-refresh", false, "do not look for changes since the scrape")
	f.Duration("timeout", ask.ImpactTime, "longest wait; callers take half of it")
	f.Int("budget", 0, "most tokens of the text (bytes / 4); 0 means 1500")
	return c
}

// impactFlags are the flags of impact.
type impactFlags struct {
	*app
	asJSON, markdown, noRefresh bool
	states                      string // of --diff
}

// sinceDefault is the value of --diff without one. No revision has this name.
const sinceDefault = "(default branch)"

// printImpact asks for the impact and prints it.
func (s *impactFlags) printImpact(c *cobra.Command, args []string) error {
	if s.asJSON && s.markdown {
		return cli.Hint(errors.New("--json beside --markdown"), "give one of them")
	}
	place, err := s.Indexed()
	if err != nil {
		return err
	}
	r, err := s.request(c, place, args)
	if err != nil {
		return err
	}
	o := s.CallOptions(place, cli.Given(c), s.noRefresh)
	o.LooksUp, o.AtLeast = true, ask.ImpactTime
	o.Sent.Tool, o.Sent.Mode = "assay", "impact"
	call, err := ask.Begin(o)
	if err != nil {
		return err
	}
	p := s.printer(call)
	p.Budget = call.Budget(0)
	if p.Markdown = s.markdown; s.asJSON {
		p.JSON = print.Brief
	}
	return p.AskAndPrint(c.Context(), r)
}

// request returns the request for the arguments. A range may also follow --diff as a word.
func (s *impactFlags) request(c *cobra.Command, place project.Place, args []string) (ask.Request, error) {
	r := ask.Request{Form: ask.Impact, Diff: c.Flags().Changed("diff")}
	if r.Diff && s.states != sinceDefault {
		r.Range = s.states
		if r.Range == "" {
			return r, cli.Hint(errors.New("--diff: no range"), "want A..B, A...B or A: patina impact --diff=main...HEAD")
		}
	}
	if r.Diff && s.states == sinceDefault && len(args) > 0 {
		if ask.IsRange(args[0]) || !place.Exists(args[0]) && place.IsRevision(c.Context(), args[0]) {
			r.Range, args = args[0], args[1:]
		}
	}
	switch len(args) {
	case 0:
	case 1:
		r.Name = args[0]
	default:
		return r, cli.Hint(fmt.Errorf("unexpected %q after the name", args[1]), "want one file or symbol")
	}
	return r, nil
}
