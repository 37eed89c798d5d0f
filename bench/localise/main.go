// Command localise lets two scripted agents look for the file that a task is about. One uses the
// tools of "patina mcp", the other searches with ripgrep and reads files.
//
//	go run -tags sqlite_fts5 ./bench/localise -work FOLDER -patina bin/patina
//
// The thirty tasks are in tasks.json, with the files that answer them. They were written from
// reading the three repositories before any agent ran, and nothing was tuned on them. The agents
// follow fixed rules, in asking.go and searching.go. An agent has found a file when it has opened
// it.
//
// Repositories are cloned from GitHub unless -clones has them. The trees stay below -work for the
// next run. Indexes are always built again.
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
)

//go:embed tasks.json
var tasks []byte

// A set is the tasks of one repository.
type set struct {
	Repo     string   `json:"repo"` // owner/name
	Revision string   `json:"revision"`
	Paths    []string `json:"paths"` // only these folders; empty: all
	Tasks    []task   `json:"tasks"`
}

// A task is a description of code to find. Each of its files is a right one.
type task struct {
	Text  string   `json:"task"`
	Files []string `json:"files"`
}

// A bench holds the values of the flags.
type bench struct {
	clones, work, patina, ripgrep string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var b bench
	flag.StringVar(&b.clones, "clones", "", "folder of clones, each by its name or as owner+name; others are fetched into -work")
	flag.StringVar(&b.work, "work", "", "folder for trees and indexes")
	flag.StringVar(&b.patina, "patina", "patina", "the program to measure")
	only := flag.String("only", "", "only this repository: owner/name")
	flag.Parse()
	if err := b.run(ctx, *only); err != nil {
		fmt.Fprintln(os.Stderr, "localise:", err)
		os.Exit(1)
	}
}

func (b *bench) run(ctx context.Context, only string) error {
	sets, err := parse(tasks)
	if err != nil {
		return err
	}
	if b.work == "" {
		return errors.New("name a folder for the trees: -work FOLDER")
	}
	if b.patina, err = exec.LookPath(b.patina); err != nil {
		return fmt.Errorf("find patina: %w", err)
	}
	b.ripgrep, _ = exec.LookPath("rg") // if it is empty, git grep is used
	for _, path := range []*string{&b.patina, &b.work} {
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(b.work, 0o755); err != nil {
		return err
	}
	r := &report{}
	for _, s := range sets {
		if only != "" && s.Repo != only {
			continue
		}
		if err := b.play(ctx, s, r); err != nil {
			return fmt.Errorf("%s: %w", s.Repo, err)
		}
	}
	return r.print(os.Stdout)
}

// parse reads the tasks. It returns an error if a task has no text or no files.
func parse(b []byte) ([]set, error) {
	var sets []set
	if err := json.Unmarshal(b, &sets); err != nil {
		return nil, fmt.Errorf("read tasks: %w", err)
	}
	for _, s := range sets {
		for _, t := range s.Tasks {
			if t.Text == "" || len(t.Files) == 0 {
				return nil, fmt.Errorf("read tasks: one of %s has no text or no files", s.Repo)
			}
		}
	}
	return sets, nil
}

// play lets both agents do the tasks of one repository, and adds the results to r.
func (b *bench) play(ctx context.Context, s set, r *report) error {
	tree, err := b.checkout(ctx, s)
	if err != nil {
		return err
	}
	for _, t := range s.Tasks {
		for _, f := range t.Files {
			if _, err := os.Stat(filepath.Join(tree, f)); err != nil {
				return fmt.Errorf("task %q: %w", t.Text, err)
			}
		}
	}
	if err := os.RemoveAll(filepath.Join(tree, ".patina")); err != nil { // of an earlier run
		return err
	}
	home, err := os.MkdirTemp(b.work, "home-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	list := 0
	for _, t := range s.Tasks {
		asked, sent, err := b.ask(ctx, tree, home, t)
		if err != nil {
			return fmt.Errorf("ask %q: %w", t.Text, err)
		}
		list = sent
		searched, err := b.search(ctx, tree, t)
		if err != nil {
			return fmt.Errorf("search %q: %w", t.Text, err)
		}
		r.add(s.Repo, t, asked, searched)
	}
	r.list = list
	return nil
}
