package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
)

// longName matches identifiers, which are renamed in every copy except the first. No language has a
// keyword of this form. Comments keep their words, so that copies share words as the parts of one
// large code base do.
var longName = regexp.MustCompile(`\b[a-z_]*[A-Z][A-Za-z0-9_]{4,}\b`)

// copies returns the number of copies to index, from $BENCH_COPIES, or 1 without it. Eight copies
// of Go's standard library make a million chunks.
func copies() (int, error) {
	v := os.Getenv("BENCH_COPIES")
	if v == "" {
		return 1, nil
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 || n > 100 {
		return 0, fmt.Errorf("BENCH_COPIES %q: want a number from 1 to 100", v)
	}
	return n, nil
}

// multiply adds n-1 copies to the tree, each in its own folder and with other identifiers.
func (r *repository) multiply(ctx context.Context, n int) error {
	whole := r.files
	for i := 1; i < n; i++ {
		for _, f := range whole {
			if err := ctx.Err(); err != nil {
				return err
			}
			content, err := os.ReadFile(filepath.Join(r.root, f.path))
			if err != nil {
				return err
			}
			renamed := renameCode(content, path.Ext(f.path), i)
			name := fmt.Sprintf("copy%d/%s", i, f.path)
			to := filepath.Join(r.root, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, renamed, 0o644)); err != nil {
				return err
			}
			r.files = append(r.files, file{name, int64(len(renamed))})
			r.bytes += int64(len(renamed))
		}
	}
	return nil
}

var commentLine = regexp.MustCompile(`(?m)^[ \t]*(//|#|\*).*$`)

// renameCode adds a suffix to identifiers in source code, except in comment lines. It returns other
// files unchanged.
func renameCode(content []byte, ext string, number int) []byte {
	if commentMark[ext] == "" {
		return content
	}
	ending := []byte(fmt.Sprintf("Q%d", number))
	rename := func(code []byte) []byte {
		return longName.ReplaceAllFunc(code, func(name []byte) []byte {
			return append(name[:len(name):len(name)], ending...)
		})
	}
	var out []byte
	at := 0
	for _, m := range commentLine.FindAllIndex(content, -1) {
		out = append(append(out, rename(content[at:m[0]])...), content[m[0]:m[1]]...)
		at = m[1]
	}
	return append(out, rename(content[at:])...)
}
