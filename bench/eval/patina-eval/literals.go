package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"

	"patina/actors"
	"patina/bench/eval/rankings"
)

// literals measures how often a string of the source is found first if it is asked word for word,
// with its placeholders filled in, or in quotes inside a question. Each folder must have been
// scraped.
func literals(ctx context.Context, flags *flag.FlagSet, args []string, out io.Writer) error {
	n := flags.Int("n", 15, "strings a folder")
	seed := flags.Uint64("seed", 1, "seed of the draw")
	misses := flags.Bool("misses", false, "list the strings whose file is not first")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("name one scraped folder or more")
	}
	total := make([]rankings.Found, len(rankings.Askings()))
	fmt.Fprint(out, "| folder | asked | n | first | line first | in ten |\n|---|---|--:|--:|--:|--:|\n")
	for _, dir := range flags.Args() {
		var ds []rankings.Drawn
		err := withIndex(ctx, dir, func(r rankings.Reader) (err error) {
			ds, err = rankings.DrawLiterals(ctx, r, *n, *seed)
			return err
		})
		if err != nil {
			return err
		}
		name := filepath.Base(dir)
		var missed []string
		err = withEngine(dir, name, func(e *actors.Engine) error {
			for i, a := range rankings.Askings() {
				found, err := a.Ask(ctx, e, ds, func(question string, d rankings.Drawn) {
					missed = append(missed, fmt.Sprintf("%s: %q is in %s:%d", a.Name, question, d.Path, d.Line))
				})
				if err != nil {
					return err
				}
				total[i].Add(found)
				if err := found.Row(out, name, a.Name); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		for _, m := range missed {
			if *misses {
				fmt.Fprintln(out, m)
			}
		}
	}
	for i, a := range rankings.Askings() {
		if err := total[i].Row(out, "all", a.Name); err != nil {
			return err
		}
	}
	return nil
}
