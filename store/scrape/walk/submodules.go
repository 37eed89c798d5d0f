package scrape

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// enter adds the files of the submodules of a listing, those of their submodules too. What is ignored and marked in one is said
// by its own files alone. One that git refuses to list is left out and named.
func (l *listing) enter(ctx context.Context, root, storeDir string) error {
	folders := l.folders
	l.folders = nil
	for _, name := range folders {
		dir := filepath.Join(root, name)
		if !checkedOut(dir) {
			if isEmpty(dir) {
				l.missing = append(l.missing, name)
			}
			continue
		}
		b, err := beginListing(ctx, dir, nil)
		var inner listing
		if err == nil {
			inner, err = b.repository(ctx, storeDir)
		}
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, ErrGit):
			l.notes = append(l.notes, fmt.Sprintf("submodule %q left out: %v", name, err))
			continue
		case err != nil:
			return err
		}
		l.adopt(name, inner)
	}
	slices.SortFunc(l.files, func(a, b found) int { return cmp.Compare(a.path, b.path) })
	return nil
}

// adopt adds what was listed in a folder.
func (l *listing) adopt(name string, inner listing) {
	for _, f := range inner.files {
		f.path = name + "/" + f.path
		l.files = append(l.files, f)
	}
	for reason, n := range inner.skipped {
		l.skipped[reason] += n
	}
	for _, m := range inner.missing {
		l.missing = append(l.missing, name+"/"+m)
	}
	l.notes = append(l.notes, inner.notes...)
}

// checkedOut tells whether a folder that git tracks is the top of a repository.
func checkedOut(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}

// isEmpty is true of what git makes of a submodule that is not checked out. A folder with files stands in place of a tracked
// file: its files are listed as others.
func isEmpty(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && len(entries) == 0
}
