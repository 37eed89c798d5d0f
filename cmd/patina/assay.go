package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"patina/ask"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/print"
	"patina/code/assay"
)

// assay is the command that answers questions about facts.
func (a *app) assay() *cobra.Command {
	var query assay.Query
	var asJSON, noRefresh bool
	c := &cobra.Command{
		Use:   "assay QUERY_TYPE PATTERN",
		Short: "Ask for facts: callers, callees, references, imports, types",
		Long: dialect.AssayTool + `

  assay callers PATTERN      who calls it          assay functions PATTERN   functions and methods
  assay callees PATTERN      what it calls         assay types PATTERN       types
  assay references PATTERN   reads and writes      assay co-changes PATTERN  what changes with a file
  assay imports PATTERN      what a file imports   assay inventory PATTERN   what each file holds
  assay importers PATTERN    who imports it

PATTERN is a name (Open), Type.method, a glob of names ('*Handler'), or a doc_id as answers print it; where files are asked for, a
path, a folder, or a glob of paths ('src/**/*.go'), from the root or from this folder; "." is all of them.
Exit code 1 says that there is no such fact, or that it is not known for the language.`,
		Example: `  patina assay callers Writer.Publish
  patina assay --query-type callees --pattern store/segment.go::Writer.merge
  patina assay references Writer.size
  patina assay importers store/text
  patina assay --json functions '*Handler'`,
		RunE: func(c *cobra.Command, args []string) (err error) {
			for _, at := range []*string{&query.Type, &query.Pattern} {
				if *at == "" && len(args) > 0 {
					*at, args = args[0], args[1:]
				}
			}
			if query, err = print.CheckFacts(query, dialect.CLI{}); err != nil {
				return err
			}
			if len(args) > 0 {
				return cli.Hint(fmt.Errorf("unexpected %q after the pattern", args[0]), "want one pattern; a glob between quotes: patina assay "+query.Type+" '*Handler'")
			}
			place, err := a.Indexed()
			if err != nil {
				return err
			}
			o := a.CallOptions(place, cli.Given(c), noRefresh)
			o.LooksUp, o.AtLeast = true, ask.FactsTime(query.Type)
			o.Sent.Tool, o.Sent.Mode = "assay", query.Type
			call, err := ask.Begin(o)
			if err != nil {
				return err
			}
			p := a.printer(call)
			p.Budget = call.Budget(0)
			if asJSON {
				p.JSON = print.Brief
			}
			if c.Flags().Changed("limit") {
				p.Most = call.Settings.Limit
			}
			return p.AskAndPrint(c.Context(), ask.Request{Form: ask.Facts, Query: query})
		},
	}
	f := c.Flags()
	f.StringVar(&query.Type, "query-type", "", "the `question`: "+strings.Join(assay.Types(), ", "))
	f.StringVar(&query.Pattern, "pattern", "", "what is asked about: a `name`, a glob, a path or a doc_id")
	f.StringArrayVar(&a.Repos, "repo", nil, "ask for facts of this project: its `name`, or its path")
	f.BoolVar(&asJSON, "json", false, "print JSON (schema: docs/assay.md)")
	f.BoolVar(&noRefresh, "no-refresh", false, "answer from the index as it is: do not look for changes since the scrape")
	f.Duration("timeout", 10*time.Second, "longest wait for an answer on a busy machine; references: 30s")
	f.IntP("limit", "n", 0, "most facts; 0 means all that fit")
	f.Int("budget", 0, "most tokens of the table (bytes / 4); 0 means 1500")
	_ = c.RegisterFlagCompletionFunc("query-type", cobra.FixedCompletions(assay.Types(), cobra.ShellCompDirectiveNoFileComp))
	c.ValidArgs = assay.Types()
	return c
}
