// Command impact measures "patina impact" on the history and on the tests of repositories.
//
//	go run ./bench/impact changes [-n 6] [-skip 0] CLONE...
//	go run ./bench/impact mutations [-n 20] TREE...
//
// Both need -tags sqlite_fts5. The first checks out, in each clone, the parents of its newest
// merged changes, and asks from the first changed file alone for the others: see changes.go. The
// second changes one operator of a function of a Go tree at a time, and compares the tests that
// fail with those that impact names: see mutations.go. The clones and trees are written to, so they
// must be copies.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
)

func main() {
	if err := measure(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "impact:", err)
		os.Exit(1)
	}
}

// measure runs the part that the first argument names.
func measure(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return errors.New("want changes or mutations, then folders")
	}
	f := flag.NewFlagSet(args[0], flag.ExitOnError)
	switch args[0] {
	case "changes":
		o := changeOptions{}
		f.IntVar(&o.each, "n", 6, "changes of each clone")
		f.IntVar(&o.skip, "skip", 0, "newest changes of each clone to leave out")
		f.StringVar(&o.dump, "dump", "", "also write the evidence for each change to this `file`, one JSON object a line")
		f.BoolVar(&o.verbose, "v", false, "print each change")
		_ = f.Parse(args[1:])
		return measureChanges(ctx, o, f.Args())
	case "mutations":
		o := mutationOptions{}
		f.IntVar(&o.each, "n", 5, "mutations of each tree that fail a test")
		f.Uint64Var(&o.seed, "seed", 1, "of the draw")
		f.BoolVar(&o.verbose, "v", false, "print each mutation")
		_ = f.Parse(args[1:])
		return measureMutations(ctx, o, f.Args())
	}
	return fmt.Errorf("no part %q", args[0])
}
