package knowledge

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"patina/belief"
	"patina/store"
)

// The scores of the ways in which a belief reaches a file. If there are several files, each gets a
// share: the score over their number, or over its root for commits and checks.
const (
	citedPath   = 1.0
	likelyPath  = 0.9 // the end of only one path
	citedSymbol = 0.8
	citedCommit = 0.7
	checkedRows = 0.6
	sharedWords = 0.5 // for a file with all the words
)

const (
	maxReached  = 50   // files of one belief
	maxMeanings = 5    // files that a citation may mean; a more ambiguous one is ignored
	maxTouched  = 10   // files of a commit; a larger commit is ignored
	maxRows     = 10   // files of a check; a larger check is ignored
	maxByWords  = 5    // files found by words
	leastWords  = 5    // of a belief; one with fewer is too vague
	namedShare  = 0.5  // of the words, for a file named by one of them
	otherShare  = 0.75 // for any other file
	fewNames    = 5    // a word in this many names tells files apart, or
	manyNames   = 10   // a word in at most one of so many files does
)

// A BeliefText is the part of a belief that ReachFinder reads.
type BeliefText struct {
	ID        string
	Statement string
	Text      string     // its whole file
	Checked   [][]string // the files in the rows of each check
}

// A Reached is a file that a belief is about.
type Reached struct {
	Path    string
	Symbol  string // named with it; may be empty
	Score   float64
	Reason  string // such as "cites src/x.rs::f" or "commit 0dd3b9ca"
	Commits int    // cited commits that touched it
}

// ByWords reports whether the belief and the file only share words.
func (r Reached) ByWords() bool { return r.Reason == sharesWords }

// sharesWords is the reason of a file that is found by its words.
const sharesWords = "shares its words"

// A ReachFinder finds the files that citations mean, in one generation. It must not be used
// concurrently.
type ReachFinder struct {
	reader *store.Reader
	snap   *store.Snapshot
	*pathTree
}

// NewReachFinder returns a finder for the reader's generation.
func NewReachFinder(ctx context.Context, r *store.Reader) (*ReachFinder, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	t, err := treeOf(ctx, r, snap)
	return &ReachFinder{r, snap, t}, err
}

// Reach returns the files that a belief is about, best first.
//
// A belief reaches a file in four ways, the surest first: its text cites the file or a symbol in
// it. It cites a commit that touched the file. One of its checks has rows from the file. Its words
// are in the file. A file has the score of its surest way. The list is bounded, and equal input
// gives equal output.
func (f *ReachFinder) Reach(ctx context.Context, b BeliefText) ([]Reached, error) {
	s := surest{}
	citations := belief.Citations(b.Text)
	whole := f.wholeFiles(citations)
	for _, c := range citations {
		if err := f.cited(ctx, c, whole, s); err != nil {
			return nil, err
		}
	}
	for _, paths := range b.Checked {
		paths = slices.Compact(slices.Sorted(slices.Values(paths)))
		if len(paths) <= maxRows {
			for _, p := range paths {
				s.addReached(Reached{
					Path: p, Score: checkedRows / math.Sqrt(float64(len(paths))),
					Reason: "rows of a check",
				})
			}
		}
	}
	if err := f.worded(ctx, b, s); err != nil {
		return nil, err
	}
	return s.best(), nil
}

// surest holds the surest way to each file.
type surest map[string]Reached

func (s surest) addReached(r Reached) {
	had, ok := s[r.Path]
	r.Commits += had.Commits
	if ok && had.Score >= r.Score {
		had, r = r, had
		r.Commits = had.Commits
	}
	r.Symbol = cmp.Or(r.Symbol, had.Symbol)
	s[r.Path] = r
}

func (s surest) best() []Reached {
	out := make([]Reached, 0, len(s))
	for _, r := range s {
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b Reached) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Path, b.Path))
	})
	return out[:min(len(out), maxReached)]
}

// wholeFiles returns the files that are cited by their whole path.
func (f *ReachFinder) wholeFiles(citations []belief.Citation) map[string]bool {
	out := make(map[string]bool)
	for _, c := range citations {
		if slices.Contains(f.byName[lastPart(c.Path)], c.Path) {
			out[c.Path] = true
		}
	}
	return out
}

// lastPart returns a path's last component in lower case.
func lastPart(p string) string { return strings.ToLower(p[strings.LastIndexByte(p, '/')+1:]) }

func (f *ReachFinder) cited(ctx context.Context, c belief.Citation, whole map[string]bool, s surest) error {
	switch {
	case c.Path != "":
		return f.citedFile(ctx, c, whole, s)
	case c.Commit != "":
		return f.citedCommit(ctx, c, s)
	}
	found, err := f.symbols(ctx, c.Symbol)
	for _, x := range found {
		s.addReached(Reached{
			Path: x.path, Symbol: x.name, Score: citedSymbol / float64(len(found)),
			Reason: "cites " + c.Symbol,
		})
	}
	return err
}

// citedFile adds a path as written, or the paths that end with it if they are few. If the text also
// cites one of these as a whole path, only that file is meant.
func (f *ReachFinder) citedFile(ctx context.Context, c belief.Citation, whole map[string]bool, s surest) error {
	ends, score := []string{c.Path}, citedPath
	if !whole[c.Path] {
		ends, score = f.ending(c.Path), likelyPath
		if slices.ContainsFunc(ends, func(p string) bool { return whole[p] }) {
			ends = slices.DeleteFunc(ends, func(p string) bool { return !whole[p] })
		}
	}
	if len(ends) > maxMeanings {
		return nil
	}
	var found []definition
	if c.Symbol != "" && len(ends) > 0 {
		var err error
		if found, err = f.defined(ctx, c.Symbol); err != nil {
			return err
		}
	}
	for _, p := range ends {
		r := Reached{Path: p, Score: score / float64(len(ends)), Reason: "cites " + c.Path}
		for _, x := range found {
			if x.path == p {
				r.Symbol = x.name
			}
		}
		s.addReached(r)
	}
	return nil
}

// ending returns the paths that end with end.
func (f *ReachFinder) ending(end string) (out []string) {
	for _, p := range f.byName[lastPart(end)] {
		if strings.HasSuffix(p, "/"+end) {
			out = append(out, p)
		}
	}
	return out
}

func (f *ReachFinder) citedCommit(ctx context.Context, c belief.Citation, s surest) error {
	commit, paths, err := f.touched(ctx, c.Commit)
	if err != nil || len(paths) == 0 {
		return err
	}
	for _, p := range paths {
		s.addReached(Reached{
			Path: p, Score: citedCommit / math.Sqrt(float64(len(paths))), Reason: "commit " + commit,
			Commits: 1,
		})
	}
	return nil
}
