package scrape

import (
	"context"
	"fmt"
	"path"
	"strings"

	"patina/store"
)

// Scraping by name is for who knows what changed, as an editor does: neither the tree is walked nor the history read, so a change can be
// found some milliseconds after it was made. How far the index is behind is told by the last scrape of the whole tree.

// walkNamed lists the files that paths (relative, with slashes) name, those below a folder too, by the rules of walk.
func walkNamed(ctx context.Context, root, storeDir string, paths []string) (listing, error) {
	g, done, err := openGit(ctx, root)
	if err != nil {
		return listing{}, err
	}
	defer done()
	g.env = append(g.env[:len(g.env):len(g.env)], "GIT_LITERAL_PATHSPECS=1")
	names, err := g.names(ctx, root, storeDir, paths...)
	if err != nil {
		return listing{}, err
	}
	l := stats(root, names)
	if err := ctx.Err(); err != nil {
		return listing{}, err
	}
	if err := readMarks(ctx, g.git, l.files); err != nil {
		return listing{}, err
	}
	l.files, err = dropIgnored(ctx, root, l.files)
	return l, err
}

// compareNamed tells which of the named files must be looked at, and which are gone. What the index knows of all others stands for
// them where neighbours decide on a file.
func compareNamed(root string, l listing, known map[string]store.FileState, paths []string) (jobs []job, gone []string) {
	all := make([]found, 0, len(known)+len(l.files))
	listed := make(map[string]bool, len(l.files))
	for _, f := range l.files {
		listed[f.path] = true
		all = append(all, f)
	}
	for p, s := range known {
		switch {
		case listed[p]:
		case isNamed(p, paths):
			gone = append(gone, p)
		default:
			all = append(all, found{path: p, stat: s.Stat})
		}
	}
	around, packages := surroundingsOf(all), packagesOf(root, all)
	for _, f := range l.files {
		old, had := known[f.path]
		j := job{found: f, extra: around.bits(f.path), pkg: packages.of(f.path), old: old.Hash}
		if !had || old.Stat != f.stat || contextOf(old.Hash) != j.context() {
			jobs = append(jobs, j)
		}
	}
	return jobs, gone
}

// isNamed tells whether a file is one of paths, or lies below one.
func isNamed(name string, paths []string) bool {
	for _, p := range paths {
		if p == "." || name == p || strings.HasPrefix(name, p+"/") {
			return true
		}
	}
	return false
}

// checkNamed refuses what cannot be named: paths that lead out of the tree.
func checkNamed(paths []string) error {
	for _, p := range paths {
		if p == "" || path.IsAbs(p) || path.Clean(p) != p || p == ".." || strings.HasPrefix(p, "../") {
			return fmt.Errorf("scrape %q: want a path below the root of the repository", p)
		}
	}
	return nil
}
