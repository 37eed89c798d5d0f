// Commits measures how high the files of a commit stand when its subject is asked of the tree before it.
//
//	go run -tags sqlite_fts5 ./bench/eval/commits -work /tmp/commits a/repository another/repository
//
// Each folder is a clone or a bare repository. The newest commits that say something are the questions; what is searched is the
// tree before the oldest of them, with the history up to there and nothing later. It is checked out and scraped below -work
// and stays there for the next time.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"patina/actors"
	"patina/bench/eval/locate"
	"patina/oracles/embed"
	"patina/store"
	"patina/store/scrape"
)

func main() {
	var m measurement
	flag.StringVar(&m.work, "work", "", "folder for the trees")
	flag.IntVar(&m.n, "n", 200, "commits a repository")
	code := flag.Bool("code", false, "search code alone, and count files of code alone; else Markdown, too")
	flag.BoolVar(&m.engine, "engine", true, "ask the engine, too")
	keep := flag.String("json", "", "file to keep the ranks in")
	vectors := flag.Bool("vectors", true, "rank by the embedder, too")
	table := flag.String("table", "", "file with a table of the embedder; without it, the built-in one")
	flag.Parse()
	m.kinds = []store.Kind{store.Code, store.Pattern}
	if *code {
		m.kinds = m.kinds[:1]
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := m.run(ctx, flag.Args(), *vectors, *table, *keep); err != nil {
		fmt.Fprintln(os.Stderr, "commits:", err)
		os.Exit(1)
	}
}

// A measurement is what the flags say.
type measurement struct {
	work   string
	n      int
	kinds  []store.Kind
	engine bool
	model  store.Adapter
}

func (m *measurement) run(ctx context.Context, repositories []string, vectors bool, table, keep string) (err error) {
	if m.work == "" || len(repositories) == 0 {
		return errors.New("name a folder for the trees (-work) and one repository or more")
	}
	if vectors {
		if m.model, err = locate.ModelOf(table); err != nil {
			return err
		}
	}
	var all []*locate.Repository
	for _, path := range repositories {
		r, err := m.measure(ctx, path)
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%s: %d questions, %d files, %d chunks\n", r.Name, len(r.Questions), r.Files, r.Chunks)
		all = append(all, r)
		if err := save(locate.NewReport(all), keep); err != nil {
			return err
		}
	}
	return locate.NewReport(all).Text(os.Stdout)
}

// save keeps a report, after each repository: a run takes long, and its ranks can be read while it goes on.
func save(r *locate.Report, file string) error {
	if file == "" {
		return nil
	}
	b, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, b, 0o644)
}

func (m *measurement) measure(ctx context.Context, path string) (*locate.Repository, error) {
	gitDir, err := locate.GitDir(path)
	if err != nil {
		return nil, err
	}
	past, err := locate.ReadPast(ctx, gitDir, m.n)
	if err != nil {
		return nil, err
	}
	name := nameOf(path)
	tree := filepath.Join(m.work, name)
	if err := locate.Checkout(ctx, gitDir, past.Cut, tree); err != nil {
		return nil, err
	}
	home := filepath.Join(tree, ".patina")
	o := scrape.Options{Root: tree, StoreDir: home, Ownership: scrape.Ownership{ProjectID: name}}
	if m.model != nil && m.engine {
		o.Embedder, o.Load = m.model, embed.Load // or the engine's semantic channel has nothing to search
	}
	if _, err := scrape.Run(ctx, o); err != nil {
		return nil, err
	}
	return m.localise(ctx, name, tree, home, past)
}

// localise asks the index of a tree.
func (m *measurement) localise(ctx context.Context, name, tree, home string, past *locate.Past) (*locate.Repository, error) {
	index, err := store.Open(home)
	if err != nil {
		return nil, err
	}
	defer index.Close()
	pin, err := index.Pin(ctx, 1)
	if err != nil {
		return nil, err
	}
	defer pin.Close()
	files, err := locate.ReadTree(ctx, locate.Index{Reader: pin.Readers[0]}, m.kinds)
	if err != nil {
		return nil, err
	}
	o := locate.Options{Kinds: m.kinds, Embedder: m.model}
	if m.engine {
		engine, err := actors.Open(actors.Options{Projects: []actors.Project{{ID: name, Name: name, Root: tree, StoreDir: home}}})
		if err != nil {
			return nil, err
		}
		defer func() {
			end, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			_ = engine.Close(end) // the figures are out
		}()
		o.Engine = engine
	}
	return locate.Localise(ctx, name, files, past, o)
}

// nameOf is a repository's name: the last part of its path that is not what git calls it.
func nameOf(path string) string {
	parts := strings.Split(filepath.ToSlash(filepath.Clean(path)), "/")
	for len(parts) > 1 && (parts[len(parts)-1] == ".git" || parts[len(parts)-1] == "repo") {
		parts = parts[:len(parts)-1]
	}
	return parts[len(parts)-1]
}
