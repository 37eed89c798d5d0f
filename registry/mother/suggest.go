// This file suggests edges between repositories, from the dependencies that their manifests declare
// and the imports of their files.
//
// It is pure: it reads no file and links nothing. A name counts only within its ecosystem (the
// Python package h2 is not the Rust crate h2), and only as a whole. A repository that provides a
// name itself does not need another one for it.

package mother

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"patina/code/manifest"
)

// A File is a file of a repository, from its index.
type File struct {
	Path     string
	Language string
	Imports  []string // as written
	// Text is set for manifests, and for sources for which ReadsImports returns true.
	Text     string
	Test     bool
	Vendored bool // copied from elsewhere, so that it does not count
}

// A SuggestRepository is a registered repository with its files.
type SuggestRepository struct {
	ID       string
	Packages []string // names by which others depend on it, given by the user
	Files    []File
}

// A Class says how good the evidence for an edge is.
type Class string

// The classes, the best first. docs/repositories.md, "Suggested edges", has their measured
// precision.
const (
	DeclaredAndImported Class = "declared and imported" // and not only for tests
	Declared            Class = "declared"              // no file is known to import it
	Imported            Class = "imported"              // no manifest declares it
	ForTests            Class = "for tests"             // for development, or only used by tests
)

// Classes returns all classes, the best first.
func Classes() []Class { return []Class{DeclaredAndImported, Declared, Imported, ForTests} }

// A Line is a line of a manifest that declares a package.
type Line struct {
	Path string `json:"path"`
	Line int    `json:"line"` // from 1
	Name string `json:"name"` // of the package

	scope manifest.Scope
}

// A Suggestion is an edge that the user could make.
type Suggestion struct {
	From      string   `json:"from"` // an id, as is To
	To        string   `json:"to"`
	Relation  string   `json:"relation"` // USES or TESTS_WITH
	Class     Class    `json:"class"`
	Ecosystem string   `json:"ecosystem"`
	Declared  []Line   `json:"declared"`       // for use first, then the outermost manifests
	Imported  []string `json:"imported"`       // files outside tests, sorted by path
	Tests     []string `json:"imported_tests"` // tests, examples and the like
}

// namedFiles is the number of importing files that the evidence names.
const namedFiles = 2

// Evidence returns in one line why the edge is suggested.
func (s Suggestion) Evidence() string {
	var parts []string
	if len(s.Declared) > 0 {
		d := s.Declared[0]
		parts = append(parts, fmt.Sprintf("%s:%d declares %s", d.Path, d.Line, d.Name))
	}
	files, what := s.Imported, "file"
	if len(files) == 0 {
		files, what = s.Tests, "test"
	}
	if n := len(files); n > 0 {
		if n > 1 {
			what += "s"
		}
		named := strings.Join(files[:min(n, namedFiles)], ", ")
		parts = append(parts, fmt.Sprintf("imported by %d %s (%s)", n, what, named))
	}
	return strings.Join(parts, "; ")
}

// Suggest suggests edges between repositories, sorted by From in the order given, then the best
// class first. There is at most one edge from each repository to another.
func Suggest(all []SuggestRepository) []Suggestion {
	said := make([]facts, len(all))
	for i, r := range all {
		said[i] = readFacts(r)
	}
	own := newOwners(said)
	var out []Suggestion
	for i := range said {
		found := said[i].needed(i, own)
		from := make([]Suggestion, 0, len(found))
		for to, s := range found {
			s.From, s.To = all[i].ID, all[to].ID
			from = append(from, s.judged())
		}
		slices.SortFunc(from, func(a, b Suggestion) int {
			return cmp.Or(
				cmp.Compare(slices.Index(Classes(), a.Class), slices.Index(Classes(), b.Class)),
				cmp.Compare(len(b.Imported), len(a.Imported)), cmp.Compare(len(b.Tests), len(a.Tests)),
				cmp.Compare(a.To, b.To),
			)
		})
		out = append(out, from...)
	}
	return out
}

// A found is a suggestion without class and relation.
type found struct {
	Suggestion
	run, unsaid bool // declared for use; declared without a purpose
}

// judged returns the suggestion with its class and relation.
func (f found) judged() Suggestion {
	s := f.Suggestion
	slices.SortFunc(s.Declared, func(a, b Line) int {
		return cmp.Or(
			cmp.Compare(a.scope, b.scope), // dependencies of tests come last
			cmp.Compare(strings.Count(a.Path, "/"), strings.Count(b.Path, "/")),
			cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line),
		)
	})
	slices.Sort(s.Imported)
	slices.Sort(s.Tests)
	s.Declared = append([]Line{}, s.Declared...) // not nil, because nil is null in JSON
	s.Imported = slices.Compact(append([]string{}, s.Imported...))
	s.Tests = slices.Compact(append([]string{}, s.Tests...))
	onlyTests := len(s.Imported) == 0 && len(s.Tests) > 0
	s.Relation = Uses
	switch {
	case f.run || f.unsaid && !onlyTests:
		if s.Class = Declared; len(s.Imported) > 0 {
			s.Class = DeclaredAndImported
		}
	case len(s.Declared) > 0:
		s.Class, s.Relation = ForTests, TestsWith
	default:
		if s.Class = Imported; onlyTests {
			s.Relation = TestsWith
		}
	}
	return s
}

// needed returns the edges from the repository at index self, by the index of the other repository.
func (f facts) needed(self int, own owners) map[int]found {
	out := map[int]found{}
	add := func(to int, ecosystem string, change func(*found)) {
		e, ok := out[to]
		if !ok {
			e.Ecosystem = ecosystem
		}
		change(&e)
		out[to] = e
	}
	for _, n := range f.needs {
		for _, to := range own.ofName(self, n.ecosystem, n.Name) {
			add(to, n.ecosystem, func(e *found) {
				e.Declared = append(e.Declared, Line{n.path, n.Line, n.Name, n.Scope})
				e.run, e.unsaid = e.run || n.Scope == manifest.ForUse, e.unsaid || n.Scope == manifest.Unsaid
			})
		}
	}
	for _, i := range f.imports {
		name := i.name
		if real, ok := f.renamed[i.ecosystem+" "+firstName(name, i.ecosystem)]; ok {
			name = real
		}
		for _, to := range own.ofImport(self, i.ecosystem, name) {
			add(to, i.ecosystem, func(e *found) {
				if i.test {
					e.Tests = append(e.Tests, i.path)
				} else {
					e.Imported = append(e.Imported, i.path)
				}
			})
		}
	}
	return out
}
