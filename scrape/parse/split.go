package parse

import (
	"bytes"

	"patina/code/lang"
	"patina/scrape/chunk"
	"patina/scrape/split"
	"patina/scrape/syntax"
	"patina/store/doc"
)

// readSplit fills in the definitions of code that no parser reads, found by their keywords, and
// chunks that end where definitions end. Calls and imports stay empty.
func readSplit(f *doc.File, src *chunk.Source, comment []bool) {
	o := &outliner{src: src, out: &syntax.Outline{}, comment: comment, behind: make([]bool, src.Lines())}
	for _, p := range split.Parts(f.Language, src, comment) {
		at := src.Start(p.First)
		head := bytes.TrimRight(src.Line(p.First), " \t{(=,")
		o.out.Symbols = append(o.out.Symbols, syntax.Symbol{
			Range: syntax.Range{Start: src.Start(p.Above), End: src.Start(p.Last + 1)}, Name: p.Name,
			Sort: doc.Definition, At: at, Title: chunk.Truncate(foldSpace(head), signatureBytes), Parent: p.Parent,
		})
	}
	o.enterEntries(f)
	f.Entries = o.entries
	c := chunk.Cutter{Src: src, Comment: comment, Entries: o.entries, Labels: o.labels}
	if lang.Named(f.Language).StyleSheet {
		// With a chunk for each of its short rules, 74 sheets of excalidraw had 839 chunks instead
		// of 209, which took places of code in the ranking by meaning.
		f.Chunks = c.Cut(nil)
		return
	}
	f.Chunks = c.Cut(o.short(o.spans()))
}

// short cuts spans that are longer than a chunk, and the lines between spans, at blank lines.
func (o *outliner) short(spans []chunk.Span) []chunk.Span {
	var out []chunk.Span
	next := 1
	add := func(entry, first, last int) {
		for first <= last && o.src.Blank(first) {
			first++
		}
		starts := split.Cuts(o.src, first, last, chunk.MaxLines)
		for i, n := range starts {
			end := last
			if i+1 < len(starts) {
				end = starts[i+1] - 1
			}
			for end > n && o.src.Blank(end) {
				end--
			}
			out = append(out, chunk.Span{Entry: entry, First: n, Last: end})
		}
	}
	for _, s := range spans {
		add(-1, next, s.First-1)
		add(s.Entry, s.First, s.Last)
		next = s.Last + 1
	}
	add(-1, next, o.src.Lines())
	return out
}
