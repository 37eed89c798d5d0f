package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"patina/ask"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/mothercmd"
	"patina/cmd/internal/print"
	"patina/registry/querylog"
)

// scryFlags are the flags of scry. They include earlier forms of the commands show, grep, recent,
// orient and why.
type scryFlags struct {
	askFlags
	detail, file, belief string
	literal, regex       string
	days                 int
	legacy               bool
}

func (a *app) scry() *cobra.Command {
	s := &scryFlags{askFlags: askFlags{app: a}}
	c := &cobra.Command{
		Use:   "scry QUESTION...",
		Short: "Ask a question, or name a symbol, a path or a commit",
		Long: `Ask a question in plain words, or name a symbol, a path or a commit. You get
snippets, best first, each with its place, its score and what leads on.

A part in quotes and a pasted message are found word for word. "in 2024" and
"by Ann" narrow a question about what was done. "-" reads the question from
standard input. Rarer flags: --symbols, --vimgrep, -0, --oracle, --explain,
--strict, --as-written, --no-refresh, --timeout (docs/searching.md).

For agents: ` + dialect.InLines(dialect.ScryTool, len("For agents: ")),
		Example: `  patina scry how does the lock expire
  patina scry --path 'src/**' --path '!**/*_test.go' retry with backoff
  patina scry --content-type commits --since 2024-03 --author ann retries
  patina scry 'where does "connection reset by peer" come from'
  patina scry --json QueryEngine | jq -r '.results[].doc_id'`,
		RunE: func(c *cobra.Command, args []string) error { return s.askOrLookUp(c, args) },
	}
	f := c.Flags()
	f.StringVar(&s.detail, "detail", "", "show a document whole: QUERY_ID RANK, or DOC_ID")
	f.IntVar(&s.page, "page", 1, "page of --detail")
	f.StringVar(&s.file, "file", "", "show the files that change together with this `path`")
	f.StringVar(&s.belief, "belief", "",
		"show the belief with this `id`; with --content-type code, the files that it is about")
	f.StringVar(&s.literal, "literal", "", "find the lines with this `text`")
	f.StringVar(&s.regex, "regex", "", "find the lines that match this `expression`")
	f.IntVar(&s.days, "days", ask.UsualDays, "with recent: how many days back from now")
	f.BoolVar(&s.legacy, "legacy", false, "deprecated: --oracle semantic")
	f.Bool("all-repos", false, "ask the projects, too, that edges lead to")
	f.StringArrayVar(&s.narrowed.Oracles, "oracle", nil, "ask only this `oracle`: "+strings.Join(ask.Channels(), ", "))
	f.BoolVar(&s.explain, "explain", false, "print the quantities of ranking")
	f.BoolVar(&s.strict, "strict", false, "exit 3 also if a channel of another project did not answer")
	f.IntP("limit", "n", 10, "results")
	s.repoFlag(c)
	f.Lookup("repo").Usage = "ask this project, too: its `name`, or its path"
	s.kindFlag(c)
	s.filterFlags(c)
	s.listFlags(c)
	s.outputFlags(c)
	dateFlags(c, &s.narrowed)
	_ = c.RegisterFlagCompletionFunc("oracle",
		cobra.FixedCompletions(ask.Channels(), cobra.ShellCompDirectiveNoFileComp))
	hideFlags(c, "detail", "page", "file", "belief", "literal", "regex", "days", "legacy",
		"oracle", "explain", "strict", "as-written", "symbols", "vimgrep", "null", "no-refresh", "timeout")
	return c
}

// askOrLookUp makes the call and prints the answer.
func (s *scryFlags) askOrLookUp(c *cobra.Command, args []string) error {
	return s.run(c, s.mode(args), s.looksUp(args), func(p *print.Printer) error {
		if s.legacy {
			s.Warn("--legacy is deprecated and goes in 0.12: use --oracle semantic")
			if len(s.narrowed.Oracles) == 0 {
				s.narrowed.Oracles = []string{"semantic"}
			}
		}
		return s.answer(c, p, args)
	})
}

// answer asks for the answer to the words and flags, and prints it.
func (s *scryFlags) answer(c *cobra.Command, p *print.Printer, args []string) error {
	if len(args) > 1 && args[0] == "feedback" && querylog.IsID(args[1]) && s.mode(args) == "find" {
		return s.feedback(c.Context(), p.Call, args[1:])
	}
	r, err := s.request(c, p.Call.Place, args)
	if err != nil {
		return err
	}
	if r.Form == ask.Why {
		return s.explainOrAsk(c, p, r, args)
	}
	a, err := p.Call.Ask(c.Context(), r)
	return p.Print(a, err)
}

// feedback records whether a result of another project was useful.
func (s *scryFlags) feedback(ctx context.Context, call *ask.Call, args []string) error {
	usage := "such as patina scry feedback q_260202143000_abc good 2"
	if len(args) < 2 || len(args) > 3 || !slices.Contains([]string{"good", "bad"}, args[1]) {
		return cli.Hint(errors.New("feedback wants a query id, good or bad, and perhaps a rank"), usage)
	}
	rank := 0
	if len(args) == 3 {
		var err error
		if rank, err = rankOf(args[2:], "--detail"); err != nil {
			return err
		}
	}
	edges, err := call.Judge(ctx, args[0], args[1] == "good", rank)
	if _, unknown := errors.AsType[*ask.UnknownQueryError](err); unknown {
		return cli.Hint(err, usage)
	}
	switch {
	case err != nil:
		return mothercmd.Unlinked(err)
	case edges == 0:
		fmt.Fprintln(s.Out, "nothing to learn: no result of another project is meant")
		return cli.Exit(cli.ExitNothing)
	}
	fmt.Fprintf(s.Out, "counted for %s; the weights move with patina mother learn\n", cli.Plural(edges, "edge"))
	return nil
}
