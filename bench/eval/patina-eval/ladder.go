package main

import (
	"context"
	"flag"
	"io"
	"path/filepath"

	"patina/actors"
	"patina/bench/eval"
)

// ladder prints how much each lever adds to the code ranking on a set of questions, from plain BM25
// up to the engine. It is a measurement of its own, so the product has no switch for baselines.
func ladder(ctx context.Context, flags *flag.FlagSet, args []string, out io.Writer) error {
	set := flags.String("q", "", "set of questions")
	folder := flags.String("C", ".", "top folder of the project, which must have been scraped")
	rows := flags.Bool("rows", false, "print the rank of each question on each step, too")
	if err := flags.Parse(args); err != nil {
		return err
	}
	questions, err := eval.Load(*set)
	if err != nil {
		return err
	}
	dir, err := filepath.Abs(*folder)
	if err != nil {
		return err
	}
	return withIndex(ctx, dir, func(r eval.Reader) error {
		return withEngine(dir, filepath.Base(dir), func(e *actors.Engine) error {
			report, err := eval.Ladder(ctx, r, e, questions)
			if err != nil {
				return err
			}
			if err := report.Text(out); err != nil || !*rows {
				return err
			}
			return report.Ranks(out)
		})
	})
}
