package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"patina/ask"
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
	days, rank           int
	full, legacy         bool
}

func (a *app) scry() *cobra.Command {
	s := &scryFlags{askFlags: askFlags{app: a}}
	c := &cobra.Command{
		Use:   "scry QUESTION...",
		Short: "Ask a question, or name a symbol, a path or a commit",
		Long: `Ask a question in plain words, or name a symbol, a path or a commit. You get
snippets, best first, each with its place, its score and what leads on.

A part in quotes and a pasted message are found word for word. "in 2024" and
"by Ann" narrow a question about what was done. "-" reads standard input.
Rarer flags are in docs/searching.md: --symbols, --oracle, --explain, --timeout.

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
	f.IntVar(&s.rank, "rank", 0, "rank of --detail QUERY_ID")
	f.IntVar(&s.page, "page", 1, "page of --detail")
	f.StringVar(&s.file, "file", "", "show the files that change together with this `path`")
	f.StringVar(&s.belief, "belief", "",
		"show the belief with this `id`; with --content-type code, the files that it is about")
	f.StringVar(&s.literal, "literal", "", "find the lines with this `text`")
	f.StringVar(&s.regex, "regex", "", "find the lines that match this `expression`")
	f.IntVar(&s.days, "days", ask.UsualDays, "with recent: how many days back from now")
	f.BoolVar(&s.full, "full", false, "deprecated: print each result whole")
	f.BoolVar(&s.legacy, "legacy", false, "deprecated: one channel's own order, unfused, with whole texts")
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
	hideFlags(c, "detail", "rank", "page", "file", "belief", "literal", "regex", "days", "full", "legacy",
		"oracle", "explain", "strict", "as-written", "symbols", "vimgrep", "null", "no-refresh", "timeout")
	return c
}

// askOrLookUp makes the call and prints the answer.
func (s *scryFlags) askOrLookUp(c *cobra.Command, args []string) error {
	return s.run(c, s.mode(args), s.looksUp(args), func(p *print.Printer) error {
		if s.legacy {
			s.Warn("--legacy is deprecated and goes in 0.12: it asks one channel, and fuses nothing")
		}
		s.narrowed.Whole, s.narrowed.Direct = s.full, s.legacy
		return s.answer(c, p, args)
	})
}

// answer asks for the answer to the words and flags, and prints it.
func (s *scryFlags) answer(c *cobra.Command, p *print.Printer, args []string) error {
	if len(args) > 1 && args[0] == "feedback" && querylog.IsID(args[1]) && s.mode(args) == "find" {
		return s.feedback(c.Context(), p, args[1:])
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

// feedback records whether a result of another project was useful. The words are a query id, the
// verdict and perhaps a rank.
func (s *scryFlags) feedback(ctx context.Context, p *print.Printer, words []string) error {
	rank, verdict := 0, ""
	switch len(words) {
	case 3:
		var err error
		if rank, err = rankOf(words[2:], "--detail"); err != nil {
			return err
		}
		verdict = words[1]
	case 2:
		verdict = words[1]
	}
	return mothercmd.Unlinked(p.Feedback(ctx, words[0], verdict, rank))
}
