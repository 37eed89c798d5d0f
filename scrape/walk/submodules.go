package walk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"patina/scrape/openat"
)

// addSubmodules adds the files of submodules, also nested ones, or those in the given paths. Each
// submodule has its own ignore rules. If git refuses one, it is left out and a note names it.
func (l *Listing) addSubmodules(ctx context.Context, root, storeDir string, paths []string) error {
	folders := l.folders
	l.folders = nil
	for _, name := range folders {
		dir := filepath.Join(root, name)
		if !checkedOut(dir) {
			if isEmpty(dir) {
				l.Missing = append(l.Missing, name)
			}
			continue
		}
		w, err := Begin(ctx, dir, innerPaths(paths, name))
		var inner Listing
		if err == nil {
			inner, err = w.repository(ctx, storeDir)
		}
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, ErrGit):
			l.Notes = append(l.Notes, fmt.Sprintf("submodule %q left out: %v", name, err))
			continue
		case err != nil:
			return err
		}
		l.adopt(name, inner)
	}
	slices.SortFunc(l.Files, func(a, w File) int { return cmp.Compare(a.Path, w.Path) })
	return nil
}

// adopt adds the listing of a folder.
func (l *Listing) adopt(name string, inner Listing) {
	for _, f := range inner.Files {
		f.Path = name + "/" + f.Path
		l.Files = append(l.Files, f)
	}
	for reason, n := range inner.Skipped {
		l.Skipped[reason] += n
	}
	for _, m := range inner.Missing {
		l.Missing = append(l.Missing, name+"/"+m)
	}
	for _, n := range inner.Nested {
		l.Nested = append(l.Nested, name+"/"+n)
	}
	l.Notes = append(l.Notes, inner.Notes...)
}

// innerPaths returns the paths that are in a folder, relative to it. It returns nil, which means
// the whole folder, if one of them contains the folder.
func innerPaths(paths []string, folder string) (inner []string) {
	for _, p := range paths {
		if rest, ok := strings.CutPrefix(p, folder+"/"); ok {
			inner = append(inner, rest)
		} else if p == "." || p == folder || strings.HasPrefix(folder, p+"/") {
			return nil
		}
	}
	return inner
}

// outerPaths replaces each path in another repository by that repository's folder, because git
// knows the folder of a submodule, but no file in it.
func outerPaths(root string, paths []string) []string {
	at, err := openat.Open(root)
	if err != nil {
		return paths // git reports the reason
	}
	defer at.Close()
	out := make([]string, 0, len(paths))
	for _, p := range paths {
		for i := 0; i <= len(p); i++ {
			if i < len(p) && p[i] != '/' {
				continue
			}
			if _, err := at.Lstat(p[:i] + "/.git"); err == nil && p[:i] != "." {
				p = p[:i]
			}
		}
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// checkedOut reports whether a folder that git tracks is the top of a repository.
func checkedOut(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}

// isEmpty reports whether a folder is empty, as git leaves a submodule that is not checked out. A
// folder with files has replaced a tracked file, and its files are listed as untracked.
func isEmpty(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && len(entries) == 0
}
