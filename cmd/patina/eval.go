package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"patina/actors"
	"patina/bench/eval"
	"patina/cmd/internal/deliver"
	"patina/workspace"
)

func (a *app) eval() *cobra.Command {
	c := &cobra.Command{
		Use:   "eval",
		Short: "Measure how well the index answers",
		Args:  cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return hint(fmt.Errorf("unknown measurement %q", args[0]), "there is: patina eval retrieval")
		},
	}
	c.AddCommand(a.retrieval())
	return c
}

func (a *app) retrieval() *cobra.Command {
	var file, old string
	var kinds []string
	var asJSON bool
	c := &cobra.Command{
		Use:   "retrieval -q FILE",
		Short: "Ask questions whose answers are known",
		Long: `Ask each question of a set of the engine, of each oracle alone, of all oracles but one, and of a plain BM25, and print how
high the expected answers stand, with 95% intervals. The set is a JSON list of {"id", "query", "expect": [path or doc_id, …]};
"expect": [] marks a question that should be refused.`,
		Example: `  patina eval retrieval -q questions.json
  patina eval retrieval -q questions.json --json > before.json
  patina eval retrieval -q questions.json --compare before.json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if file == "" {
				return hint(fmt.Errorf("no questions"), "name a set: patina eval retrieval -q FILE")
			}
			questions, err := eval.Load(file)
			if err != nil {
				return err
			}
			o := eval.Options{}
			if o.Filter.Kinds, err = kindsNamed(kinds); err != nil {
				return err
			}
			if old != "" {
				if o.Compare, err = eval.ReadReport(old); err != nil {
					return err
				}
			}
			return a.measure(c.Context(), questions, o, asJSON)
		},
	}
	c.Flags().StringVarP(&file, "questions", "q", "", "set of questions")
	c.Flags().StringVar(&old, "compare", "", "earlier report (--json) to compare with")
	c.Flags().StringArrayVar(&kinds, "content-type", nil, "rank only this `kind`: "+kindNames()+" (repeatable)")
	c.Flags().BoolVar(&asJSON, "json", false, "print the whole report as JSON")
	return c
}

func (a *app) measure(ctx context.Context, questions []eval.Question, o eval.Options, asJSON bool) error {
	p, err := a.indexed()
	if err != nil {
		return err
	}
	all, err := workspace.Inspect(ctx, p)
	if err != nil {
		return explained(err, p)
	}
	defer func() { _ = all.Close() }()
	o.Baseline = all
	if terminal(a.errs) {
		o.OnProgress = func(done, total int) { fmt.Fprintf(a.errs, "\r\x1b[Kasked %d/%d", done, total) }
		defer fmt.Fprint(a.errs, "\r\x1b[K")
	}
	s := scrying{app: a, place: p}
	return s.withEngine(ctx, 0, func(e actors.Service) error {
		report, err := eval.Run(ctx, e, questions, o)
		if err != nil {
			return err
		}
		if asJSON {
			return deliver.Encode(a.out, report)
		}
		return report.Text(a.out)
	})
}
