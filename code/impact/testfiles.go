package impact

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"patina/code/lang"
	"patina/store"
	"patina/store/doc"
	"patina/store/format"
	"patina/store/text"
)

// findTestFiles adds the test files that do not call the change as far as is known, and lifts the
// tests that have a changed symbol in their names.
func (g *gathering) findTestFiles(ctx context.Context) error {
	type scored struct {
		file  *evidence
		score float64
	}
	var all []scored
	for _, f := range g.files {
		if isTest, err := g.isTest(ctx, f.Path); err != nil {
			return err
		} else if f.Test = isTest; !isTest || !lang.Of(f.Path, nil).Code {
			continue
		}
		if score := f.testScore(); score > 0 {
			all = append(all, scored{f, score})
		}
	}
	slices.SortFunc(all, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.file.Path, b.file.Path))
	})
	known := make(map[string]bool) // test files with tests that call it
	for _, t := range g.found {
		known[t.Path] = true
	}
	for i, x := range all {
		if i < maxNamedTests {
			if err := g.liftNamedTests(ctx, x.file.Path, x.score); err != nil {
				return err
			}
		}
		if !known[x.file.Path] && x.score >= leastWeight {
			g.found.addTest(Test{DocID: x.file.Path, Path: x.file.Path, Score: x.score, Reason: x.file.testReason()})
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

// liftNamedTests raises the tests of a file that have a changed symbol in their names, and adds
// those that are not found yet.
func (g *gathering) liftNamedTests(ctx context.Context, path string, score float64) error {
	row, err := g.r.FileNamed(ctx, g.snap, path)
	if err != nil {
		return store.Damaged(err)
	}
	entries, err := format.DecodeEntries(row.Entries)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Sort != doc.Function && e.Sort != doc.Method || !isTestName(row.Language, e.Name) {
			continue
		}
		t := Test{DocID: doc.SymbolID(path, e.Name), Path: path, Symbol: e.Name, Line: e.Line, Reason: "named like it"}
		switch had := g.found[t.DocID]; {
		case g.isNamedAfter(e.Name):
			t.Score = 1 - (1-symbolInName)*(1-score*hopWeight)
			g.found.addTest(t)
		case had != nil: // of two tests that call it, the one in the file of its own tests comes first
			had.Score = 1 - (1-had.Score)*(1-score*hopWeight)
		}
	}
	return nil
}

// isNamedAfter reports whether the name of a test contains the words of a changed symbol.
func (g *gathering) isNamedAfter(test string) bool {
	name := wordsOf(test)
	for _, x := range g.changed {
		for _, symbol := range x.Symbols {
			if s := wordsOf(symbol); len(s) >= shortestName && strings.Contains(name, s) {
				return true
			}
		}
	}
	return false
}

// wordsOf returns the words of a symbol's last name in lower case, each between blanks.
func wordsOf(symbol string) string {
	out := " "
	text.Runs(doc.LastName(symbol), func(run string) {
		text.Parts(run, func(part string) { out += strings.ToLower(part) + " " })
	})
	return out
}
