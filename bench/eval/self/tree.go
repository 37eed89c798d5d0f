package self

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"patina/actors"
	"patina/bench/eval"
	"patina/code/lookup"
	"patina/oracles"
	"patina/oracles/embed"
	"patina/scrape"
	"patina/scrape/git"
	"patina/store"
	"patina/store/doc"
)

// An Index returns the texts and the chunks of an index, like a workspace.Inspection.
type Index interface {
	Texts(ctx context.Context, f func(lookup.Text) error) error
	Chunks(ctx context.Context, f func(lookup.ChunkText) error) error
}

// A tree is the target of questions: a throw-away copy with its own index, or the project itself.
type tree struct {
	Index
	engine  eval.Asker
	oracles []string // of the engine
	close   func()
	paths   map[string]doc.Kind // of files only; commits and memories have no path
}

// A span is a range of lines, from 1.
type span struct{ first, last int }

// A workshop makes throw-away trees below one folder.
type workshop struct {
	dir      string
	progress func(stage string, done, total int)
}

// checkout writes the tree of a commit to a new folder. It borrows the objects of the repository,
// but git's log in the folder ends with the commit.
func (w *workshop) checkout(ctx context.Context, repo git.Tree, commit, name string) (string, error) {
	dir := filepath.Join(w.dir, name)
	if err := eval.Checkout(ctx, repo.CommonDir, commit, dir); err != nil {
		return "", err
	}
	shallow, err := os.ReadFile(filepath.Join(repo.CommonDir, "shallow"))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, ".git", "shallow"), shallow, 0o600)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("check out %q: %w", dir, err)
	}
	return dir, nil
}

// hold writes files into a folder, without the lines that are cut. cuts may be nil.
func hold(dir string, files map[string]string, cuts map[string][]span) error {
	for path, body := range files {
		if !filepath.IsLocal(filepath.FromSlash(path)) {
			continue
		}
		to := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return err
		}
		if err := os.Remove(to); err != nil && !errors.Is(err, os.ErrNotExist) { // it may be a link
			return err
		}
		if err := os.WriteFile(to, []byte(without(body, cuts[path])), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// without returns a text without some of its lines.
func without(body string, cuts []span) string {
	if len(cuts) == 0 {
		return body
	}
	var b strings.Builder
	n := 0
	for line := range strings.Lines(body) {
		n++
		cut := false
		for _, c := range cuts {
			cut = cut || c.first <= n && n <= c.last
		}
		if !cut {
			b.WriteString(line)
		}
	}
	return b.String()
}

// scrape indexes a folder, with a model fitted to it, and opens an engine on it. The engine has no
// notes and no memories, because these may be younger than the tree.
func (w *workshop) scrape(ctx context.Context, dir string) (*tree, error) {
	o := scrape.Options{
		Root: dir, StoreDir: dir + ".index", Ownership: scrape.Ownership{ProjectID: "eval"}, Embedder: embed.Base(),
		Load:     embed.Load,
		Progress: func(p scrape.Progress) { w.progress("read a throw-away copy: "+p.Stage, p.Done, p.Total) },
	}
	if _, err := scrape.Run(ctx, o); err != nil {
		return nil, fmt.Errorf("index %q: %w", dir, err)
	}
	index, err := store.Open(o.StoreDir)
	if err != nil {
		return nil, err
	}
	pin, err := index.Pin(ctx, 1)
	if err != nil {
		return nil, errors.Join(err, index.Close())
	}
	e, err := actors.Open(actors.Options{Projects: []actors.Project{{
		ID: "eval", Name: filepath.Base(dir), Root: dir,
		StoreDir: o.StoreDir,
	}}})
	if err != nil {
		pin.Close()
		return nil, errors.Join(err, index.Close())
	}
	t := &tree{Index: reader{pin.Readers[0]}, engine: e}
	for _, x := range oracles.Default() {
		t.oracles = append(t.oracles, x.Name())
	}
	t.close = func() {
		end, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = e.Close(end) // the answers are read
		pin.Close()
		_ = index.Close()
	}
	if t.paths, err = pathsOf(ctx, t); err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

// A reader is the Index of a store.
type reader struct{ *store.Reader }

// Texts implements Index.
func (r reader) Texts(ctx context.Context, f func(lookup.Text) error) error {
	return lookup.Texts(ctx, r.Reader, f)
}

// Chunks implements Index.
func (r reader) Chunks(ctx context.Context, f func(lookup.ChunkText) error) error {
	return lookup.Chunks(ctx, r.Reader, f)
}

// pathsOf returns the kinds of an index's files, by path.
func pathsOf(ctx context.Context, x Index) (map[string]doc.Kind, error) {
	paths := map[string]doc.Kind{}
	err := x.Chunks(ctx, func(t lookup.ChunkText) error {
		if t.Path != "" {
			paths[t.Path] = t.Kind
		}
		return ctx.Err()
	})
	return paths, err
}

// count returns the number of files of the given kinds.
func (t *tree) count(kinds ...doc.Kind) int {
	n := 0
	for _, k := range t.paths {
		for _, wanted := range kinds {
			if k == wanted {
				n++
			}
		}
	}
	return n
}

// filesOf returns the texts of an index's files, by path.
func filesOf(ctx context.Context, x Index) (map[string]string, error) {
	files := map[string]string{}
	err := x.Texts(ctx, func(t lookup.Text) error {
		if t.Path != "" {
			files[t.Path] = t.Body
		}
		return ctx.Err()
	})
	return files, err
}
