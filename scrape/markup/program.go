package markup

import (
	"slices"
	"sort"
)

// A Program is what is read as one text: all scripts of one language, or all expressions of the
// template. Its parts stand on lines of their own, in the order of the page.
type Program struct {
	Language string
	Text     []byte
	parts    []part
}

// Programs lists the scripts, and the template behind them.
func (p *Parts) Programs() []*Program {
	if p.Template == nil {
		return p.Scripts
	}
	return append(slices.Clip(p.Scripts), p.Template)
}

// A part is a run of bytes of the page.
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

// Place returns where a byte of the text stands in the page. What stands between parts is at the
// end of the one before.
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
