package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"

	"patina/bench/eval/rankings"
)

// functions measures how high a function ranks among a thousand, by the first sentence of its
// comment. The functions of all folders are shuffled together. Only their code is ranked, without
// comment and path.
func functions(ctx context.Context, flags *flag.FlagSet, args []string, out io.Writer) error {
	size := flags.Int("pool", 1000, "functions of a pool")
	table := flags.String("table", "", "file with a table of the embedder; without it, the built-in one")
	if err := flags.Parse(args); err != nil {
		return err
	}
	model, err := modelOf(*table)
	if err != nil {
		return err
	}
	var all []rankings.Function
	for _, dir := range flags.Args() {
		err := withIndex(ctx, dir, func(r rankings.Reader) error {
			fs, err := rankings.ReadFunctions(ctx, r)
			fmt.Fprintf(out, "%s: %d functions\n", filepath.Base(dir), len(fs))
			all = append(all, fs...)
			return err
		})
		if err != nil {
			return err
		}
	}
	pools := rankings.Pools(all, *size)
	if len(pools) == 0 {
		return errors.New("the folders have too few functions with comments for one pool")
	}
	for _, x := range []struct {
		title string
		leave rankings.Leave
	}{
		{"as it stands", rankings.LeaveNothing},
		{"without the function's name", rankings.LeaveName},
		{"without any word that is in the name", rankings.LeaveNameParts},
	} {
		fmt.Fprintf(out, "\nthe sentence %s\n\n", x.title)
		if err := rankings.Describe(pools, model, x.leave).Text(out); err != nil {
			return err
		}
	}
	return nil
}
