package excerpt

import (
	"cmp"
	"slices"
	"strings"

	"patina/store/text"
)

// The vote of a channel's best chunk, in the question's weight.
const (
	// firstVote is the vote for words. The next chunks have a half, a third, … of it. It is small
	// because words are counted again in each part.
	firstVote = 0.2
	// nearestVote is the vote for meaning among the parts of one text. The next chunks have as much
	// less as they are less near. Only the answer, by which texts are compared, counts the nearness
	// itself (bench/history/lines.md, "Votes of meaning").
	nearestVote = 0.3
)

// Found are the chunks of a text that one channel found.
type Found struct {
	Chunks []int     // ordinals, best first
	Near   []float64 // nearness in meaning of each, 0..1; empty for channels of words
}

// First returns the first n chunks, all if there are fewer. n must not be negative.
func (f Found) First(n int) Found {
	return Found{f.Chunks[:min(n, len(f.Chunks))], f.Near[:min(n, len(f.Near))]}
}

// A hit is a chunk that a channel found.
type hit struct {
	chunk, channel int
	vote           float64
}

// maxChannels is the number of channels whose votes count.
const maxChannels = 4

// A Choice is the part that answers best, and the next best ones.
type Choice struct {
	Part
	Also   []Part
	Answer float64 // the best score of a part, as a share of the question's weight
}

// MaxAlso bounds the further places beside the best. Each must have at least alsoShare of its
// score.
const (
	MaxAlso   = 3
	alsoShare = 0.6
)

// Choose returns the best part in the chunks that channels found. Beside it are the next best parts
// that have a term of the question: at most MaxAlso that are symbols, or in one, and score nearly
// as high, and others until there are places parts in all. It returns false if no part is in the
// chunks. The entries of t must be in the order of their first lines.
func (w *Words) Choose(t *Text, channels []Found, places int) (Choice, bool) {
	hits := t.hits(channels)
	if len(hits) == 0 || t.Lines.Len() == 0 {
		return Choice{}, false
	}
	s := newScoring(w, t)
	for i, f := range channels[:min(len(channels), maxChannels)] {
		s.byMeaning[i] = len(f.Near) > 0
	}
	list := t.partsIn(hits, s.owners)
	if len(list) == 0 {
		return Choice{}, false
	}
	answer := s.rate(list)
	slices.SortStableFunc(list, func(x, y Part) int { return cmp.Compare(y.score, x.score) })
	t.preferWork(list, w.Tests)
	s.choose(&list[0])
	c := Choice{Part: list[0], Answer: answer}
	for _, p := range list[1:] {
		near := len(c.Also) < MaxAlso && p.Entry+p.In > 2*None && p.score >= alsoShare*c.score
		if p.says && (near || len(c.Also)+1 < places) {
			if places > 1 {
				s.choose(&p)
			}
			c.Also = append(c.Also, p)
		}
	}
	return c, true
}

// In finds the best lines from line first to line last of a text. It looks at no line after
// first+longestPart, and returns false if the text has no line in between.
func (w *Words) In(t *Text, first, last int) (Part, bool) {
	p := Part{Entry: None, In: None, First: max(1, first), Last: min(last, t.Lines.Len(), first+longestPart)}
	if p.First > p.Last {
		return p, false
	}
	s := newScoring(w, t)
	for n := p.First; n <= p.Last; n++ {
		s.owners[n] = 1
	}
	list := []Part{p}
	s.rate(list)
	s.choose(&list[0])
	return list[0], true
}

// longestPart bounds the lines of a part that the caller names.
const longestPart = 2000

// hits lists the chunks of all channels, each once for each channel that found it. Ordinals outside
// of the text are dropped.
func (t *Text) hits(channels []Found) []hit {
	var list []hit
	for i, f := range channels[:min(len(channels), maxChannels)] {
		for rank, c := range f.Chunks {
			h := hit{c, i, firstVote / float64(rank+1)}
			if rank < len(f.Near) {
				h.vote = max(0, f.Near[rank])
			}
			if c >= 0 && c < len(t.Chunks) {
				list = append(list, h)
			}
		}
	}
	return list
}

// choose sets the lines of a part that is shown.
func (s *scoring) choose(p *Part) {
	p.Lines = s.best(p, p.number)
	if len(p.Lines) == 0 && p.Entry >= 0 {
		p.Line = min(s.text.Entries[p.Entry].Line, p.Last)
	}
}

// maxLines bounds the lines that are listed for a part.
const maxLines = 8

// again is the worth of a term that is already on a chosen line.
const again = 0.3

// best returns the best lines, best first. Each is rated by the terms that it adds to the lines
// before it.
func (s *scoring) best(p *Part, number int32) (lines []int) {
	var covered uint64
	for len(lines) < maxLines {
		at, most := 0, 0.0
		for n := p.First; n <= p.Last; n++ {
			if s.owners[n] != number || slices.Contains(lines, n) {
				continue
			}
			own := s.termsOn(n)
			x := s.rateLine(n) - (1-again)*s.weigh(own&covered)
			if slices.Contains(lines, n-1) || slices.Contains(lines, n+1) {
				x *= 1.1
			}
			if x > most {
				at, most = n, x
			}
		}
		if at == 0 {
			break
		}
		lines = append(lines, at)
		covered |= s.termsOn(at)
	}
	return lines
}

// isComment reports whether a line looks like a comment.
func isComment(line string) bool {
	line = strings.TrimLeft(line, " \t")
	for _, mark := range [...]string{"//", "#", "/*", "* ", "*\t", "--", ";", "%", `"""`, "'''", "<!--", "=begin"} {
		if strings.HasPrefix(line, mark) {
			return !strings.HasPrefix(line, "#include") && !strings.HasPrefix(line, "#define") &&
				!strings.HasPrefix(line, "#if")
		}
	}
	return line == "*"
}

var reasonWords = text.Set(`because since so otherwise avoid avoids avoiding must note needed needs ensure
	ensures prevent prevents workaround hack cannot never always only unless instead due reason why therefore thus
	hence order allow allows`)

// givesReason reports whether a line has a word with which people give reasons.
func givesReason(line string) (yes bool) {
	text.Runs(line[:min(len(line), longestLine)], func(run string) {
		yes = yes || reasonWords.Has(strings.ToLower(run))
	})
	return yes
}
