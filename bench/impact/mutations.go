package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"patina/code/impact"
	"patina/scrape"
	"patina/store"
)

type mutationOptions struct {
	each    int
	seed    uint64
	verbose bool
}

// An outcome compares the tests that fail after a mutation with those that impact names.
type outcome struct {
	tree, function string
	failing        []string // newly failing test functions
	named          []string // test functions that impact names, likeliest first
	files          []string // test files that it names, also without a function
	failingFiles   []string // the files of the failing tests
}

// measureMutations prints which failing tests were named, over all trees.
func measureMutations(ctx context.Context, o mutationOptions, trees []string) error {
	var all []outcome
	for _, tree := range trees {
		found, err := measureTree(ctx, o, tree)
		if err != nil {
			return fmt.Errorf("%s: %w", tree, err)
		}
		all = append(all, found...)
	}
	reportMutations(os.Stdout, all)
	return nil
}

// measureTree mutates one function after the other until enough mutations fail a test.
func measureTree(ctx context.Context, o mutationOptions, tree string) (out []outcome, err error) {
	tree, err = filepath.Abs(tree)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "impact-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	index := filepath.Join(dir, "index")
	if _, err := scrape.Run(ctx, scrape.Options{Root: tree, StoreDir: index}); err != nil {
		return nil, err
	}
	before, err := runTests(ctx, tree)
	if err != nil {
		return nil, err
	}
	places, err := mutationsIn(tree, o.seed)
	if err != nil {
		return nil, err
	}
	tried := 0
	for _, m := range places {
		if len(out) == o.each {
			break
		}
		tried++
		after, err := m.testMutated(ctx, tree)
		if err != nil { // it does not compile, or hangs
			continue
		}
		x := outcome{tree: filepath.Base(tree), function: m.path + "::" + m.function}
		for name, passes := range before {
			if now, ran := after[name]; passes && ran && !now {
				x.failing = append(x.failing, name)
			}
		}
		if len(x.failing) == 0 {
			continue
		}
		slices.Sort(x.failing)
		if err := x.askImpact(ctx, index, m, tree); err != nil {
			return nil, err
		}
		out = append(out, x)
		if o.verbose {
			fmt.Printf("%s %s (%s): %d failing, %d named, found@10 %d: %q\n", x.tree, x.function, m.what, len(x.failing),
				len(x.named), countFound(x.failing, x.named, 10), x.failing)
		}
	}
	fmt.Fprintf(os.Stderr, "%s: %d of %d mutations that were tried fail a test\n", filepath.Base(tree), len(out), tried)
	return out, nil
}

// askImpact asks for the impact of the mutated function.
func (x *outcome) askImpact(ctx context.Context, index string, m mutation, tree string) error {
	s, err := store.Open(index)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	pin, err := s.Pin(ctx, 1)
	if err != nil {
		return err
	}
	defer pin.Close()
	found, err := impact.Of(ctx, pin.Readers[0], impact.Query{Changes: []impact.Change{{Path: m.path, Symbol: m.function}}})
	if err != nil {
		return err
	}
	for _, t := range found.Tests {
		if !slices.Contains(x.files, t.Path) {
			x.files = append(x.files, t.Path)
		}
		if name := keyOf(filepath.Dir(t.Path), t.Symbol); t.Symbol != "" && !slices.Contains(x.named, name) {
			x.named = append(x.named, name)
		}
	}
	for _, name := range x.failing {
		file, err := fileOfTest(tree, name)
		if err != nil {
			return err
		}
		if !slices.Contains(x.failingFiles, file) {
			x.failingFiles = append(x.failingFiles, file)
		}
	}
	return nil
}

// keyOf names a test function by its folder, from the root of the tree.
func keyOf(folder, function string) string { return filepath.ToSlash(folder) + "." + function }

// countFound counts the failing tests among the first n named ones; 0 means all.
func countFound(failing, named []string, n int) (found int) {
	if n > 0 {
		named = named[:min(n, len(named))]
	}
	for _, name := range failing {
		if slices.Contains(named, name) {
			found++
		}
	}
	return found
}

// fileOfTest returns the file of a test function, from the root of the tree.
func fileOfTest(tree, name string) (string, error) {
	i := strings.LastIndexByte(name, '.')
	folder, function := name[:i], name[i+1:]
	files, err := filepath.Glob(filepath.Join(tree, filepath.FromSlash(folder), "*_test.go"))
	if err != nil {
		return "", err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		if strings.Contains(string(text), "func "+function+"(") {
			rel, err := filepath.Rel(tree, file)
			return filepath.ToSlash(rel), err
		}
	}
	return "", fmt.Errorf("no file of the test %s", name)
}
