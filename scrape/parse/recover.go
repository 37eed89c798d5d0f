package parse

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"patina/code/lang"
	"patina/scrape/chunk"
	"patina/scrape/split"
	"patina/scrape/syntax"
	"patina/store/doc"
)

// recoverSymbols adds the definitions that the parser lost inside its errors, found by the keywords
// of the language. comment must say for each line, from 0, whether it is a comment. Symbols inside
// a recovered type become its members.
func recoverSymbols(language string, src *chunk.Source, out *syntax.Outline, comment []bool) {
	g := lang.Named(language).Grammar
	if g == nil || !g.Recovers || len(out.Errors) == 0 && !g.LosesSilently {
		return
	}
	lost, named := lostLines(src, out, g.LosesSilently)
	var added []syntax.Symbol
	for _, p := range split.Parts(language, src, comment) {
		names := named[p.First]
		known := len(names) > 0
		if p.Holds { // a parameter of its constructor may have been found
			known = slices.Contains(names, p.Name[strings.LastIndexByte(p.Name, '.')+1:])
		}
		if lost[p.First-1] && !known {
			added = append(added, partSymbol(src, p))
		}
	}
	if len(added) > 0 {
		insertSymbols(out, added)
	}
}

// lostLines marks the lines, from 0, on which a definition may be lost: those of errors, or all of
// them. named has the names on each line, from 1, without their types.
func lostLines(src *chunk.Source, out *syntax.Outline, all bool) (lost []bool, named map[int][]string) {
	lost, named = make([]bool, src.Lines()), make(map[int][]string)
	for i := range lost {
		lost[i] = all
	}
	for _, e := range out.Errors {
		for n := src.LineAt(e.Start); n <= src.LineAt(max(e.Start, e.End-1)); n++ {
			lost[n-1] = true
		}
	}
	add := func(at int, name string) {
		if n := src.LineAt(at); lost[n-1] {
			named[n] = append(named[n], strings.Trim(name[strings.LastIndexByte(name, '.')+1:], "`"))
		}
	}
	for _, s := range out.Symbols {
		add(s.At, s.Name)
	}
	for _, l := range out.Labels {
		add(l.At, l.Name)
	}
	return lost, named
}

// partSymbol returns the symbol of a definition that was found by its keyword.
func partSymbol(src *chunk.Source, p split.Part) syntax.Symbol {
	s := syntax.Symbol{
		Range: syntax.Range{Start: src.Start(p.Above), End: blockEnd(src, p)},
		Name:  p.Name[strings.LastIndexByte(p.Name, '.')+1:], Sort: doc.Function, At: src.Start(p.First), Parent: -1,
		Title: chunk.Truncate(foldSpace(bytes.TrimRight(src.Line(p.First), " \t{(=,")), signatureBytes),
	}
	if p.Holds {
		s.Sort = doc.Type
	}
	return s
}

// maxHead is the most bytes of a definition before its block begins.
const maxHead = 4 << 10

// blockEnd returns the place after the block of a definition, by its braces. If no brace closes it,
// the lines of the part decide.
func blockEnd(src *chunk.Source, p split.Part) int {
	start, last := src.Start(p.First), src.Start(p.Last+1)
	depth := 0
	for i := start; i < len(src.Text); i++ {
		switch c := src.Text[i]; {
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return max(i+1, last)
			}
			if depth < 0 {
				return last
			}
		case depth == 0 && (i-start > maxHead || c == '\n' && i > last):
			return last
		}
	}
	return last
}

// insertSymbols adds symbols to an outline, and sets again which symbol contains which.
func insertSymbols(out *syntax.Outline, added []syntax.Symbol) {
	type placed struct {
		syntax.Symbol
		old int // index among the symbols before, or -1
	}
	var all []placed
	for i, s := range out.Symbols {
		all = append(all, placed{s, i})
	}
	for _, s := range added {
		all = append(all, placed{s, -1})
	}
	slices.SortStableFunc(all, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	now := make([]int, len(out.Symbols)) // the new index of each symbol from before
	var open []int
	for i := range all {
		s := &all[i]
		for len(open) > 0 && all[open[len(open)-1]].End <= s.Start {
			open = open[:len(open)-1]
		}
		around := -1
		if len(open) > 0 {
			around = open[len(open)-1]
			s.End = min(s.End, all[around].End)
		}
		if s.old >= 0 {
			now[s.old] = i
		}
		if around >= 0 && (s.old < 0 || all[around].old < 0) {
			joinMember(&s.Symbol, &all[around].Symbol)
		}
		s.Parent = around
		open = append(open, i)
	}
	out.Symbols = out.Symbols[:0]
	for _, s := range all {
		out.Symbols = append(out.Symbols, s.Symbol)
	}
	relate := func(old *int, at int) {
		if *old >= 0 {
			*old = now[*old]
		}
		for i := *old + 1; i < len(all) && all[i].Start <= at; i++ {
			if all[i].old < 0 && at < all[i].End {
				*old = i
			}
		}
	}
	for i := range out.Calls {
		relate(&out.Calls[i].Symbol, out.Calls[i].At)
	}
	for i := range out.Typed {
		if s := &out.Typed[i].Symbol; *s >= 0 {
			*s = now[*s]
		}
	}
}

// joinMember makes a symbol a member of the type around it.
func joinMember(s, around *syntax.Symbol) {
	if around.Sort != doc.Type {
		s.Local = true
		return
	}
	if !strings.Contains(s.Name, ".") {
		s.Name = around.Name[strings.LastIndexByte(around.Name, '.')+1:] + "." + s.Name
	}
	if s.Sort == doc.Function {
		s.Sort = doc.Method
	}
}
