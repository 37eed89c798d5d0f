package impact

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"patina/code/lang"
	"patina/store"
	"patina/store/doc"
	"patina/store/format"
)

// readChanged reads the changed files and finds the changed symbols in them.
func (g *gathering) readChanged(ctx context.Context) error {
	changes := g.query.Changes
	if len(changes) > maxChanges {
		g.addNote("the first %d of %d changed files were followed", maxChanges, len(changes))
		changes = changes[:maxChanges]
	}
	for _, c := range changes {
		x := changedFile{Changed: &Changed{Path: c.Path, Removed: c.Removed}}
		row, err := g.r.FileNamed(ctx, g.snap, c.Path)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			if !c.Removed {
				g.addNote("%s is not in the index", c.Path)
			}
		case err != nil:
			return store.Damaged(err)
		default:
			if x.entries, err = format.DecodeEntries(row.Entries); err != nil {
				return err
			}
			x.Language, x.class, x.isCode = row.Language, row.Class, lang.Named(row.Language).Code
			x.symbols = symbolsOf(x.entries, c)
		}
		for _, e := range x.symbols {
			x.Symbols = append(x.Symbols, e.Name)
			if c.Symbol != "" && e.Sort != doc.Function && e.Sort != doc.Method {
				g.addNote("only calls are followed; other uses of %s: assay references", doc.BareName(e.Name))
			}
		}
		g.changed = append(g.changed, x)
	}
	for _, x := range g.changed {
		if x.isCode && !lang.Named(x.Language).Facts().Calls && !slices.Contains(g.out.Unknown, x.Language) {
			g.out.Unknown = append(g.out.Unknown, x.Language)
		}
	}
	return nil
}

// symbolsOf returns the entries that a change touches: the named one, the innermost ones around the
// changed lines, or all functions and types if the whole file changes.
func symbolsOf(entries []doc.Entry, c Change) (out []doc.Entry) {
	for i, e := range entries {
		switch {
		case c.Symbol != "":
			if e.Name == c.Symbol {
				out = append(out, e)
			}
		case c.Lines == nil:
			if isCallable(e) {
				out = append(out, e)
			}
		case e.Sort != doc.Section && touchesOwnLines(entries, i, c.Lines):
			out = append(out, e)
		}
	}
	return out
}

// isCallable reports whether calls of an entry are known to be calls: those of a variable may hold
// any function.
func isCallable(e doc.Entry) bool {
	return e.Sort == doc.Function || e.Sort == doc.Method || e.Sort == doc.Type
}

// touchesOwnLines reports whether changed lines are in an entry and in none of the entries inside
// it.
func touchesOwnLines(entries []doc.Entry, at int, changed []Lines) bool {
	e := entries[at]
	for _, l := range changed {
		if l.Last < l.First { // removed between two lines, both of which must be in the entry
			if e.First < l.First && l.First <= e.Last && !isCovered(entries, at, l.First-1, l.First) {
				return true
			}
			continue
		}
		for line := max(l.First, e.First); line <= min(l.Last, e.Last); line++ {
			if !isCovered(entries, at, line, line) {
				return true
			}
		}
	}
	return false
}

// isCovered reports whether an entry inside the one at contains the lines.
func isCovered(entries []doc.Entry, at, first, last int) bool {
	for i, e := range entries {
		if i != at && isNested(entries, i, at) && e.First <= first && last <= e.Last {
			return true
		}
	}
	return false
}

// isNested reports whether an entry is inside another one.
func isNested(entries []doc.Entry, inner, outer int) bool {
	for range entries { // bounded: parents come from the file
		inner = entries[inner].Parent
		if inner < 0 || inner >= len(entries) {
			return false
		}
		if inner == outer {
			return true
		}
	}
	return false
}
