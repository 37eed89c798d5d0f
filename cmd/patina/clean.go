package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"patina/cmd/internal/deliver"
	"patina/registry"
)

func (a *app) clean() *cobra.Command {
	var queries bool
	c := &cobra.Command{
		Use:   "clean",
		Short: "Remove the index, or the query log",
		Long: `Remove the index of this project. Everything in it is derived, so nothing is asked: "patina scrape" makes it again. Files
in the store folder that are not patina's are kept, and named.

With --queries the log of query ids of this user is removed instead, for all projects.`,
		Example: `  patina clean
  patina clean --queries`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			p, err := a.here()
			if err != nil {
				return err
			}
			if queries {
				n, err := registry.Queries(p.home).Clear()
				if err == nil {
					fmt.Fprintf(a.out, "removed the query log (%s)\n", plural(n, "day"))
				}
				return err
			}
			return a.cleanStore(p.Store)
		},
	}
	c.Flags().BoolVar(&queries, "queries", false, "remove the query log instead")
	return c
}

func (a *app) cleanStore(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(a.out, "nothing to remove: no store at %s\n", deliver.Plain(dir))
		return nil
	}
	if err != nil {
		return fmt.Errorf("clean: %w", err)
	}
	unlock, err := holdLock(filepath.Join(dir, "lock"))
	if err != nil {
		return err
	}
	defer unlock()
	var kept []string
	for _, e := range entries {
		if e.IsDir() || !derived(e.Name()) {
			kept = append(kept, e.Name())
			continue
		}
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("clean: %w", err)
		}
	}
	fmt.Fprintf(a.out, "removed the index at %s\n", deliver.Plain(dir))
	if len(kept) > 0 {
		fmt.Fprintf(a.out, "kept, since patina did not make it: %s\n", deliver.Plain(strings.Join(kept, ", ")))
		return nil
	}
	if err := os.Remove(dir); err != nil {
		return fmt.Errorf("clean: %w", err)
	}
	return nil
}

// derived tells whether a file of a store folder is one that a scrape makes (store: layout.go).
func derived(name string) bool {
	switch name {
	case ".gitignore", "current", "current.new", "lock", registry.IDFile:
		return true
	}
	return strings.HasPrefix(name, "index-") && (strings.Contains(name, ".db") || strings.Contains(name, ".vec") || strings.Contains(name, ".hnsw")) || strings.HasPrefix(name, registry.IDFile+".") && strings.HasSuffix(name, ".tmp")
}

// holdLock takes the lock of a store, so that no scrape loses its files under way. Without a lock file nobody scrapes.
func holdLock(file string) (unlock func(), err error) {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return func() {}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("clean: %w", err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, hint(errors.New("clean: a scrape is under way"), "wait until it has finished")
	}
	return func() { f.Close() }, nil
}
