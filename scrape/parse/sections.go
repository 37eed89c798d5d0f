package parse

import (
	"patina/scrape/chunk"
	"patina/store/doc"
)

// top is the name of the section of the lines before the first heading, and of a file without
// headings.
const top = "top"

// A heading starts a section of a document.
type heading struct {
	first int    // line where its section starts
	line  int    // line of its text
	body  int    // first line below it
	level int    // from 1; 0 for the lines before the first heading
	text  string // without marks
}

// A sectioner turns the headings of a document into rows of the store. A section includes its
// subsections: it reaches to the next heading of its own level or above. Its chunks have only its
// own lines.
type sectioner struct {
	src      *chunk.Source
	headings []heading
	lead     int                          // lines of front matter, a chunk of their own, or 0
	prose    func(first, last int) string // the first paragraph of some lines, without marks
}

func (s *sectioner) fill(f *doc.File) {
	namer := chunk.Namer{}
	var open []int // entries that enclose the next one
	c := chunk.Cutter{
		Src: s.src, Comment: make([]bool, s.src.Lines()), Owner: func(e doc.Entry) string { return e.Title },
	}
	var spans []chunk.Span
	for i, h := range s.headings {
		for len(open) > 0 && s.headings[open[len(open)-1]].level >= h.level {
			open = open[:len(open)-1]
		}
		e := doc.Entry{Name: namer.Unique(slug(h)), Sort: doc.Section, First: h.first, Line: h.line, Parent: -1}
		e.Last, e.Title = s.lastLineOf(i), h.text
		if len(open) > 0 {
			e.Parent = open[len(open)-1]
			e.Title = c.Entries[e.Parent].Title + " > " + h.text
		}
		e.Title = chunk.Truncate(e.Title, signatureBytes)
		own := s.ownEnd(i)
		e.Summary = chunk.FirstSentence(s.prose(h.body, own), summaryBytes)
		c.Entries = append(c.Entries, e)
		if h.level == 0 && s.lead > 0 {
			spans = append(spans, chunk.Span{Entry: i, First: 1, Last: s.lead})
			h.first = s.lead + 1
		}
		spans = append(spans, chunk.Span{Entry: i, First: h.first, Last: own})
		if h.level > 0 {
			open = append(open, i)
		}
	}
	c.Entries, spans = withRules(c.Entries, s.trimmed(spans), rulesOf(f), namer)
	f.Entries = c.Entries
	f.Chunks = c.Cut(s.trimmed(spans))
}

// trimmed removes the blank lines at the end of spans, and spans that have only blank lines.
func (s *sectioner) trimmed(spans []chunk.Span) []chunk.Span {
	kept := spans[:0]
	for _, x := range spans {
		for x.Last >= x.First && s.src.Blank(x.Last) {
			x.Last--
		}
		if x.First <= x.Last {
			kept = append(kept, x)
		}
	}
	return kept
}

// lastLineOf returns the last line of a section with its subsections.
func (s *sectioner) lastLineOf(i int) int {
	for _, h := range s.headings[i+1:] {
		if h.level <= s.headings[i].level || s.headings[i].level == 0 {
			return h.first - 1
		}
	}
	return s.src.Lines()
}

// ownEnd returns the last line of a section before the next heading.
func (s *sectioner) ownEnd(i int) int {
	if i+1 < len(s.headings) {
		return s.headings[i+1].first - 1
	}
	return s.src.Lines()
}
