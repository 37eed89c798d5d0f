package scrape

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"patina/scrape/prose"
)

// Scraping by name is for callers that know the changes, such as an editor. The tree is not walked
// and the history not read, so a change is found within milliseconds. The last scrape of the whole
// tree says how far the index is behind.

// besides returns the indexed files in a folder, and one from each folder in it, without the named
// files.
func (r *run) besides(folder string) ([]string, error) {
	return r.w.Beside(folder, func(p string) bool { return isNamed(p, r.o.Files) })
}

// isNamed reports whether a file is one of paths, or below one.
func isNamed(name string, paths []string) bool {
	for _, p := range paths {
		if p == "." || name == p || strings.HasPrefix(name, p+"/") {
			return true
		}
	}
	return false
}

// checkNamed returns an error for a path that leads out of the tree, or is not clean.
func checkNamed(paths []string) error {
	for _, p := range paths {
		if p == "" || path.IsAbs(p) || path.Clean(p) != p || p == ".." || strings.HasPrefix(p, "../") {
			return fmt.Errorf("scrape %q: want a path below the root of the repository", p)
		}
	}
	return nil
}

// withRecords adds to named files the proposals whose status is in one of them.
func withRecords(paths []string) []string {
	out := slices.Clone(paths)
	for _, p := range paths {
		record := path.Join(path.Dir(p), "README.md")
		if prose.HeadOf(record) == p && !isNamed(record, out) {
			out = append(out, record)
		}
	}
	return out
}
