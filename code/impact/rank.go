package impact

import (
	"cmp"
	"math"
	"slices"
)

// A File is a file that a change may reach, with the evidence for it.
type File struct {
	Path  string
	Score float64 // about the probability that it changes too
	// Together is the number of the commits of With, a changed file, that touched this one as well,
	// of Of. It is 0 if no commit touched it with a changed file.
	Together, Of int
	With         string
	Callers      int     // functions in it that certainly call a changed symbol
	Candidates   float64 // those that may, each divided by the definitions that it may mean
	Callees      int     // calls of the changed files that certainly lead to it
	Importer     bool    // it imports a changed file
	Imported     bool    // a changed file imports it
	Named        bool    // it is named like a changed file
	Beside       bool    // it is in the folder of a changed file
	Test         bool
}

// An evidence is a file with its weight in the history of the changed file that says most about it.
type evidence struct {
	File
	weight, past float64 // of history.Companion and history.Past
}

// These are rough probabilities that a file changes too, by cause, as known before any history.
// They were chosen on five repositories and confirmed on five others (bench/history/impact.md).
const (
	callerCause    = 0.1 // a tenth of it more for each doubling of the callers
	calleeCause    = 0.05
	candidateCause = 0.05
	importCause    = 0.02
	namedCause     = 0.3
	besideCause    = 0.01
)

// maxBeside bounds the files that are listed because of their folder.
const maxBeside = 200

// rankFiles ranks the files by their probability. The causes count as one more commit of the
// changed file: with a long history they change little, and without one they decide.
func (g *gathering) rankFiles() {
	for _, f := range g.files {
		if f.weight == 0 {
			f.past = max(0, g.past)
		}
		f.Score = (f.weight + f.causes()) / (f.past + 1)
		g.out.Files = append(g.out.Files, f.File)
	}
	slices.SortFunc(g.out.Files, func(a, b File) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Path, b.Path))
	})
	g.out.Files = g.out.Files[:min(len(g.out.Files), maxFiles)]
}

// causes joins the causes for a file, as if they were independent.
func (f *evidence) causes() float64 {
	miss := 1.0
	for _, cause := range []struct {
		holds  bool
		weight float64
	}{
		{f.Callers > 0, callerCause * (1 + math.Log2(float64(max(1, f.Callers)))/10)},
		{f.Candidates > 0, candidateCause * min(1, f.Candidates)},
		{f.Callees > 0, calleeCause * (1 + math.Log2(float64(max(1, f.Callees)))/10)},
		{f.Importer || f.Imported, importCause},
		{f.Named, namedCause},
		{f.Beside, besideCause},
	} {
		if cause.holds {
			miss *= 1 - min(1, cause.weight)
		}
	}
	return 1 - miss
}
