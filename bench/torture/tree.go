package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math/rand"
	"os"
	"path/filepath"
	"strings"

	"patina/store"
	"patina/store/storetest"
)

// digest returns a hash of a store's logical dump. Equal digests mean equal content.
func digest(ctx context.Context, dir string) (string, error) {
	s, err := store.Open(dir)
	if err != nil {
		return "", err
	}
	defer func() { _ = s.Close() }()
	p, err := s.Pin(ctx, 1)
	if err != nil {
		return "", err
	}
	defer p.Close()
	h := sha256.New()
	if err := storetest.WriteDump(ctx, p.Readers[0], h); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8]), nil
}

// sources lists the files in the tree that can be changed. It returns an error if there are fewer
// than ten.
func (t *torture) sources() ([]string, error) {
	var out []string
	err := filepath.WalkDir(t.tree, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && strings.HasSuffix(path, ".go") {
			out = append(out, path)
		}
		return err
	})
	if err == nil && len(out) < 10 {
		err = errors.New("the repository has fewer than ten Go files to change")
	}
	return out, err
}

// change appends a function to n files, removes one file and adds another.
func (t *torture) change(r *rand.Rand, files []string, round, n int) error {
	for i := range n {
		f, err := os.OpenFile(files[r.Intn(len(files))], os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(f, "\n// Tortured%dx%d waits for round %d.\nfunc tortured%dx%d() {}\n", round, i, round,
			round, i)
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	_ = os.Remove(filepath.Join(t.tree, fmt.Sprintf("torture%d.go", round-1)))
	return os.WriteFile(filepath.Join(t.tree, fmt.Sprintf("torture%d.go", round)),
		fmt.Appendf(nil, "package p\n\n// Round%d is here.\nfunc Round%d() {}\n", round, round), 0o644)
}

// copyStore copies a store's files.
func copyStore(from, to string) error {
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	return os.CopyFS(to, os.DirFS(from))
}
