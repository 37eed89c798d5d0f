package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"patina/bench/eval"
)

// overlap prints the questions that share a word with a file that answers them: with its path, a
// comment or the code. Words are compared as in the index: stemmed, with identifiers split, without
// stop words.
func overlap(_ context.Context, flags *flag.FlagSet, args []string, out io.Writer) error {
	set := flags.String("q", "", "set of questions")
	dir := flags.String("C", ".", "folder that their paths are relative to")
	if err := flags.Parse(args); err != nil {
		return err
	}
	questions, err := eval.Load(*set)
	if err != nil {
		return err
	}
	shared := 0
	for _, q := range questions {
		var common []string
		for _, path := range q.Expect {
			b, err := os.ReadFile(filepath.Join(*dir, filepath.FromSlash(path)))
			if err != nil {
				return fmt.Errorf("question %q: %w", q.ID, err)
			}
			common = append(common, eval.Overlap(q.Query, path+"\n"+string(b))...)
		}
		if len(common) > 0 {
			shared++
			fmt.Fprintf(out, "%s: %s\n", q.ID, strings.Join(common, " "))
		}
	}
	if shared > 0 {
		return fmt.Errorf("%d questions share words with their answers", shared)
	}
	return nil
}
