package main

import (
	"context"
	"flag"
	"io"
	"path/filepath"

	"patina/actors"
	"patina/bench/eval"
)

// annotated compares beliefs as results of their own with beliefs as notes at code.
func annotated(ctx context.Context, flags *flag.FlagSet, args []string, out io.Writer) error {
	set := flags.String("q", "", "set of questions, of which each names the code and the beliefs that it needs")
	folder := flags.String("C", ".", "top folder of the project")
	index := flags.String("store", "", "folder of the index; empty: .patina in the project")
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
	if *index == "" {
		*index = filepath.Join(dir, ".patina")
	}
	return withProject(actors.Project{ID: "project", Name: "project", Root: dir, StoreDir: *index}, func(e *actors.Engine) error {
		report, err := eval.Annotate(ctx, e, questions)
		if err != nil {
			return err
		}
		return report.Text(out)
	})
}
