package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"patina/actors"
	"patina/bench/eval"
	"patina/bench/eval/rankings"
	"patina/oracles/embed"
	"patina/scrape"
	"patina/store/doc"
)

// A localisation has the flags of commits.
type localisation struct {
	work   string
	n      int
	kinds  []doc.Kind
	engine bool
	model  doc.Adapter
}

// commits measures how high a commit's files rank if its subject is asked on the tree before it.
// Each folder must be a clone or a bare repository. The newest specific commits are the questions.
// The tree before the oldest of them is searched, with the history up to it and nothing later. The
// tree is checked out and scraped below -work, and kept for the next run.
func commits(ctx context.Context, flags *flag.FlagSet, args []string, out io.Writer) (err error) {
	m := localisation{kinds: []doc.Kind{doc.Code, doc.Pattern}}
	flags.StringVar(&m.work, "work", "", "folder for the trees")
	flags.IntVar(&m.n, "n", 200, "commits a repository")
	flags.BoolVar(&m.engine, "engine", true, "ask the engine, too")
	code := flags.Bool("code", false, "search code alone, and count files of code alone; else Markdown, too")
	keep := flags.String("json", "", "file to keep the ranks in")
	vectors := flags.Bool("vectors", true, "rank by the embedder, too")
	table := flags.String("table", "", "file with a table of the embedder; without it, the built-in one")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if m.work == "" || flags.NArg() == 0 {
		return errors.New("name a folder for the trees (-work) and one repository or more")
	}
	if *code {
		m.kinds = m.kinds[:1]
	}
	if *vectors {
		if m.model, err = modelOf(*table); err != nil {
			return err
		}
	}
	var all []*rankings.Repository
	for _, path := range flags.Args() {
		r, err := m.measure(ctx, path)
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%s: %d questions, %d files, %d chunks\n", r.Name, len(r.Questions), r.Files, r.Chunks)
		all = append(all, r)
		if err := save(rankings.NewMacroReport(all), *keep); err != nil {
			return err
		}
	}
	return rankings.NewMacroReport(all).Text(out)
}

// save writes the report so far as JSON, because a run is long and its figures can be read
// meanwhile. It does nothing if file is empty.
func save(r any, file string) error {
	if file == "" {
		return nil
	}
	b, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, b, 0o644)
}

func (m *localisation) measure(ctx context.Context, path string) (r *rankings.Repository, err error) {
	gitDir, err := eval.GitDir(path)
	if err != nil {
		return nil, err
	}
	past, err := eval.ReadPast(ctx, gitDir, m.n)
	if err != nil {
		return nil, err
	}
	name := nameOf(path)
	tree := filepath.Join(m.work, name)
	if err := eval.Checkout(ctx, gitDir, past.Cut, tree); err != nil {
		return nil, err
	}
	o := scrape.Options{
		Root: tree, StoreDir: filepath.Join(tree, ".patina"),
		Ownership: scrape.Ownership{ProjectID: name},
	}
	if m.model != nil && m.engine {
		// Without the embedder, the engine's semantic channel would have nothing to search.
		o.Embedder, o.Load = m.model, embed.Load
	}
	if _, err := scrape.Run(ctx, o); err != nil {
		return nil, err
	}
	err = withIndex(ctx, tree, func(index rankings.Reader) error {
		files, err := rankings.ReadTree(ctx, index, m.kinds)
		if err != nil {
			return err
		}
		o := rankings.LocaliseOptions{Kinds: m.kinds, Embedder: m.model}
		if !m.engine {
			r, err = rankings.Localise(ctx, name, files, past, o)
			return err
		}
		return withEngine(tree, name, func(e *actors.Engine) error {
			o.Engine = e
			r, err = rankings.Localise(ctx, name, files, past, o)
			return err
		})
	})
	return r, err
}

// nameOf returns a repository's name: the last part of its path that git did not choose.
func nameOf(path string) string {
	parts := strings.Split(filepath.ToSlash(filepath.Clean(path)), "/")
	for len(parts) > 1 && slices.Contains([]string{".git", "repo"}, parts[len(parts)-1]) {
		parts = parts[:len(parts)-1]
	}
	return parts[len(parts)-1]
}
