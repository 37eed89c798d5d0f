package excerpt

import (
	"cmp"
	"slices"

	"patina/store/doc"
	"patina/store/text"
)

// Bounds of a part.
const (
	longest  = 200 // lines of the longest symbol that may be a part
	spanning = 60  // above so many lines, a symbol over four fifths of its file is not a part
)

// A Text is a file in memory, with its outline and its chunks.
type Text struct {
	Lines   text.Lines
	Entries []doc.Entry
	Chunks  []doc.Span
	Test    bool // the file is a test as a whole
}

// None means that there is no entry.
const None = -1

// A Part is a range of lines that may be shown: a symbol, or a window.
type Part struct {
	Entry       int // the symbol's index, or None for a window
	In          int // index of a window's innermost symbol, or None
	First, Last int
	Line        int   // the best line
	Lines       []int // the lines to show, best first
	score       float64
	votes       [maxChannels]float64
	number      int32 // of the part among the owners of lines
	says        bool  // whether a line has a term
}

// vote returns the sum of the channels' votes for a part.
func (p *Part) vote() (sum float64) {
	for _, v := range p.votes {
		sum += v
	}
	return sum
}

// noteVote records a channel's vote for a chunk that contains the part.
func (p *Part) noteVote(h hit) { p.votes[h.channel] = max(p.votes[h.channel], h.vote) }

// scaleVotes makes the highest vote of a channel nearestVote, and the others as much lower.
func scaleVotes(list []Part, channel int) {
	most := 0.0
	for i := range list {
		most = max(most, list[i].votes[channel])
	}
	if most == 0 {
		return
	}
	for i := range list {
		list[i].votes[channel] *= nearestVote / most
	}
}

// Wide reports whether a symbol is too long to be shown as a hit.
func (t *Text) Wide(e doc.Entry) bool {
	n := e.Last - e.First + 1
	return n > longest || n > spanning && 5*n > 4*t.Lines.Len()
}

// isPart reports whether an entry is a part. It must not be wide, nor be inside a function that is
// a part.
func (t *Text) isPart(i int) bool {
	if t.Wide(t.Entries[i]) {
		return false
	}
	for p := t.Entries[i].Parent; p >= 0; p = t.Entries[p].Parent {
		e := t.Entries[p]
		if (e.Sort == doc.Function || e.Sort == doc.Method) && !t.Wide(e) {
			return false
		}
	}
	return true
}

// partsIn returns the parts in the chunks, each once, with its votes. It sets owners to the number
// of each line's innermost part.
func (t *Text) partsIn(hits []hit, owners []int32) []Part {
	var list []Part
	for _, h := range hits {
		c := t.Chunks[h.chunk]
		for i, e := range t.Entries {
			last := min(e.Last, t.Lines.Len())
			if e.First > c.Last || e.Last < c.First || e.First < 1 || e.First > last || !t.isPart(i) {
				continue
			}
			at := slices.IndexFunc(list, func(p Part) bool { return p.Entry == i })
			if at < 0 {
				at = len(list)
				list = append(list, Part{Entry: i, In: None, First: e.First, Last: last})
			}
			list[at].noteVote(h)
		}
	}
	slices.SortStableFunc(list, func(a, b Part) int {
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(b.Last, a.Last))
	})
	for i, p := range list {
		for n := p.First; n <= p.Last; n++ {
			owners[n] = int32(i + 1)
		}
	}
	for _, h := range hits {
		if w, ok := t.window(t.Chunks[h.chunk], owners, len(list)+1); ok {
			w.noteVote(h) // of its channel only: with all votes, files without symbols rank above code
			list = append(list, w)
		}
	}
	return list
}

// window returns the lines of a chunk that no part owns, as a part with the given number, and makes
// it their owner. It returns false if these lines are blank.
func (t *Text) window(c doc.Span, owners []int32, number int) (Part, bool) {
	w := Part{Entry: None, In: None}
	for n := max(1, c.First); n <= min(c.Last, t.Lines.Len()); n++ {
		if owners[n] != 0 {
			continue
		}
		owners[n] = int32(number)
		if isBlank(t.Lines.At(n)) {
			continue
		}
		if w.First == 0 {
			w.First = n
		}
		w.Last = n
	}
	for i, e := range t.Entries {
		if e.First <= w.First && e.Last >= w.Last {
			w.In = i // the last entry around it is the innermost
		}
	}
	return w, w.First > 0
}

func isBlank(line string) bool {
	for i := range len(line) {
		if line[i] != ' ' && line[i] != '\t' && line[i] != '\r' {
			return false
		}
	}
	return true
}
