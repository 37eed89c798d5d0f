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
	// of Of. Recent is that share with the newest commits counting most.
	Together, Of int
	With         string
	Recent       float64
	Callers      int     // functions in it that certainly call a changed symbol
	Candidates   float64 // those that may, each divided by the definitions that it may mean
	Callees      int     // calls of the changed files that certainly lead to it
	Importer     bool    // it imports a changed file
	Imported     bool    // a changed file imports it
	Named        bool    // it is named like a changed file
	Beside       bool    // it is in the folder of a changed file
	Test         bool
}

// These are rough probabilities that a file changes too, by cause. They were chosen on five
// repositories and confirmed on five others (bench/history/impact.md).
const (
	togetherCause  = 0.9 // times the share of common commits
	callerCause    = 0.2 // for the first caller; the tenth part of it for each doubling
	candidateCause = 0.1
	calleeCause    = 0.1
	importCause    = 0.05
	namedCause     = 0.3
	besideCause    = 0.02
)

// maxBeside bounds the files that are listed because of their folder.
const maxBeside = 200

// rankFiles joins the causes of each file, as if they were independent.
func (g *gathering) rankFiles() {
	for _, f := range g.files {
		f.Score = f.probability()
		g.out.Files = append(g.out.Files, *f)
	}
	slices.SortFunc(g.out.Files, func(a, b File) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Path, b.Path))
	})
	g.out.Files = g.out.Files[:min(len(g.out.Files), maxFiles)]
}

// probability joins the causes for a file.
func (f *File) probability() float64 {
	miss := 1 - togetherCause*f.Recent
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
