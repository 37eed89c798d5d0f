package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"patina/actors"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/deliver"
	"patina/store/assay"
)

// assay is the command that answers questions about facts.
func (a *app) assay() *cobra.Command {
	s := &scrying{app: a}
	var query assay.Query
	types, most := assay.Types(), 0
	c := &cobra.Command{
		Use:   "assay QUERY_TYPE PATTERN",
		Short: "Ask for facts: callers, callees, references, imports, types",
		Long: deliver.AssayTool + `

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
			if query, err = s.assayed(query, args, types); err != nil {
				return err
			}
			if s.place, err = s.Indexed(); err != nil {
				return err
			}
			if err := s.move(); err != nil {
				return err
			}
			if err := s.settle(cli.Given(c)); err != nil {
				return err
			}
			s.ceiling(cli.Given(c), 0)
			if !c.Flags().Changed("timeout") {
				s.settings.Timeout = patience(query.Type, s.settings.Timeout)
			}
			if c.Flags().Changed("limit") {
				most = s.settings.Limit
			}
			return s.counted("assay", query.Type, func() error { return s.assay(c.Context(), query, most) })
		},
	}
	f := c.Flags()
	f.StringVar(&query.Type, "query-type", "", "the `question`: "+strings.Join(types, ", "))
	f.StringVar(&query.Pattern, "pattern", "", "what is asked about: a `name`, a glob, a path or a doc_id")
	f.StringArrayVar(&s.Repos, "repo", nil, "ask for facts of this project: its `name`, or its path")
	f.BoolVar(&s.asJSON, "json", false, "print JSON (schema: docs/assay.md)")
	f.BoolVar(&s.noRefresh, "no-refresh", false, "answer from the index as it is: do not look for changes since the scrape")
	f.Duration("timeout", 10*time.Second, "longest wait for an answer on a busy machine; references: 30s")
	f.IntP("limit", "n", 0, "most facts; 0 means all that fit")
	f.Int("budget", 0, "most tokens of the table (bytes / 4); 0 means 1500")
	_ = c.RegisterFlagCompletionFunc("query-type", cobra.FixedCompletions(types, cobra.ShellCompDirectiveNoFileComp))
	c.ValidArgs = types
	return c
}

// referencesWithin is how long a question for references may take: it parses every file that holds
// the name, about six megabytes a second a core.
const referencesWithin = 30 * time.Second

// patience is the time that a question about facts has, unless it was asked for.
func patience(question string, of time.Duration) time.Duration {
	if question == "references" {
		return max(of, referencesWithin)
	}
	return of
}

// assayed joins flags and words into one question.
func (s *scrying) assayed(q assay.Query, args, types []string) (assay.Query, error) {
	for _, at := range []*string{&q.Type, &q.Pattern} {
		if *at == "" && len(args) > 0 {
			*at, args = args[0], args[1:]
		}
	}
	there := "there are: " + strings.Join(types, ", ")
	switch {
	case q.Type == "":
		return q, cli.Hint(errors.New("no query type"), there, "such as: "+s.dialect().Assay("callers", "NAME"))
	case !slices.Contains(types, q.Type):
		return q, cli.Hint(fmt.Errorf("unknown query type %q", q.Type), there)
	case q.Pattern == "" && q.Type == "inventory":
		q.Pattern = "."
	case q.Pattern == "":
		return q, cli.Hint(fmt.Errorf("no pattern for %s", q.Type), "such as: "+s.dialect().Assay(q.Type, "NAME"), `"." stands for all files`)
	}
	if len(args) > 0 {
		return q, cli.Hint(fmt.Errorf("unexpected %q after the pattern", args[0]), "want one pattern; a glob between quotes: patina assay "+q.Type+" '*Handler'")
	}
	return q, nil
}

// assay asks for facts and prints them, at most so many of them; 0: all that fit.
func (s *scrying) assay(ctx context.Context, q assay.Query, most int) error {
	return s.asking(ctx, func(e actors.Service) error {
		found, err := s.facts(ctx, e, q)
		if err != nil {
			return err
		}
		facts := deliver.Assayed{Facts: &found.Facts, Index: s.lagged(found.Index), Most: most}
		if s.asJSON {
			err = deliver.AssayJSON(s.Out, facts)
		} else {
			err = deliver.Assay(s.Out, facts, s.options(false))
		}
		if err != nil || len(found.Facts.Facts) > 0 {
			return err
		}
		if len(found.Facts.Meant) == 0 { // else the name was right
			s.didYouMean(s.near(ctx, e, q.Pattern))
		}
		return cli.Exit(cli.ExitNothing)
	})
}

// facts tries each meaning of a pattern until one has facts.
func (s *scrying) facts(ctx context.Context, e actors.Service, q assay.Query) (found *actors.AssayAnswer, err error) {
	patterns, err := s.patterns(q.Pattern)
	if err != nil {
		return nil, err
	}
	for _, pattern := range patterns {
		found, err = e.Assay(ctx, actors.AssayRequest{ReadOptions: s.within(), Query: assay.Query{Type: q.Type, Pattern: pattern}})
		if err != nil || len(found.Facts.Facts) > 0 {
			break
		}
	}
	return found, err
}

// patterns returns the meanings of a pattern: as typed, then as a path or a glob from the working
// folder. "." stands for everything.
func (s *scrying) patterns(typed string) ([]string, error) {
	if typed == "." {
		return []string{typed}, nil
	}
	names, err := s.place.Names(typed)
	if err != nil {
		return nil, err
	}
	out := names[:1]
	for _, name := range names[1:] {
		if path, _, _ := strings.Cut(name, "::"); strings.ContainsAny(name, "*?[") || s.place.Exists(path) {
			out = append(out, name)
		}
	}
	return out, nil
}
