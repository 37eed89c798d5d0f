package impact

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"patina/code/lang"
	"patina/store"
	"patina/store/doc"
	"patina/store/format"
	"patina/store/text"
)

// A scoredFile is a test file with the probability that it notices the change, as known from its
// name, imports and history.
type scoredFile struct {
	*evidence
	score float64
}

// findTestFiles adds the test files that do not call the change as far as is known, and compares
// the names of their tests with those of the changed symbols.
func (g *gathering) findTestFiles(ctx context.Context) error {
	var all []scoredFile
	for _, f := range g.files {
		if isTest, err := g.isTest(ctx, f.Path); err != nil {
			return err
		} else if f.Test = isTest; !isTest || !lang.Of(f.Path, nil).Code {
			continue
		}
		if score := f.testScore(); score > 0 || f.Beside {
			all = append(all, scoredFile{f, score})
		}
	}
	slices.SortFunc(all, func(a, b scoredFile) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.Path, b.Path))
	})
	if err := g.compareNames(ctx, all[:min(len(all), maxNamedTests)]); err != nil {
		return err
	}
	known := make(map[string]bool) // test files with tests that are found
	for _, t := range g.found {
		known[t.Path] = true
	}
	for _, x := range all {
		if !known[x.Path] && x.score >= leastWeight {
			g.found.addTest(Test{DocID: x.Path, Path: x.Path, Score: x.score, Reason: x.testReason()})
		}
	}
	return nil
}

// testScore returns the probability that a test file notices a change, by its name, imports and
// history.
func (f *evidence) testScore() float64 {
	miss := 1.0
	if f.Together > 1 { // one common commit may be the first of the project
		miss -= testTogether * float64(f.Together) / float64(f.Of+1)
	}
	if f.Named {
		miss *= 1 - testNamed
	}
	if f.Importer {
		miss *= 1 - testImports
	}
	return 1 - miss
}

func (f *evidence) testReason() string {
	switch {
	case f.Named:
		return "named like it"
	case f.Importer:
		return "imports it"
	}
	return fmt.Sprintf("changed with it in %d of %d commits", f.Together, f.Of)
}

// A namedTest is a test function with the words of its name.
type namedTest struct {
	Test
	words []string
}

// compareNames raises the tests whose names share words with those of the changed symbols, and adds
// the tests of files that are named like a changed one.
func (g *gathering) compareNames(ctx context.Context, files []scoredFile) error {
	var all []namedTest
	count := make(map[string]int) // tests by word
	var of []scoredFile           // of each test
	for _, f := range files {
		found, err := g.testsIn(ctx, f.Path)
		if err != nil {
			return err
		}
		for _, t := range found {
			for _, w := range t.words {
				count[w]++
			}
			of = append(of, f)
		}
		all = append(all, found...)
	}
	rarity := func(w string) float64 { return math.Log(1 + float64(len(all))/float64(1+count[w])) }
	subjects := g.subjects()
	for i, t := range all {
		likeness := 0.0
		for _, words := range subjects {
			likeness = max(likeness, shareOf(words, t.words, rarity))
		}
		t.Score = 1 - (1-symbolInName*likeness)*(1-fileWeight*of[i].score)
		switch had := g.found[t.DocID]; {
		case had != nil: // of two tests that call it, the one named after it comes first
			had.Score = 1 - (1-had.Score)*(1-t.Score)
		case likeness >= mostWords || of[i].Named && t.Score >= leastWeight:
			g.found.addTest(t.Test)
		}
	}
	return nil
}

// testsIn returns the test functions of a file.
func (g *gathering) testsIn(ctx context.Context, path string) (out []namedTest, err error) {
	row, err := g.r.FileNamed(ctx, g.snap, path)
	if err != nil {
		return nil, store.Damaged(err)
	}
	entries, err := format.DecodeEntries(row.Entries)
	for _, e := range entries {
		if (e.Sort == doc.Function || e.Sort == doc.Method) && isTestName(row.Language, e.Name) {
			t := Test{DocID: doc.SymbolID(path, e.Name), Path: path, Symbol: e.Name, Line: e.Line, Reason: "named like it"}
			out = append(out, namedTest{t, wordsOf(doc.LastName(e.Name))})
		}
	}
	return out, err
}

// subjects returns the words of each changed symbol: of its own name, and with its type.
func (g *gathering) subjects() (out [][]string) {
	for _, x := range g.changed {
		for _, symbol := range x.Symbols {
			own, whole := wordsOf(doc.LastName(symbol)), wordsOf(doc.BareName(symbol))
			if len(strings.Join(own, "")) >= shortestName {
				out = append(out, own)
			}
			if len(whole) > len(own) {
				out = append(out, whole)
			}
		}
	}
	return out
}

// shareOf returns the share of some words that others have too, by their rarity.
func shareOf(words, others []string, rarity func(string) float64) float64 {
	have, all := 0.0, 0.0
	for _, w := range words {
		all += rarity(w)
		if slices.Contains(others, w) {
			have += rarity(w)
		}
	}
	if all == 0 {
		return 0
	}
	return have / all
}

// wordsOf returns the stems of the words of a name.
func wordsOf(name string) (out []string) {
	text.Runs(name, func(run string) {
		text.Parts(run, func(part string) { out = append(out, text.Stem(strings.ToLower(part))) })
	})
	return out
}
