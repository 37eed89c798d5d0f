package impact

import (
	"cmp"
	"context"
	"slices"

	"patina/code/assay"
	"patina/store/doc"
)

// findCallers finds the calls of the changed symbols.
func (g *gathering) findCallers(ctx context.Context) error {
	asked, all := 0, 0
	for _, x := range g.changed {
		all += len(x.symbols)
	}
	for _, x := range g.changed {
		for _, e := range x.symbols {
			if asked == maxSymbols || g.isLate() {
				g.addNote("callers of %d of %d changed symbols were searched", asked, all)
				return g.sortCallers(ctx)
			}
			asked++
			if err := g.addCallers(ctx, doc.SymbolID(x.Path, e.Name)); err != nil {
				return err
			}
		}
	}
	return g.sortCallers(ctx)
}

// addCallers adds the calls of one changed symbol.
func (g *gathering) addCallers(ctx context.Context, id string) error {
	facts, err := assay.Ask(ctx, g.r, assay.Query{Type: "callers", Pattern: id})
	if err != nil {
		return err
	}
	for _, name := range facts.Unknown {
		if !slices.Contains(g.out.Unknown, name) {
			g.out.Unknown = append(g.out.Unknown, name)
		}
	}
	for _, f := range facts.Facts {
		if f.DocID == id { // it calls itself
			continue
		}
		g.calls = append(g.calls, Caller{
			DocID: f.DocID, Path: f.Path, Line: f.Line, Symbol: f.Symbol, Target: f.Target, Candidate: f.Candidate,
			Of: f.Of, Reason: f.Reason,
		})
		if to := g.evidenceFor(f.Path); to == nil {
			continue
		} else if f.Candidate {
			to.Candidates += 1 / float64(max(1, f.Of))
		} else {
			to.Callers++
		}
	}
	return nil
}

// sortCallers marks callers in tests, and puts certain ones first, then those in product code.
// Calls from changed symbols are left out, because their authors know them.
func (g *gathering) sortCallers(ctx context.Context) error {
	slices.Sort(g.out.Unknown)
	isTest := make(map[string]bool)
	for i := range g.calls {
		c := &g.calls[i]
		if _, ok := isTest[c.Path]; !ok {
			var err error
			if isTest[c.Path], err = g.isTest(ctx, c.Path); err != nil {
				return err
			}
		}
		c.Test = isTest[c.Path] || inTestModule(c.Symbol)
	}
	g.out.Callers = slices.DeleteFunc(slices.Clone(g.calls), func(c Caller) bool { return g.isChangedSymbol(c) })
	rank := func(c Caller) int {
		n := 0
		if c.Candidate {
			n = 2
		}
		if c.Test {
			n++
		}
		return n
	}
	slices.SortStableFunc(g.out.Callers, func(a, b Caller) int {
		return cmp.Or(rank(a)-rank(b), cmp.Compare(a.Path, b.Path), a.Line-b.Line)
	})
	if n := len(g.out.Callers); n > maxCallers {
		g.addNote("the first %d of %d callers", maxCallers, n)
		g.out.Callers = g.out.Callers[:maxCallers]
	}
	return nil
}

// isChangedSymbol reports whether a call comes from a changed symbol, or from a file that changes
// as a whole.
func (g *gathering) isChangedSymbol(c Caller) bool {
	for i, x := range g.changed {
		if x.Path == c.Path {
			q := g.query.Changes[i]
			return !c.Test && q.Symbol == "" && q.Lines == nil || slices.Contains(x.Symbols, c.Symbol)
		}
	}
	return false
}

// findCallees finds the files that define what the changed files call.
func (g *gathering) findCallees(ctx context.Context) error {
	for _, x := range g.changed {
		if !x.isCode || len(x.entries) == 0 || g.isLate() {
			continue
		}
		facts, err := assay.Ask(ctx, g.r, assay.Query{Type: "callees", Pattern: x.Path})
		if err != nil {
			return err
		}
		for _, f := range facts.Facts {
			path, _ := splitID(f.DocID)
			if f.Candidate {
				continue
			}
			if to := g.evidenceFor(path); to != nil {
				to.Callees++
			}
		}
	}
	return nil
}

// findImports finds the files that import a changed file, and those that it imports.
func (g *gathering) findImports(ctx context.Context) error {
	for _, x := range g.changed {
		if !x.isCode || g.isLate() {
			continue
		}
		for _, question := range []string{"importers", "imports"} {
			facts, err := assay.Ask(ctx, g.r, assay.Query{Type: question, Pattern: x.Path})
			if err != nil {
				return err
			}
			for _, f := range facts.Facts {
				path := f.Path
				if question == "imports" {
					path = f.Target
				}
				to := g.evidenceFor(path)
				switch {
				case to == nil || f.Candidate:
				case question == "importers":
					to.Importer = true
				default:
					to.Imported = true
				}
			}
		}
	}
	return nil
}
