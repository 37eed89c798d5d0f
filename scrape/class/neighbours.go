package class

import (
	"iter"
	"path"
	"slices"
	"strconv"
	"strings"

	"patina/internal/lazyregexp"
	"patina/store/doc"
	"patina/store/text"
)

var versionFolder = lazyregexp.New(`^v[0-9]{1,6}$`)

// Neighbours knows facts about a path that follow from all paths together. It must be made again
// when a file comes or goes.
type Neighbours struct {
	sources map[string]bool // paths that may have a header next to them
	highest map[string]int  // folder → highest N of its subfolders vN
	copies  map[string]mirror
	unix    map[string]bool // folders with a subfolder for Unix
	direct  map[string]bool // all paths
	// For built copies: paths below src/ without extensions, and of files that are compiled to
	// scripts.
	originals, scripts map[string]bool
}

// A mirror counts the files of a folder vN, and those that its parent has as well.
type mirror struct{ files, above int }

// isMirror reports whether a folder vN is a copy of its parent: the parent has half of its files,
// and at least three. Then the parent is the newer version.
func (m mirror) isMirror() bool { return m.above >= 3 && 2*m.above >= m.files }

// sourcesOfHeaders are the extensions of files that a header may belong to. C++ is not among them,
// because its headers often contain the code.
var sourcesOfHeaders = []string{".c", ".m"}

// The folders of code for one platform, next to each other.
var (
	unixFolders    = text.Set("unix posix")
	windowsFolders = text.Set("win windows win32")
)

// eachFolder calls f for each folder of a path, with its parent.
func eachFolder(name string, f func(parent, folder string)) {
	start := 0
	for i := range len(name) {
		if name[i] == '/' {
			f(name[:start], name[start:i])
			start = i + 1
		}
	}
}

// NeighboursOf collects the facts about all files of a tree. The paths must be relative, with
// slashes.
func NeighboursOf(files iter.Seq[string]) Neighbours {
	s := Neighbours{
		sources: map[string]bool{}, highest: map[string]int{}, copies: map[string]mirror{}, unix: map[string]bool{},
		direct: map[string]bool{}, originals: map[string]bool{}, scripts: map[string]bool{},
	}
	for f := range files {
		s.direct[f] = true
		eachFolder(f, func(parent, folder string) {
			if unixFolders.Has(folder) {
				s.unix[parent] = true
			}
		})
		if slices.Contains(sourcesOfHeaders, path.Ext(f)) {
			s.sources[f] = true
		}
		s.noteSource(f)
		eachVersion(f, func(parent string, n int) bool {
			s.highest[parent] = max(s.highest[parent], n)
			return true
		})
	}
	for f := range s.direct {
		folder, base := path.Split(f)
		parent, version := path.Split(strings.TrimSuffix(folder, "/"))
		if parent == "" || !versionFolder().MatchString(version) {
			continue
		}
		m := s.copies[folder]
		m.files++
		if s.direct[parent+base] {
			m.above++
		}
		s.copies[folder] = m
	}
	return s
}

// eachVersion calls f for each folder vN of a path, with its parent, until f returns false.
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

// Of returns Header for a header next to its source, and Platform for Windows next to Unix. It
// returns Compat for a file in a folder vN if there is a newer one, and Generated for a built copy.
func (s Neighbours) Of(name string) doc.Class {
	var c doc.Class
	eachFolder(name, func(parent, folder string) {
		if windowsFolders.Has(folder) && s.unix[parent] {
			c |= doc.Platform
		}
	})
	eachVersion(name, func(parent string, n int) bool {
		if n < s.highest[parent] || s.copies[parent+"v"+strconv.Itoa(n)+"/"].isMirror() {
			c |= doc.Compat
		}
		return c&doc.Compat == 0
	})
	if s.isBuilt(name) {
		c |= doc.Generated
	}
	stem, isHeader := cutHeader(name)
	if isHeader && slices.ContainsFunc(sourcesOfHeaders, func(end string) bool { return s.sources[stem+end] }) {
		c |= doc.Header
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
