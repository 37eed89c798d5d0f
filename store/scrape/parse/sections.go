package scrape

import "patina/store"

// top names the section of the lines before the first heading, and of a whole file without one.
const top = "top"

// A heading is one of a document, as its text is written.
type heading struct {
	first int    // line where its section starts
	line  int    // where its text stands
	body  int    // first line below it
	level int    // from 1; 0 for the lines before the first heading
	text  string // without marks
}

// A sectioner turns the headings of a document into what the store keeps. A section reaches to the next heading of its own level
// or above and so holds its subsections; its chunks are its own lines only.
type sectioner struct {
	src      *source
	headings []heading
	lead     int                          // lines at the start that are a chunk of their own, or 0: front matter
	prose    func(first, last int) string // the first paragraph of some lines, without marks
}

func (s *sectioner) fill(f *store.File) {
	namer := namer{}
	var open []int // entries that enclose the next one
	c := cutter{src: s.src, comment: make([]bool, s.src.lines()), owner: func(e store.Entry) string { return e.Title }}
	var spans []span
	for i, h := range s.headings {
		for len(open) > 0 && s.headings[open[len(open)-1]].level >= h.level {
			open = open[:len(open)-1]
		}
		e := store.Entry{Name: namer.unique(slug(h)), Sort: store.Section, First: h.first, Line: h.line, Parent: -1}
		e.Last, e.Title = s.end(i), h.text
		if len(open) > 0 {
			e.Parent = open[len(open)-1]
			e.Title = c.entries[e.Parent].Title + " > " + h.text
		}
		e.Title = cut(e.Title, signatureBytes)
		own := s.ownEnd(i)
		e.Summary = firstSentence(s.prose(h.body, own), summaryBytes)
		c.entries = append(c.entries, e)
		if h.level == 0 && s.lead > 0 {
			spans = append(spans, span{i, 1, s.lead})
			h.first = s.lead + 1
		}
		spans = append(spans, span{i, h.first, own})
		if h.level > 0 {
			open = append(open, i)
		}
	}
	f.Entries = c.entries
	f.Chunks = c.cut(s.trimmed(spans))
}

// trimmed takes the blank lines off the end of spans, and spans away that hold no others.
func (s *sectioner) trimmed(spans []span) []span {
	kept := spans[:0]
	for _, x := range spans {
		for x.last >= x.first && s.src.blank(x.last) {
			x.last--
		}
		if x.first <= x.last {
			kept = append(kept, x)
		}
	}
	return kept
}

// end is the last line of a section with its subsections.
func (s *sectioner) end(i int) int {
	for _, h := range s.headings[i+1:] {
		if h.level <= s.headings[i].level || s.headings[i].level == 0 {
			return h.first - 1
		}
	}
	return s.src.lines()
}

// ownEnd is the last line of a section before the next heading.
func (s *sectioner) ownEnd(i int) int {
	if i+1 < len(s.headings) {
		return s.headings[i+1].first - 1
	}
	return s.src.lines()
}
