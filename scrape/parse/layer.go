package parse

import (
	"cmp"
	"slices"
	"strings"

	"patina/belief"
	"patina/scrape/chunk"
	"patina/scrape/prose"
	"patina/store/doc"
)

// readBelief fills in a belief: one entry, with separate chunks for its statement and its evidence.
func readBelief(f *doc.File) {
	src, text := chunk.NewSource(f.Body), string(f.Body)
	b := belief.Parse(f.Path, text)
	f.Rows = &belief.Rows{Belief: &b, Cited: cited(text)}
	m := &markdownReader{src: src}
	m.scan(b.ID)
	first, shown := m.frontMatter+1, src.Lines()+1 // where its statement and its evidence begin
	for _, h := range m.headings {
		if strings.EqualFold(h.text, "evidence") {
			shown = h.first
			break
		}
	}
	names := strings.Join(append([]string{b.ID}, b.Facets...), " ")
	e := doc.Entry{
		Name: b.ID, Sort: doc.Section, First: first, Line: max(first, b.Line), Last: src.Lines(), Parent: -1,
		Title: chunk.Truncate(b.Statement, signatureBytes), Summary: chunk.FirstSentence(b.Statement, summaryBytes),
	}
	f.Entries = []doc.Entry{e}
	spans := []chunk.Span{{Entry: 0, First: first, Last: shown - 1}, {Entry: 0, First: shown, Last: src.Lines()}}
	f.Chunks = cutOwned(src, f.Entries, spans, func(doc.Entry) string { return names })
}

// readSession fills in the blocks of a session. Only the first block has the session's title,
// because in all of them it would outweigh their own words.
func readSession(f *doc.File) {
	src, text := chunk.NewSource(f.Body), string(f.Body)
	s := prose.ParseSession(f.Path, text)
	f.Rows = &belief.Rows{Session: &s.Session, Cited: belief.Cited(text)}
	m, namer := &markdownReader{src: src}, chunk.Namer{}
	var spans []chunk.Span
	for i, b := range s.Blocks {
		title := b.Title
		if i == 0 && title != s.Title {
			title = s.Title + " > " + title
		}
		e := doc.Entry{
			Name: namer.Unique(slug(heading{level: 2, text: b.Title})), Sort: doc.Section, First: b.First,
			Line: max(b.First, b.Line), Last: b.Last, Title: chunk.Truncate(title, signatureBytes), Parent: -1,
		}
		e.Summary = chunk.FirstSentence(m.prose(b.Line+1, b.Last), summaryBytes)
		f.Entries = append(f.Entries, e)
		spans = append(spans, chunk.Span{Entry: i, First: b.First, Last: b.Last})
	}
	f.Chunks = cutOwned(src, f.Entries, spans, func(e doc.Entry) string { return e.Title })
}

// cutOwned makes the chunks of entries. Lines outside entries are not searched, unless there is no
// entry.
func cutOwned(src *chunk.Source, entries []doc.Entry, spans []chunk.Span, owner func(doc.Entry) string) []doc.Chunk {
	c := chunk.Cutter{Src: src, Comment: make([]bool, src.Lines()), Entries: entries, Owner: owner}
	all := c.Cut(spans)
	kept := slices.DeleteFunc(slices.Clone(all), func(x doc.Chunk) bool { return x.Entry < 0 })
	if len(kept) == 0 {
		return all
	}
	return kept
}

// brokenBelief returns why a belief's file is plain Markdown, or "".
func brokenBelief(body []byte) string { return belief.Broken(string(body)) }

// cited returns the names that a belief cites: its wikilinks, and the code that it names.
func cited(text string) []string {
	names := belief.Cited(text)
	for _, c := range belief.Citations(text) {
		switch {
		case c.Path != "":
			names = append(names, c.Path)
		case c.Commit != "":
			names = append(names, belief.CommitMark+c.Commit)
		case c.Symbol != "":
			names = append(names, belief.SymbolMark+belief.LastName(c.Symbol))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// decisionOf reads a decision record as a belief. It returns nil if the file is no record or states
// no decision.
func decisionOf(in Input) *belief.Belief {
	if !prose.IsDecision(in.Path) {
		return nil
	}
	r, ok := prose.ParseDecision(in.Path, in.Text, in.Head)
	if !ok || !r.Stated() {
		return nil
	}
	return &belief.Belief{
		ID: r.ID, Number: r.Number, Statement: r.Statement.Text, Status: string(r.Status),
		Entrenchment: belief.DefaultEntrenchment, Extracted: r.Date, Source: belief.Decision, Path: in.Path,
		Line: r.Statement.First, End: r.Statement.Last, Attacks: edgesTo(r.Supersedes),
		AttackedBy: edgesTo(r.SupersededBy), Text: string(in.Text),
	}
}

// edgesTo returns edges to other records, by id, else by number. They are resolved later, because
// the other records are not known yet.
func edgesTo(refs []prose.Reference) (edges []belief.Edge) {
	for _, r := range refs {
		edges = append(edges, belief.Edge{
			Target: cmp.Or(r.ID, r.Number, r.Text), Reason: r.Text, Confidence: -1, Line: r.Line,
		})
	}
	return edges
}

// filed reads a document of some form. If its reader fails, the file is plain text without
// sections.
func filed(f *doc.File, src *chunk.Source, as form, read func()) (*doc.File, Trouble) {
	f.Kind = as.kind
	t := recoverParser(f, src, func() bool { read(); return false })
	switch {
	case t != Fine:
		f.Kind = doc.Pattern
		return f, t
	case as.decision != nil:
		f.Rows = &belief.Rows{Belief: as.decision, Cited: cited(string(f.Body))}
	}
	return f, as.trouble
}

// readDecision makes one section of a decision in another markup.
func readDecision(f *doc.File, src *chunk.Source, d *belief.Belief) {
	e := doc.Entry{
		Name: d.ID, Sort: doc.Section, First: 1, Line: max(1, d.Line), Last: src.Lines(), Parent: -1,
		Title: chunk.Truncate(d.Statement, signatureBytes), Summary: chunk.FirstSentence(d.Statement, summaryBytes),
	}
	f.Entries = []doc.Entry{e}
	f.Chunks = cutOwned(src, f.Entries, []chunk.Span{{Entry: 0, First: 1, Last: src.Lines()}},
		func(doc.Entry) string { return d.ID })
}
