package markup

import (
	"slices"
	"sort"
)

// A Program is read as one text: all scripts of one language, or all expressions of the template.
// Each part starts on a new line, in the order of the page.
type Program struct {
	Language string
	Text     []byte
	parts    []part
}

// Programs returns the scripts, followed by the template if there is one.
func (p *Parts) Programs() []*Program {
	if p.Template == nil {
		return p.Scripts
	}
	return append(slices.Clip(p.Scripts), p.Template)
}

// A part is a range of bytes of the page.
type part struct {
	at   int // in the Program's text
	from int // in the page
	size int
}

// addPart adds a part of a page, between two marks.
func (p *Program) addPart(page []byte, start, end int, open, shut string) {
	if len(p.Text) > 0 {
		p.Text = append(p.Text, '\n')
	}
	p.Text = append(p.Text, open...)
	p.parts = append(p.parts, part{at: len(p.Text), from: start, size: end - start})
	p.Text = append(p.Text, page[start:end]...)
	p.Text = append(p.Text, shut...)
}

// Place returns the place in the page of a byte of the text. A byte between parts gives the end of
// the part before.
func (p *Program) Place(at int) int {
	i := sort.Search(len(p.parts), func(i int) bool { return p.parts[i].at > at })
	if i == 0 {
		return p.parts[0].from
	}
	x := p.parts[i-1]
	return x.from + min(at-x.at, x.size)
}

// Holds reports whether a range of the page is part of the text.
func (p *Program) Holds(r Range) bool {
	i := sort.Search(len(p.parts), func(i int) bool { return p.parts[i].from > r.Start })
	return i > 0 && r.End <= p.parts[i-1].from+p.parts[i-1].size
}
