package impact

import (
	"context"
	"fmt"
	"time"

	"patina/code/brief"
	"patina/code/history"
	"patina/store"
	"patina/store/doc"
)

// A Query names what has changed, or is about to change.
type Query struct {
	Changes []Change // must not be empty
	// Diff is true if Changes are all files of a change. Then files that mostly change together
	// with them and are missing from it are Impact.Missing.
	Diff bool
}

// A Change is a file, with the part of it that changes.
type Change struct {
	Path    string
	Symbol  string // the name of an entry; "": the whole file, or Lines
	Lines   []Lines
	Removed bool // the file is deleted; the index may not have it
}

// Lines are changed lines of a file, as indexed, from 1. If Last is First - 1, lines were only
// removed there, before First.
type Lines struct{ First, Last int }

// An Impact is what a change may reach. The likeliest come first in each list.
type Impact struct {
	Changed []Changed
	Callers []Caller
	Tests   []Test
	// Missing are the files that mostly change together with the changed ones.
	Missing []Missing
	Files   []File // all files that the change may reach
	Owners  []brief.Owner
	Authors []history.Author // who changed the files most; empty if there are Owners
	Commits int              // commits that touched the changed files, each file by itself
	// Unknown lists, sorted, the languages whose callers no parser finds: of changed files, and of
	// files that contain a changed name. For them no callers means unknown, not zero.
	Unknown []string
	Notes   []string // bounds that were reached
}

// Changed is a changed file that the index knows, with the changed symbols in it.
type Changed struct {
	Path     string
	Language string
	Symbols  []string // names of entries, in the order of the file
	Removed  bool
	Commits  int // commits that touched it
}

// A Caller is a place that calls a changed symbol.
type Caller struct {
	DocID     string // the function around it, or the file
	Path      string
	Line      int
	Symbol    string
	Target    string // doc_id of the changed symbol
	Candidate bool   // only the name says so
	Of        int    // number of definitions that the call may mean
	Reason    string
	Test      bool // it is in a test file
}

// Missing is a file that mostly changes together with a changed one.
type Missing struct {
	Path    string
	With    string // the changed file
	Commits int    // commits that touched both
	Of      int    // commits that touched the changed file
}

// These bound one question.
const (
	maxChanges = 50  // files
	maxSymbols = 60  // changed symbols whose callers are searched
	maxCallers = 200 // callers that are kept
	maxTests   = 200 // tests that are kept
	maxFiles   = 50  // ranked files
	timeShare  = 0.5 // of the time until the deadline, for callers and tests
)

// Of answers a question from the current generation of r. A changed file that the index does not
// know has no callers, and is not an error. If ctx has a deadline, callers may be incomplete, and
// Notes says so.
func Of(ctx context.Context, r *store.Reader, q Query) (*Impact, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	g := &gathering{r: r, snap: snap, query: q, out: &Impact{}, files: make(map[string]*evidence)}
	if deadline, ok := ctx.Deadline(); ok {
		g.until = time.Now().Add(time.Duration(float64(time.Until(deadline)) * timeShare))
	}
	for _, step := range []func(context.Context) error{
		g.readChanged, g.findCallers, g.findCallees, g.findImports, g.findCompanions, g.findTests, g.findOwners,
	} {
		if err := step(ctx); err != nil {
			return nil, fmt.Errorf("impact of %q: %w", q.Changes[0].Path, err)
		}
	}
	for _, x := range g.changed {
		g.out.Changed = append(g.out.Changed, *x.Changed)
	}
	g.rankFiles()
	return g.out, nil
}

// A gathering collects one answer.
type gathering struct {
	r       *store.Reader
	snap    *store.Snapshot
	query   Query
	out     *Impact
	until   time.Time // when searches for callers end; zero: never
	changed []changedFile
	files   map[string]*evidence // by path, without the changed ones
	found   testsFound
	calls   []Caller // also those from changed symbols
	past    float64  // the least history.Past.Weight of a changed file
}

// A changedFile is a changed file with its entries.
type changedFile struct {
	*Changed
	class   doc.Class
	isCode  bool
	entries []doc.Entry
	symbols []doc.Entry // the changed ones
}

// isLate reports whether searches for callers must end.
func (g *gathering) isLate() bool { return !g.until.IsZero() && time.Now().After(g.until) }

func (g *gathering) addNote(format string, args ...any) {
	g.out.Notes = append(g.out.Notes, fmt.Sprintf(format, args...))
}

// isChanged reports whether a path is one of the changed files.
func (g *gathering) isChanged(path string) bool {
	for _, c := range g.query.Changes {
		if c.Path == path {
			return true
		}
	}
	return false
}

// evidenceFor returns the evidence for a file. It returns nil for a changed file.
func (g *gathering) evidenceFor(path string) *evidence {
	if path == "" || g.isChanged(path) {
		return nil
	}
	f := g.files[path]
	if f == nil {
		f = &evidence{File: File{Path: path}}
		g.files[path] = f
	}
	return f
}
