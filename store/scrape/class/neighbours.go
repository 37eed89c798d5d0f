package class

import (
	"iter"
	"path"
	"slices"
	"strconv"
	"strings"

	"patina/store"
	"patina/store/text"
)

var versionFolder = text.Lazy(`^v[0-9]{1,6}$`)

// Neighbours is the knowledge of all paths together about each. It changes when a file comes or
// goes.
type Neighbours struct {
	sources map[string]bool // paths that may have a header beside them
	highest map[string]int  // folder → highest N of its subfolders vN
	// For built copies: paths below src/ without endings, and of scripts that others compile to.
	originals, scripts map[string]bool
}

// sourcesOfHeaders are the endings of files that a header may belong to.
var sourcesOfHeaders = []string{".c", ".cc", ".cpp", ".cxx", ".m", ".mm"}

// NeighboursOf collects the sources and versions among paths.
func NeighboursOf(files iter.Seq[string]) Neighbours {
	s := Neighbours{
		sources: map[string]bool{}, highest: map[string]int{}, originals: map[string]bool{}, scripts: map[string]bool{},
	}
	for f := range files {
		if slices.Contains(sourcesOfHeaders, path.Ext(f)) {
			s.sources[f] = true
		}
		s.noteSource(f)
		eachVersion(f, func(parent string, n int) bool {
			s.highest[parent] = max(s.highest[parent], n)
			return true
		})
	}
	return s
}

// eachVersion calls f for each folder vN of a path, with the folder above it. It ends when f
// returns false.
func eachVersion(name string, f func(parent string, n int) bool) {
	start := 0
	for i, c := range []byte(name) {
		if c != '/' {
			continue
		}
		if part := name[start:i]; part != "" && part[0] == 'v' && versionFolder().MatchString(part) {
			n, _ := strconv.Atoi(part[1:])
			if !f(name[:start], n) {
				return
			}
		}
		start = i + 1
	}
}

// Of returns Header for a header beside its source. It returns Compat for a file in a folder vN
// that has a newer one beside it, and Generated for a built copy.
func (s Neighbours) Of(name string) store.Class {
	var c store.Class
	eachVersion(name, func(parent string, n int) bool {
		if n < s.highest[parent] {
			c |= store.Compat
		}
		return c == 0
	})
	if s.isBuilt(name) {
		c |= store.Generated
	}
	stem, isHeader := cutHeader(name)
	if isHeader && slices.ContainsFunc(sourcesOfHeaders, func(end string) bool { return s.sources[stem+end] }) {
		c |= store.Header
	}
	return c
}

func cutHeader(name string) (stem string, ok bool) {
	for _, end := range []string{".h", ".hh", ".hpp", ".hxx"} {
		if stem, ok := strings.CutSuffix(name, end); ok {
			return stem, true
		}
	}
	return "", false
}
