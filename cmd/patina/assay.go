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

// factFlags are the flags of a command that asks for facts.
type factFlags struct {
	*app
	query             assay.Query
	asJSON, noRefresh bool
}

// assay is the command that answers questions about facts.
func (a *app) assay() *cobra.Command {
	s := &factFlags{app: a}
	c := &cobra.Command{
		Use:   "assay QUERY_TYPE PATTERN",
		Short: "Find where a name is used, what calls, imports, defines it",
		Long: `Find facts about names and files:

  callers NAME      who calls it           imports FILE    what a file imports
  callees NAME      what it calls          importers FILE  who imports it
  references NAME   where it is used:      functions NAME  functions, methods
                    read, written, called  types NAME      types
                                           inventory DIR   what each file holds
PATTERN is a name (Open), Type.method, a glob of names ('*Handler'), a doc_id,
or where files are asked for a path, a folder or a glob; "." is all files.
What changes together with a file: patina show FILE --co-changes.

For agents: ` + dialect.InLines(dialect.AssayTool, len("For agents: ")),
		Example: `  patina assay references Writer.size
  patina assay callees store/build/segment.go::Writer.merge
  patina assay importers store/text
  patina assay --json functions '*Handler'`,
		RunE: func(c *cobra.Command, args []string) error {
			for _, at := range []*string{&s.query.Type, &s.query.Pattern} {
				if *at == "" && len(args) > 0 {
					*at, args = args[0], args[1:]
				}
			}
			return s.answer(c, args)
		},
		ValidArgs: assay.Types(),
	}
	f := c.Flags()
	f.StringVar(&s.query.Type, "query-type", "", "the `question`: "+strings.Join(assay.Types(), ", "))
	f.StringVar(&s.query.Pattern, "pattern", "", "what is asked about: a `name`, a glob, a path or a doc_id")
	s.addFlags(c)
	_ = c.RegisterFlagCompletionFunc("query-type",
		cobra.FixedCompletions(assay.Types(), cobra.ShellCompDirectiveNoFileComp))
	hideFlags(c, "query-type", "pattern")
	return c
}

// callers is the command that lists the callers of a function.
func (a *app) callers() *cobra.Command {
	s := &factFlags{app: a, query: assay.Query{Type: "callers"}}
	c := &cobra.Command{
		Use:   "callers NAME",
		Short: "Find who calls a function or method",
		Long: `Find who calls a function or method, with the line of each call. NAME is a name
(Open), Type.method, a glob of names ('*Handler') or a doc_id. A line that
begins with "?" is a candidate: names alone do not tell what a variable is.

All uses of a name, not only its calls: patina assay references NAME.
Exit code 1 says that nobody calls it, or that it is not known.`,
		Example: `  patina callers Writer.Publish
  patina callers store/build/segment.go::Writer.merge
  patina callers '*Handler' --limit 50`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				s.query.Pattern, args = args[0], args[1:]
			}
			return s.answer(c, args)
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	s.addFlags(c)
	return c
}

// addFlags adds the flags common to commands that ask for facts.
func (s *factFlags) addFlags(c *cobra.Command) {
	f := c.Flags()
	f.StringArrayVar(&s.Repos, "repo", nil, "in this project: its `name`, or its path")
	f.Bool("all-repos", false, "also in the projects that edges lead to")
	f.BoolVar(&s.asJSON, "json", false, "print JSON (docs/assay.md)")
	f.BoolVar(&s.noRefresh, "no-refresh", false, "do not look for changes since the scrape")
	f.Duration("timeout", 10*time.Second, "longest wait on a busy machine; references: 30s")
	f.IntP("limit", "n", 0, "most facts; 0 means all that fit")
	f.Int("budget", 0, "most tokens of the table (bytes / 4); 0 means 1500")
}

// answer asks for the facts and prints them. args are the words after the pattern and must be
// empty.
func (s *factFlags) answer(c *cobra.Command, args []string) (err error) {
	if s.query, err = print.CheckFacts(s.query, dialect.CLI{}); err != nil {
		return err
	}
	if len(args) > 0 {
		return cli.Hint(fmt.Errorf("unexpected %q after the pattern", args[0]),
			"want one pattern; a glob between quotes: patina assay "+s.query.Type+" '*Handler'")
	}
	place, err := s.Indexed()
	if err != nil {
		return err
	}
	o := s.CallOptions(place, cli.Given(c), s.noRefresh)
	o.LooksUp, o.AtLeast = true, ask.FactsTime(s.query.Type)
	o.Sent.Tool, o.Sent.Mode = "assay", s.query.Type
	call, err := ask.Begin(o)
	if err != nil {
		return err
	}
	p := s.printer(call)
	p.Budget = call.Budget(0)
	if s.asJSON {
		p.JSON = print.Brief
	}
	if c.Flags().Changed("limit") {
		p.Most = call.Settings.Limit
	}
	return p.AskAndPrint(c.Context(), ask.Request{Form: ask.Facts, Query: s.query})
}
