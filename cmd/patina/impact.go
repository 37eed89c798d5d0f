package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"patina/ask"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/print"
)

// impact is the command that lists what a change may reach.
func (a *app) impact() *cobra.Command {
	s := &impactFlags{app: a}
	c := &cobra.Command{
		Use:   "impact [PATH|SYMBOL]",
		Short: "List what a change may reach: callers, tests, files, rules",
		Long: `List what a change of a file or a symbol may reach: the beliefs, decisions and
rules that govern it, files that mostly change together with it, its callers,
the tests that reach it, its owners, and other files that may have to change.

A line that begins with "?" is known by its name alone.

Exit codes: 0 listed, 1 a check of a governing belief fails, 2 error.`,
		Example: `  patina impact store/build/segment.go
  patina impact Writer.merge
  patina impact store/build/segment.go::Writer.merge --json`,
		RunE: func(c *cobra.Command, args []string) error { return s.answer(c, args) },
	}
	f := c.Flags()
	f.StringArrayVar(&s.Repos, "repo", nil, "in this project: its `name`, or its path")
	f.BoolVar(&s.asJSON, "json", false, "print JSON (docs/json.md)")
	f.BoolVar(&s.noRefresh, "no-refresh", false, "do not look for changes since the scrape")
	f.Duration("timeout", 30*time.Second, "longest wait; callers take half of it")
	f.Int("budget", 0, "most tokens of the text (bytes / 4); 0 means 1500")
	return c
}

// impactFlags are the flags of impact.
type impactFlags struct {
	*app
	asJSON, noRefresh bool
}

// impactTime is the shortest timeout, unless the user sets one.
const impactTime = 30 * time.Second

// answer asks for the impact and prints it.
func (s *impactFlags) answer(c *cobra.Command, args []string) error {
	r := ask.Request{Form: ask.Impact}
	switch {
	case len(args) > 1:
		return cli.Hint(fmt.Errorf("unexpected %q after the name", args[1]), "want one file or symbol")
	case len(args) == 0:
		return cli.Hint(errors.New("no file or symbol"), "name one: patina impact PATH")
	}
	r.Name = args[0]
	place, err := s.Indexed()
	if err != nil {
		return err
	}
	o := s.CallOptions(place, cli.Given(c), s.noRefresh)
	o.LooksUp, o.AtLeast = true, impactTime
	o.Sent.Tool, o.Sent.Mode = "assay", "impact"
	call, err := ask.Begin(o)
	if err != nil {
		return err
	}
	p := s.printer(call)
	p.Budget = call.Budget(0)
	if s.asJSON {
		p.JSON = print.Brief
	}
	return p.AskAndPrint(c.Context(), r)
}
