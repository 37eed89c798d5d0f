package describe

import (
	"context"
	"database/sql"
	"errors"
	"path"
	"slices"
	"strings"

	"patina/code/lookup"
	"patina/store"
	"patina/store/doc"
	"patina/store/excerpt"
	"patina/store/text"
)

// linesOf returns the lines of a file. They are empty if its text is not stored.
func linesOf(ctx context.Context, r *store.Reader, key int64) (text.Lines, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return text.Lines{}, err
	}
	t, err := r.Kept(ctx, snap, key)
	if errors.Is(err, sql.ErrNoRows) {
		return text.Lines{}, nil
	}
	if err != nil {
		return text.Lines{}, err
	}
	return t.Lines(), nil
}

// showEntry describes one entry of the file.
func showEntry(p store.Parts, d *doc.Description, i int) {
	e := p.Entries[i]
	d.First, d.Last, d.Symbol, d.Title, d.Summary = e.First, e.Last, e.Name, e.Title, e.Summary
	d.Shown = p.File.Kind.PartID(p.File.Path, e.Name)
	if p.File.Kind == doc.Code && e.Sort != doc.Setting { // the explanation of a setting is above it
		d.First, d.Signed = e.Line, e.Line
	}
}

// showBest chooses the shown part of a file and its lines: the wanted line, the frame of a trace,
// the beginning if the question is the file's path, the definition named by the question, or the
// part of the best chunks that answers best. others are further parts if several places are wanted.
func showBest(d *doc.Description, page *Page, w Want) (others []doc.Description) {
	p, lines := page.file.Parts, page.lines
	isCode := p.File.Kind == doc.Code
	if w.Line > 0 && isCode && (lines.Len() == 0 || w.Line <= lines.Len()) {
		showAt(d, p, lines, w)
		return nil
	}
	if f, ok := w.Question.Mentions.FrameIn(p.File.Path); ok && isCode {
		if showFrame(d, p, lines, f, w) {
			return nil
		}
	}
	end, ok := lookup.WrittenPath(w.Question.Raw)
	if ok && isCode && strings.HasSuffix("/"+p.File.Path, "/"+end) {
		showBeginning(p, d)
		showLines(d, p, lines, w)
		return nil
	}
	if i := askedEntry(p, w.Question); i >= 0 {
		showNamed(d, p, i, lines, w)
		return nil
	}
	if w.Words != nil {
		if c, ok := page.choose(w); ok {
			plain := *d
			showPart(d, p, lines, c.Part, w)
			if w.Places <= 1 {
				d.Also = placesOf(p, c.Also)
				return nil
			}
			for _, x := range c.Also {
				other := plain
				showPart(&other, p, lines, x, w)
				others = append(others, other)
			}
			return others
		}
	}
	if len(p.Entries) > 0 && !isCode {
		showEntry(p, d, 0)
	} else {
		showBeginning(p, d)
	}
	showLines(d, p, lines, w)
	return nil
}

// showNamed shows an entry that the question names, a symbol at its definition.
func showNamed(d *doc.Description, p store.Parts, i int, lines text.Lines, w Want) {
	showEntry(p, d, i)
	showLines(d, p, lines, w)
	if d.Signed > 0 && d.Line > 0 {
		d.First, d.Line = d.Signed, d.Signed
	}
	f, ok := w.Question.Mentions.FrameIn(p.File.Path)
	if ok && p.File.Kind != doc.Code && w.Words != nil && d.First <= f.Line && f.Line <= min(d.Last, lines.Len()) {
		d.Line, d.Lines = f.Line, []doc.Line{{Number: f.Line, Text: w.Words.Cut(lines.At(f.Line))}}
	}
	if e := p.Entries[i]; e.Sort == doc.Setting && e.Summary != "" && len(d.Lines) > 0 {
		n := explanationLine(e, lines)
		d.Lines = slices.DeleteFunc(d.Lines, func(l doc.Line) bool { return l.Number == n })
		d.Lines = append([]doc.Line{{Number: n, Text: w.Words.Cut(lines.At(n))}}, d.Lines...)
	}
}

// explanationLine returns the line on which the explanation of a setting begins: in the comment
// above it or inside it.
func explanationLine(e doc.Entry, lines text.Lines) int {
	const most, enough = 50, 30
	start := e.Summary[:min(len(e.Summary), enough)]
	for n := e.Line + 1; e.First == e.Line && n <= min(e.Last, e.Line+most, lines.Len()); n++ {
		if strings.Contains(lines.At(n), start) {
			return n
		}
	}
	return e.First
}

// around is the number of lines above and below a wanted line that are shown of a long symbol, or
// outside of symbols.
const around = 15

// showAt shows the symbol around the wanted line, or a window in a long one. The wanted line comes
// first.
func showAt(d *doc.Description, p store.Parts, lines text.Lines, w Want) {
	t := showAround(d, p, lines, w.Line)
	if w.Words == nil || w.Line > lines.Len() {
		return
	}
	best := excerpt.Part{Line: w.Line, Lines: []int{w.Line}}
	if part, ok := w.Words.In(&t, d.First, d.Last); ok {
		for _, n := range part.Lines {
			if n != w.Line {
				best.Lines = append(best.Lines, n)
			}
		}
	}
	keepLines(d, lines, best, w)
}

// showAround sets the shown part to the symbol around a line, or to a window in a long one. It
// returns the text.
func showAround(d *doc.Description, p store.Parts, lines text.Lines, line int) excerpt.Text {
	t := excerpt.Text{Lines: lines, Entries: p.Entries, Chunks: p.Chunks}
	i := lookup.InnermostEntry(p.Entries, line)
	if i >= 0 {
		showEntry(p, d, i)
	}
	if i < 0 || t.Wide(p.Entries[i]) {
		d.First, d.Last, d.Within = max(1, d.First, line-around), min(line+around, max(line, lines.Len())), i >= 0
		if i >= 0 {
			d.Last = min(d.Last, p.Entries[i].Last)
		}
	}
	d.First = min(d.First, line) // the line may be in the comment above a symbol
	return t
}

// showFrame shows the function of a trace's frame, with the line of the frame if that is in it. It
// returns false if the file has neither.
func showFrame(d *doc.Description, p store.Parts, lines text.Lines, f text.Frame, w Want) bool {
	i := lookup.FrameEntry(p.Entries, f)
	isIn := i < 0 || p.Entries[i].First <= f.Line && f.Line <= p.Entries[i].Last
	switch {
	case isIn && 0 < f.Line && f.Line <= lines.Len():
		if w.Line = f.Line; !w.Question.Long {
			showAt(d, p, lines, w)
			return true
		}
		showAround(d, p, lines, f.Line)
		if w.Words != nil {
			keepLines(d, lines, excerpt.Part{Line: f.Line, Lines: []int{f.Line}}, w)
		}
	case i >= 0:
		showEntry(p, d, i)
		showLines(d, p, lines, w)
	}
	return i >= 0 || isIn && 0 < f.Line && f.Line <= lines.Len()
}

// askedEntry returns the index of the definition named by a question, or -1.
func askedEntry(p store.Parts, q text.Question) int {
	if p.File.Kind != doc.Code {
		return -1
	}
	n, ok := lookup.Asked(q.Raw)
	if !ok {
		n, ok = lookup.AskedSetting(q.Raw)
	}
	if !ok {
		return writtenEntry(p.Entries, q)
	}
	best, at := 0.0, -1
	for i, e := range p.Entries {
		if strings.EqualFold(doc.LastName(e.Name), n.Last) {
			if x := lookup.DefinitionScore(n, p.File.Path, e); x > best {
				best, at = x, i
			}
		}
	}
	return at
}

// writtenEntry returns the index of the first function or type whose name a question spells as code
// ("what does parse_line do"), or -1. It returns -1 for a long question, because that names many.
func writtenEntry(es []doc.Entry, q text.Question) int {
	if q.Long {
		return -1
	}
	for word := range strings.FieldsSeq(q.Raw) {
		word = strings.TrimSuffix(strings.Trim(word, "?!,;:.'\"`"), "()")
		if word == "" || !lookup.IsSpelledAsCode(word) {
			continue
		}
		i := slices.IndexFunc(es, func(e doc.Entry) bool {
			called := e.Sort == doc.Function || e.Sort == doc.Method || e.Sort == doc.Type
			return called && (e.Name == word || doc.LastName(e.Name) == word)
		})
		if i >= 0 {
			return i
		}
	}
	return -1
}

// showPart describes a chosen part.
func showPart(d *doc.Description, p store.Parts, lines text.Lines, x excerpt.Part, w Want) {
	switch {
	case x.Entry >= 0:
		showEntry(p, d, x.Entry)
	case x.In >= 0:
		showEntry(p, d, x.In)
		d.First, d.Last, d.Within = x.First, x.Last, true
	default:
		d.First, d.Last = x.First, x.Last
	}
	keepLines(d, lines, x, w)
}

// placesOf returns the places of further parts.
func placesOf(p store.Parts, parts []excerpt.Part) (places []doc.Place) {
	for _, x := range parts {
		place := doc.Place{First: x.First, Last: x.Last}
		if i := max(x.Entry, x.In); i >= 0 {
			place.Symbol = p.Entries[i].Name
		}
		places = append(places, place)
	}
	return places
}

// showLines chooses the best lines of the shown part.
func showLines(d *doc.Description, p store.Parts, lines text.Lines, w Want) {
	if w.Words == nil || lines.Len() == 0 {
		return
	}
	first := d.First
	i := slices.IndexFunc(p.Entries, func(e doc.Entry) bool { return e.Name == d.Symbol })
	if i >= 0 && p.Entries[i].Sort == doc.Section {
		d.Last = ownEnd(p.Entries, i)
		first = min(p.Entries[i].Line+1, d.Last) // the heading is in the title
	}
	t := excerpt.Text{Lines: lines, Entries: p.Entries, Chunks: p.Chunks}
	if part, ok := w.Words.In(&t, first, d.Last); ok {
		keepLines(d, lines, part, w)
	}
	if w.Question.HowTo && p.File.Kind != doc.Code {
		showExample(d, lines, first, w)
	}
}

// exampleLines bounds the lines of a code block.
const exampleLines = 5

// showExample inserts the first code block of a section after its best line, because a question
// about how to use something wants to copy it.
func showExample(d *doc.Description, lines text.Lines, first int, w Want) {
	from, to := excerpt.CodeBlock(lines, first, d.Last)
	if from == 0 {
		return
	}
	to = min(to, from+exampleLines-1)
	inside := func(l doc.Line) bool { return from <= l.Number && l.Number <= to }
	rest := slices.DeleteFunc(slices.Clone(d.Lines), inside)
	kept := slices.Clone(rest[:min(len(rest), 1)])
	for n := from; n <= to; n++ {
		if strings.TrimSpace(lines.At(n)) == "" {
			continue
		}
		kept = append(kept, doc.Line{Number: n, Text: w.Words.Cut(lines.At(n))})
	}
	d.Lines = append(kept, rest[min(len(rest), 1):]...)
}

// ownEnd returns the last line of a section before its first subsection.
func ownEnd(es []doc.Entry, i int) int {
	last := es[i].Last
	for _, e := range es[i+1:] {
		if e.First > es[i].Line {
			last = min(last, e.First-1)
		}
	}
	return max(es[i].First, last)
}

// keepLines adds the best lines of a part to the description.
func keepLines(d *doc.Description, lines text.Lines, p excerpt.Part, w Want) {
	d.Line = p.Line
	if len(p.Lines) == 0 && d.Title == "" && p.Line > 0 { // neither a word of the question nor a name
		p.Lines = []int{p.Line}
	}
	if d.Title == "" && p.Line > 0 {
		d.Summary = strings.TrimSpace(w.Words.Cut(lines.At(p.Line)))
	}
	for _, n := range p.Lines {
		d.Lines = append(d.Lines, doc.Line{Number: n, Text: w.Words.Cut(lines.At(n))})
		d.First = min(d.First, n)
	}
}

// showBeginning shows the type after which a file is named ("NetworkClient.java",
// "arg_matches.rs"), otherwise its first chunk.
func showBeginning(p store.Parts, d *doc.Description) {
	stem, _, _ := strings.Cut(path.Base(p.File.Path), ".")
	plain := strings.NewReplacer("_", "", "-", "")
	stem = plain.Replace(stem)
	for i, e := range p.Entries {
		name := plain.Replace(doc.LastName(e.Name))
		if e.Sort == doc.Type && strings.EqualFold(name, stem) {
			showEntry(p, d, i)
			return
		}
	}
	d.First, d.Last = 1, 1
	if len(p.Chunks) > 0 {
		d.First, d.Last = p.Chunks[0].First, p.Chunks[0].Last
	}
}
