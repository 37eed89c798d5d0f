package main

import (
	"context"
	"errors"
	"flag"
	"io"

	"patina/bench/eval"
)

// calibration prints ten bins of scores and the share of right first results in each, over all
// reports that "patina eval retrieval --json" has saved.
func calibration(_ context.Context, flags *flag.FlagSet, args []string, out io.Writer) error {
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("name reports: patina eval retrieval --json > REPORT")
	}
	var reports []*eval.Report
	for _, path := range flags.Args() {
		r, err := eval.ReadReport(path)
		if err != nil {
			return err
		}
		reports = append(reports, r)
	}
	return eval.Pool(reports).Text(out)
}
