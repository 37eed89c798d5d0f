package scrape

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"patina/store"
)

// Scraping by name is for who knows what changed, as an editor does: neither the tree is walked nor the history read, so a change can be
// found some milliseconds after it was made. How far the index is behind is told by the last scrape of the whole tree.

// walkNamed lists the files that paths (relative, with slashes) name, those below a folder too, by the rules of walk.
func walkNamed(ctx context.Context, root, storeDir string, paths []string) (listing, error) {
	b, err := beginListing(ctx, root, paths)
	if err != nil {
		return listing{}, err
	}
	return b.walkNamed(ctx, storeDir)
}

// walkNamed is walkNamed of a listing that has begun.
func (b *begun) walkNamed(ctx context.Context, storeDir string) (listing, error) {
	root := b.root
	l, err := b.listed(ctx, storeDir)
	if err != nil {
		return listing{}, err
	}
	at, err := openFolder(root)
	if err != nil {
		return listing{}, err
	}
	defer at.Close()
	err = l.drop(ctx, at)
	return l, err
}

// compareNamed tells which of the named files must be looked at, and which are gone. Neighbours decide on a file too: of those that are
// not named, besides gives what the index knows, folder by folder.
func compareNamed(at *folder, l listing, known map[string]store.FileState, besides func(folder string) ([]string, error)) (jobs []job, gone []string, err error) {
	all := slices.Clone(l.files)
	asked := map[string]bool{}
	for _, f := range l.files {
		for dir := folderOf(f.path); !asked[dir]; dir = folderOf(dir) {
			asked[dir] = true
			names, err := besides(dir)
			if err != nil {
				return nil, nil, err
			}
			for _, n := range names {
				all = append(all, found{path: n})
			}
		}
	}
	jobs, still := differing(l, known, surroundingsOf(all), packagesOf(at, all), false)
	return jobs, goneOf(l, known, still), nil
}

// besides are the files that the index has in a folder, and one of each folder in it, without those that are named.
func (r *run) besides(folder string) ([]string, error) {
	return r.w.Beside(folder, func(p string) bool { return isNamed(p, r.o.Files) })
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
