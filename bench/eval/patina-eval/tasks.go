package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"patina/bench/eval"
)

// agents are the flags for tasks.
type agents struct {
	clones, work, patina string
	ripgrep              string // empty: not on PATH
}

// tasks lets two scripted agents find the files that a described change touches: one with patina,
// one with ripgrep and by reading. Each task's revision is checked out below -work, with no
// reference to anything later, and kept for the next run. It is scraped into an index of its own,
// removed afterwards. The scripts are WithPatina and WithRipgrep in package eval.
func tasks(ctx context.Context, flags *flag.FlagSet, args []string, out io.Writer) error {
	var a agents
	set, keep, err := a.flags(flags, args, "set of tasks")
	if err != nil {
		return err
	}
	list, err := eval.LoadTasks(set)
	if err != nil {
		return err
	}
	if err := a.resolve(); err != nil {
		return err
	}
	report := &eval.TaskReport{}
	for _, t := range list {
		plays, err := a.play(ctx, t)
		if err != nil {
			return fmt.Errorf("task %q: %w", t.ID, err)
		}
		fmt.Fprintf(os.Stderr, "%s: %d of %d files in %d calls, %d tokens\n", t.ID, plays.Patina.Seen, plays.Wanted, len(plays.Patina.Calls), plays.Patina.Tokens)
		report.Tasks = append(report.Tasks, plays)
		if err := save(report, keep); err != nil {
			return err
		}
	}
	return report.Text(out)
}

// lines lets the same agents look for lines that answer a question, until one is on the screen.
func lines(ctx context.Context, flags *flag.FlagSet, args []string, out io.Writer) error {
	var a agents
	plain := flags.Bool("words", false, "let the agent with rg search for the words of each question, not as somebody who knows the code")
	file, keep, err := a.flags(flags, args, "set of questions whose answers are lines")
	if err != nil {
		return err
	}
	sets, err := eval.LoadLines(file)
	if err != nil {
		return err
	}
	if err := a.resolve(); err != nil {
		return err
	}
	report := &eval.TaskReport{Wanted: "lines"}
	for _, s := range sets {
		err := a.inTree(ctx, s.Name, s.Revision, func(files []string, tools eval.Tools) error {
			for _, q := range s.Questions {
				if *plain {
					q = q.Words()
				}
				p := eval.TaskPlays{ID: q.Query, Repo: s.Repo, Wanted: 1}
				if p.Patina, err = q.WithPatina(ctx, tools); err != nil {
					return err
				}
				if tools.Ripgrep != nil {
					rg, err := q.WithRipgrep(ctx, files, tools)
					if err != nil {
						return err
					}
					p.Ripgrep = &rg
				}
				report.Tasks = append(report.Tasks, p)
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("questions about %q: %w", s.Name, err)
		}
		fmt.Fprintf(os.Stderr, "%s: %d questions\n", s.Name, len(s.Questions))
		if err := save(report, keep); err != nil {
			return err
		}
	}
	return report.Text(out)
}

// flags reads the flags that both measurements have.
func (a *agents) flags(flags *flag.FlagSet, args []string, of string) (set, keep string, err error) {
	flags.StringVar(&set, "q", "", of)
	flags.StringVar(&keep, "json", "", "file to keep every call in")
	flags.StringVar(&a.clones, "clones", "", "folder of the repositories, each by its name")
	flags.StringVar(&a.work, "work", "", "folder for the trees")
	flags.StringVar(&a.patina, "patina", "patina", "the program to measure")
	if err := flags.Parse(args); err != nil {
		return "", "", err
	}
	if set == "" || a.clones == "" || a.work == "" {
		return "", "", errors.New("name a set (-q), the folder of the repositories (-clones) and one for the trees (-work)")
	}
	return set, keep, nil
}

// resolve makes the paths absolute, because tools run in the trees.
func (a *agents) resolve() (err error) {
	if a.patina, err = exec.LookPath(a.patina); err != nil {
		return fmt.Errorf("find patina: %w", err)
	}
	a.ripgrep, _ = exec.LookPath("rg") // without it, its half is left out
	for _, path := range []*string{&a.patina, &a.work, &a.clones} {
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	return os.MkdirAll(a.work, 0o755)
}

func (a *agents) play(ctx context.Context, t eval.Task) (p eval.TaskPlays, err error) {
	p = eval.TaskPlays{ID: t.ID, Repo: t.Repo, Wanted: len(t.Files)}
	err = a.inTree(ctx, t.Name, t.Revision, func(files []string, tools eval.Tools) (err error) {
		if p.Patina, err = t.WithPatina(ctx, files, tools); err != nil || tools.Ripgrep == nil {
			return err
		}
		rg, err := t.WithRipgrep(ctx, files, tools)
		p.Ripgrep = &rg
		return err
	})
	return p, err
}

// inTree checks a revision out, scrapes it and calls f with its files and the tools. The index is
// removed afterwards.
func (a *agents) inTree(
	ctx context.Context, name, revision string, f func(files []string, tools eval.Tools) error,
) (err error) {
	gitDir, err := eval.GitDir(filepath.Join(a.clones, name))
	if err != nil {
		return err
	}
	files, err := eval.Files(ctx, gitDir, revision)
	if err != nil {
		return err
	}
	tree := filepath.Join(a.work, name+"-"+revision[:12])
	if err := eval.Checkout(ctx, gitDir, revision, tree); err != nil {
		return err
	}
	index, err := os.MkdirTemp(a.work, "index-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(index)) }()
	if _, err := a.run(ctx, tree, index, "", "scrape"); err != nil {
		return err
	}
	root, err := os.OpenRoot(tree)
	if err != nil {
		return err
	}
	defer root.Close()
	tools := eval.Tools{Read: func(path string, first, count int) (string, error) { return linesOf(root, path, first, count) }}
	tools.Patina = func(ctx context.Context, text string, args ...string) (string, error) {
		return a.run(ctx, tree, index, text, append([]string{"scry", "--timeout", "30s"}, args...)...)
	}
	if a.ripgrep != "" {
		tools.Ripgrep = func(ctx context.Context, args []string) (string, error) { return a.search(ctx, tree, args) }
	}
	return f(files, tools)
}

// run starts patina on an index and with a home of its own. Exit code 1 is an answer: nothing
// relevant.
func (a *agents) run(ctx context.Context, tree, index, text string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, a.patina, append(args, "--store", filepath.Join(index, "store"))...)
	c.Dir, c.Stdin = tree, strings.NewReader(text)
	c.Env = append(os.Environ(), "PATINA_HOME="+filepath.Join(index, "home"))
	printed, err := c.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1 || args[0] != "scry") {
		return "", fmt.Errorf("run patina %q: %w: %s", args, err, bytes.TrimSpace(printed))
	}
	return string(printed), nil
}

// search runs ripgrep. Files come in the order of their paths, so equal trees give equal output.
// Long lines are cut. Its own complaints, such as a path that is not there, are output as well.
func (a *agents) search(ctx context.Context, tree string, args []string) (string, error) {
	fixed := []string{"--no-config", "--no-heading", "--color=never", "-n", "-H", "--sort=path", "--max-columns=200", "--max-columns-preview"}
	c := exec.CommandContext(ctx, a.ripgrep, append(fixed, args...)...)
	c.Dir = tree
	cut := firstLines{left: searchLines}
	c.Stdout, c.Stderr = &cut, &cut
	var exit *exec.ExitError
	if err := c.Run(); err != nil && !errors.As(err, &exit) {
		return "", fmt.Errorf("run rg %q: %w", args, err)
	}
	return cut.kept.String(), nil
}

// searchLines is how many lines of a search an agent's tool shows.
const searchLines = 100

// firstLines keeps the first lines written to it and drops all others.
type firstLines struct {
	kept strings.Builder
	left int
}

func (w *firstLines) Write(b []byte) (int, error) {
	for line := range bytes.Lines(b) {
		if w.left == 0 {
			break
		}
		w.kept.Write(line)
		if bytes.HasSuffix(line, []byte("\n")) {
			w.left--
		}
	}
	return len(b), nil
}

// mostBytes is per file read.
const mostBytes = 64 << 20

// linesOf returns up to count lines of a file below root, from the first. A link out of the root is
// an error.
func linesOf(root *os.Root, path string, first, count int) (string, error) {
	f, err := root.Open(filepath.FromSlash(path))
	if err != nil {
		return "", fmt.Errorf("read %q: %w", path, err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, mostBytes))
	if err != nil {
		return "", fmt.Errorf("read %q: %w", path, err)
	}
	all := bytes.SplitAfter(b, []byte("\n"))
	first = min(first-1, len(all))
	return string(bytes.Join(all[first:min(first+count, len(all))], nil)), nil
}
