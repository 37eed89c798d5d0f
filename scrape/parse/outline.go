package parse

import (
	"cmp"
	"slices"
	"strings"

	"patina/code/lang"
	"patina/scrape/chunk"
	"patina/scrape/markup"
	"patina/scrape/syntax"
	"patina/store/doc"
	"patina/store/text"
)

// An outliner turns the outline of a text into rows of the store. Bytes become lines, symbols
// become entries and chunks.
type outliner struct {
	src     *chunk.Source
	out     *syntax.Outline
	comment []bool // for each line, from 0
	behind  []bool // lines of a comment that begins after something else
	entries []doc.Entry
	index   []int // the entry of each symbol
	labels  []chunk.Label
	page    bool // the text is an HTML page
}

// readOutline fills in the symbols that tree-sitter finds. broken is true if the text has syntax
// errors. ok is false if the text is too costly to parse.
func readOutline(f *doc.File, src *chunk.Source) (broken, ok bool) {
	out, err := readSyntax(f, src.Text)
	if err != nil {
		return false, false
	}
	if markup.Knows(f.Language) {
		nameComponent(f.Path, out)
	}
	o := &outliner{
		src: src, out: out, comment: make([]bool, src.Lines()), behind: make([]bool, src.Lines()),
		page: lang.Named(f.Language).IsPage,
	}
	for _, c := range out.Comments {
		src.MarkComment(o.comment, c.Start, c.End)
		if !src.BeginsLine(c.Start) {
			for n := src.LineAt(c.Start); n < src.LineAt(c.End-1); n++ {
				o.behind[n] = true
			}
		}
	}
	recoverSymbols(f.Language, src, out, o.comment)
	f.Functions, f.Calls = 0, nil
	o.enterEntries(f)
	for _, c := range out.Calls {
		caller := -1
		if c.Symbol >= 0 {
			caller = o.index[c.Symbol]
		}
		f.Calls = append(f.Calls, doc.Call{Caller: caller, Name: c.Name, Line: src.LineAt(c.At)})
	}
	f.Entries, f.Imports, f.Bindings = o.entries, out.Imports, out.Bindings
	f.Typed = o.typedVariables(f.Language, f.Calls)
	for _, l := range out.Labels {
		o.labels = append(o.labels, chunk.Label{Line: src.LineAt(l.At), Name: l.Name})
	}
	slices.SortStableFunc(o.labels, func(a, b chunk.Label) int { return cmp.Compare(a.Line, b.Line) })
	c := chunk.Cutter{Src: src, Comment: o.comment, Entries: o.entries, Labels: o.labels}
	f.Chunks = c.Cut(o.spans())
	return out.Broken, true
}

// readSyntax reads a text in its language. A header of C is read as C++ if that gives fewer errors.
// The error is that of syntax.Read.
func readSyntax(f *doc.File, text []byte) (*syntax.Outline, error) {
	out, err := syntax.Read(f.Language, text)
	more := lang.Named(f.Language).MayBe(f.Path)
	if err != nil || out.Wrong == 0 || more == "" {
		return out, err
	}
	if other, err := syntax.Read(more, text); err == nil && other.Wrong < out.Wrong {
		f.Language = more
		return other, nil
	}
	return out, nil
}

// plainTypes are types of the languages themselves, which no project defines.
var plainTypes = text.Set(`Any Array Bool Boolean Byte Char Double Float Int Integer List Long Map Object Set Short
	String Unit Void`)

// isClass reports whether a type may be one that the project defines with methods. It must not be a
// type of the C++ library, nor a lower-case type of C.
func isClass(typ string) bool {
	last := typ[strings.LastIndexAny(typ, ".:")+1:]
	return !strings.HasPrefix(typ, "std::") && last != "" && !plainTypes.Has(last) &&
		(last[0] >= 'A' && last[0] <= 'Z' || strings.Contains(last, "_") && !strings.HasSuffix(last, "_t"))
}

// typedVariables returns the variables with declared types on which methods are called. For
// languages whose fields other files use it keeps all fields. For Rust it also keeps the fields
// between, and variables of unknown type that hide one.
func (o *outliner) typedVariables(language string, calls []doc.Call) (list []doc.Typed) {
	receivers, g := make(map[string]bool), lang.Named(language).Parser()
	for _, c := range calls {
		i := strings.LastIndexAny(c.Name, ".>:")
		for i > 0 {
			r := strings.TrimRight(c.Name[:i], ".-:?!")
			i = strings.LastIndexAny(r, ".>:")
			receivers[strings.TrimPrefix(r[i+1:], "$")] = true
			if !g.KeepsChains {
				break
			}
		}
	}
	seen, known := make(map[doc.Typed]bool), make(map[doc.Typed]bool)
	for _, t := range o.out.Typed {
		x := doc.Typed{Entry: -1, Name: t.Name, Type: t.Type}
		if t.Symbol >= 0 {
			x.Entry = o.index[t.Symbol]
		}
		isField := g.KeepsFields && x.Entry >= 0 && o.entries[x.Entry].Sort == doc.Type && isClass(t.Type)
		if !isField && !receivers[t.Name] && !strings.HasPrefix(t.Name, "_.") {
			continue
		}
		if !seen[x] {
			seen[x] = true
			list = append(list, x)
		}
		if t.Type != doc.AnyType {
			known[doc.Typed{Entry: x.Entry, Name: t.Name}] = true
		}
	}
	if !g.KeepsChains {
		return list
	}
	return slices.DeleteFunc(list, func(t doc.Typed) bool {
		return t.Type == doc.AnyType && !known[doc.Typed{Entry: t.Entry, Name: t.Name}]
	})
}

// enterEntries makes the entries, sorted by first line.
func (o *outliner) enterEntries(f *doc.File) {
	type placed struct {
		entry  doc.Entry
		symbol int
	}
	list := make([]placed, len(o.out.Symbols))
	for i, s := range o.out.Symbols {
		e := doc.Entry{Name: s.Name, Sort: s.Sort, Title: s.Title, Parent: s.Parent, Declares: s.Declares}
		start := o.src.LineAt(s.Start)
		e.Last = max(start, o.src.LineAt(s.End-1))
		e.Line = min(max(start, o.src.LineAt(s.At)), e.Last)
		e.First = o.commentStart(start, s.Start)
		comment := strings.Trim(strings.TrimLeft(s.Doc, "rRuUbBfF"), `"'`)
		if comment == "" {
			comment = o.commentText(e.First, start-1)
		}
		if comment == "" && e.Line > start { // between its decorations: @spec, then @doc
			comment = o.commentText(start, e.Line-1)
		}
		e.Summary = summaryOf(comment, f.Language)
		list[i] = placed{e, i}
		if s.Sort == doc.Function || s.Sort == doc.Method {
			f.Functions++
		}
	}
	slices.SortStableFunc(list, func(a, b placed) int { return cmp.Compare(a.entry.First, b.entry.First) })
	o.index = make([]int, len(list))
	namer := chunk.Namer{}
	for i, p := range list {
		o.index[p.symbol] = i
		e := p.entry
		o.labels = append(o.labels, chunk.Label{Line: e.First, Name: chunk.Words(e.Name)})
		e.Name = namer.Unique(e.Name)
		if e.Parent >= 0 {
			e.Parent = o.index[e.Parent]
			if e.Parent >= i || o.entries[e.Parent].Last < e.Last {
				e.Parent = -1
			}
		}
		o.entries = append(o.entries, e)
	}
}

// commentStart returns the first line of the comment directly above a line, or the line itself.
func (o *outliner) commentStart(line, at int) int {
	if !o.src.BeginsLine(at) {
		return line
	}
	for line > 1 && o.comment[line-2] && !o.behind[line-2] {
		line--
	}
	return line
}

// commentText returns the text of comment lines.
func (o *outliner) commentText(first, last int) string {
	var b strings.Builder
	for n := first; n <= last && b.Len() < 8*summaryBytes; n++ {
		if o.comment[n-1] {
			b.Write(o.src.Line(n))
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// commentMarks begin a line of a comment, unless the language has its own.
var commentMarks = []string{`r"""`, `"""`, "'''", "/**", "/*!", "/*", "///", "//!", "//", "#", "*"}

// summaryOf returns the first sentence of a comment, without its marks. A tag (@param, :param,
// \brief) ends it.
func summaryOf(comment, language string) string {
	marks, ends := commentMarks, []string{"*/", `"""`, "'''"}
	if of := lang.Named(language).SummaryMarks; of != nil {
		marks, ends = of, []string{`"""`, "-}", "]]", "*)", "*/"}
	}
	var b strings.Builder
	for line := range strings.Lines(comment) {
		line = strings.TrimSpace(line)
		for _, open := range marks {
			if rest, ok := strings.CutPrefix(line, open); ok {
				line = strings.TrimLeft(rest, "#*/!<")
				break
			}
		}
		for _, end := range ends {
			line = strings.TrimSuffix(line, end)
		}
		line = strings.TrimSpace(line)
		line = strings.TrimPrefix(strings.TrimPrefix(line, "<summary>"), `\brief `)
		line = strings.TrimSuffix(line, "</summary>")
		if line == "" || strings.Trim(line, "-=*#/_ ") == "" {
			if b.Len() > 0 {
				break
			}
			continue
		}
		if line[0] == '@' || line[0] == ':' && strings.Contains(line[1:], ":") {
			break
		}
		b.WriteString(line)
		b.WriteByte('\n')
	}
	return chunk.FirstSentence(b.String(), summaryBytes)
}
