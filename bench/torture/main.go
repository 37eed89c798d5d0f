// Command torture tests patina under hostile conditions. It kills scrapes, asks from many processes
// while the index changes, fills the disk, and flips bits in an index. It compares the logical
// dumps of stores, and answers.
//
//	go run -tags sqlite_fts5 ./bench/torture kill    # SIGKILL, also while publishing
//	go run -tags sqlite_fts5 ./bench/torture readers # 64 processes ask while scrapes publish
//	go run -tags sqlite_fts5 ./bench/torture full    # a small tmpfs runs full (needs root, Linux)
//	go run -tags sqlite_fts5 ./bench/torture flips   # one random bit at a time
//	go run -tags sqlite_fts5 ./bench/torture flat    # memory and descriptors over many updates
//	go run -tags sqlite_fts5 ./bench/torture churn   # edits, renames, branches under "patina mcp"
//	go run -tags sqlite_fts5 ./bench/torture shared  # two servers and a terminal, one of them killed
//	go run -tags sqlite_fts5 ./bench/torture updates # an updated index answers as a fresh one
//
// The last trial measures linked working trees: the disk space that each adds, and their ranking.
//
//	go run -tags sqlite_fts5 ./bench/torture -n 20 -repo FOLDER -q QUESTIONS worktrees
//
// It works on a copy of the folder in -repo, by default Go's standard library. It takes minutes,
// and its figures belong in bench/history. Its tests run each trial on a small repository. Speed
// is left to package bench.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// A torture is one run of the command.
type torture struct {
	out     io.Writer
	patina  string
	work    string // temporary folder, the only one that is written to
	repo    string // the repository; empty: Go's standard library
	tree    string // a copy of it
	n       int
	readers int
	seed    int64
	adapt   bool
	merges  bool

	apart     int    // commits from one working tree to the next
	questions string // file with a set of questions (docs/evaluation.md), or empty
}

// trials are the trials by name.
var trials = map[string]func(context.Context, *torture) error{
	"kill":    kills,
	"readers": readers,
	"full":    full,
	"flips":   flips,
	"flat":    flat,
	"churn":   churn,
	"shared":  shared,
	"updates": updates,

	"worktrees": worktrees,
}

const allTrials = "kill, readers, full, flips, flat, churn, shared, updates, worktrees"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := command(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "torture:", err)
		os.Exit(1)
	}
}

func command(ctx context.Context, args []string, out io.Writer) (err error) {
	t := torture{out: out}
	flags := flag.NewFlagSet("torture", flag.ContinueOnError)
	patina := flags.String("patina", "bin/patina", "the command to try")
	flags.StringVar(&t.repo, "repo", "", "folder to copy (Go's standard library without it)")
	flags.IntVar(&t.n, "n", 100, "kills, bit flips, seconds of reading, updates, edits, rounds, sequences or working trees (20 at most)")
	flags.StringVar(&t.questions, "q", "", "set of questions whose ranking is compared (worktrees)")
	flags.IntVar(&t.apart, "apart", 5, "commits between a working tree and the next, where there are so many (worktrees)")
	flags.IntVar(&t.readers, "readers", 64, "processes that ask")
	flags.BoolVar(&t.adapt, "adapt", false, "fit each index's model to its tree, and report how far answers are apart (updates)")
	flags.BoolVar(&t.merges, "merges", false, "merge branches, too (updates)")
	flags.Int64Var(&t.seed, "seed", 1, "of what is random")
	if err := flags.Parse(args); err != nil {
		return err
	}
	names := flags.Args()
	if len(names) == 0 {
		return errors.New("name a trial: " + allTrials)
	}
	for _, name := range names {
		if trials[name] == nil {
			return fmt.Errorf("no trial %q: there are %s", name, allTrials)
		}
	}
	if t.patina, err = filepath.Abs(*patina); err != nil {
		return err
	}
	if t.questions != "" {
		if t.questions, err = filepath.Abs(t.questions); err != nil {
			return err
		}
	}
	if t.work, err = os.MkdirTemp("", "patina-torture-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(t.work)) }()
	for _, name := range names {
		if err := t.fresh(ctx, name); err != nil {
			return err
		}
		fmt.Fprintf(t.out, "%s:\n", name)
		if err := trials[name](ctx, &t); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// fresh copies the repository for one trial, without the folders of git and patina.
func (t *torture) fresh(ctx context.Context, name string) error {
	repo := t.repo
	if repo == "" {
		out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
		if err != nil {
			return fmt.Errorf("find GOROOT (or name a folder with -repo): %w", err)
		}
		repo = filepath.Join(strings.TrimSpace(string(out)), "src")
	}
	t.tree = filepath.Join(t.work, name)
	return filepath.WalkDir(repo, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(repo, path)
		if err != nil {
			return err
		}
		to := filepath.Join(t.tree, rel)
		switch {
		case d.IsDir() && slices.Contains([]string{".git", ".patina"}, d.Name()):
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(to, 0o755)
		case d.Type().IsRegular():
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return os.WriteFile(to, content, 0o644)
		}
		return nil
	})
}

// command prepares a patina process on the tree, with its index in store.
func (t *torture) command(ctx context.Context, store string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, t.patina, append(args, "--store", store)...)
	c.Dir = t.tree
	c.Env = t.home("home")
	return c
}

// scrape runs a scrape and returns an error with its output if it fails.
func (t *torture) scrape(ctx context.Context, store string, args ...string) error {
	out, err := t.command(ctx, store, append([]string{"scrape"}, args...)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("scrape: %w: %s", err, out)
	}
	return nil
}
