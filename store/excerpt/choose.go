package excerpt

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"patina/store"
	"patina/store/text"
)

// How a part's words count, as in the index: a word in the name, or on a line of its own.
const (
	nameWeight  = 3.0
	scopeWeight = 1.0 // a word in the name of the type around it
	k1          = 1.2
	b           = 0.5
	usualLines  = 15 // of a part
	nearWeight  = 1.0
)

// priors are the votes of the best chunk in the first channel's list and in the others', in the
// question's weight. Words are counted again in each part, meaning is not: its vote weighs more.
var priors = [2]float64{0.1, 0.2}

// A hit is a chunk that a channel found.
type hit struct {
	chunk int
	prior float64
}

// A Choice is the part that answers best, and the next ones.
type Choice struct {
	Part
	Also   []Part
	Answer float64 // the part's score, in the question's weight: how much of it the part accounts for
}

// MaxAlso bounds the further places named beside the best, and alsoShare is the least of its score
// that they have.
const (
	MaxAlso   = 3
	alsoShare = 0.6
)

// Choose returns the best part in the chunks that channels found: for each channel their ordinals,
// best first. Beside it stand the next ones that are symbols and score nearly as high, at most
// MaxAlso; or up to places parts in all, if places is over 1. It reports false if there is none.
func (w *Words) Choose(t *Text, channels [][]int, places int) (Choice, bool) {
	hits := t.hits(channels)
	if len(hits) == 0 || len(t.Lines) == 0 {
		return Choice{}, false
	}
	s := newScoring(w, t)
	list := t.parts(hits, s.owners)
	if len(list) == 0 {
		return Choice{}, false
	}
	for i := range list {
		s.score(&list[i], int32(i+1))
	}
	slices.SortStableFunc(list, func(x, y Part) int { return cmp.Compare(y.score, x.score) })
	s.choose(&list[0])
	c := Choice{Part: list[0]}
	if w.mass > 0 {
		c.Answer = list[0].score / w.mass
	}
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

// In finds the best lines between two lines of a text. It looks at the first longestPart of them.
func (w *Words) In(t *Text, first, last int) (Part, bool) {
	p := Part{Entry: None, In: None, First: max(1, first), Last: min(last, len(t.Lines), first+longestPart)}
	if p.First > p.Last {
		return p, false
	}
	s := newScoring(w, t)
	for n := p.First; n <= p.Last; n++ {
		s.owners[n] = 1
	}
	s.score(&p, 1)
	s.choose(&p)
	return p, true
}

// longestPart bounds the lines of a part that is named, not chosen.
const longestPart = 2000

// hits lists the chunks of all channels, each once for each channel.
func (t *Text) hits(channels [][]int) []hit {
	var list []hit
	for i, chunks := range channels {
		for rank, c := range chunks {
			if c >= 0 && c < len(t.Chunks) {
				list = append(list, hit{c, priors[min(i, 1)] / float64(rank+1)})
			}
		}
	}
	return list
}

// A scoring holds the terms on each line of a text, as far as they have been read.
type scoring struct {
	words  *Words
	text   *Text
	owners []int32
	masks  []uint64
	read   []bool
}

func newScoring(w *Words, t *Text) *scoring {
	n := len(t.Lines) + 1
	return &scoring{words: w, text: t, owners: make([]int32, n), masks: make([]uint64, n), read: make([]bool, n)}
}

// longestLine is how much of a line is read.
const longestLine = 1000

// on returns the terms on a line; none outside the text.
func (s *scoring) on(n int) uint64 {
	if n < 1 || n > len(s.text.Lines) {
		return 0
	}
	if !s.read[n] {
		line := s.text.Lines[n-1]
		s.masks[n] = s.words.terms(line[:min(len(line), longestLine)])
		s.read[n] = true
	}
	return s.masks[n]
}

// score rates a part by its own lines, and finds the best of them.
func (s *scoring) score(p *Part, number int32) {
	var tf [maxTerms]float64
	lines := 0
	best := -1.0
	for n := p.First; n <= p.Last; n++ {
		if s.owners[n] != number {
			continue
		}
		if blank(s.text.Lines[n-1]) {
			continue
		}
		lines++
		for set := s.on(n); set != 0; set &= set - 1 {
			tf[bits.TrailingZeros64(set)]++
		}
		if x := s.near(n); x > best {
			best, p.Line = x, n
		}
	}
	norm := 1 - b + b*float64(lines)/usualLines
	name, scope := s.names(p)
	sum := 0.0
	for t, weight := range s.words.weight {
		x := tf[t] / norm
		if name&(1<<t) != 0 {
			x += nameWeight
		}
		if scope&(1<<t) != 0 {
			x += scopeWeight
		}
		sum += weight * x / (x + k1)
	}
	p.score = sum + nearWeight*max(0, best) + p.prior*s.words.mass
	p.number, p.says = number, best > 0
}

// choose fills in the lines of a part that is shown.
func (s *scoring) choose(p *Part) {
	p.Lines = s.best(p, p.number)
	if len(p.Lines) == 0 && p.Entry >= 0 {
		p.Line = min(s.text.Entries[p.Entry].Line, p.Last)
	}
}

// names returns the terms in a part's own name, and in the name of what encloses it.
func (s *scoring) names(p *Part) (name, scope uint64) {
	e := cmp.Or(p.Entry+1, p.In+1) - 1
	if e < 0 {
		return 0, 0
	}
	full := s.text.Entries[e].Name
	own := store.LastName(full)
	name = s.words.terms(own)
	scope = s.words.terms(strings.TrimSuffix(full, own)) &^ name
	if p.Entry < 0 {
		return 0, name | scope
	}
	return name, scope
}

// near rates a line: the weight of its terms, half that of new ones beside it, and a quarter of the
// ones two lines away.
func (s *scoring) near(n int) float64 {
	own := s.on(n)
	if own == 0 && !(s.words.Reason && isComment(s.text.Lines[n-1])) {
		return 0
	}
	beside := (s.on(n-1) | s.on(n+1)) &^ own
	further := (s.on(n-2) | s.on(n+2)) &^ own &^ beside
	x := s.words.weigh(own) + s.words.weigh(beside)/2 + s.words.weigh(further)/4
	if s.words.Reason && isComment(s.text.Lines[n-1]) {
		x *= commentFactor
		if givesReason(s.text.Lines[n-1]) {
			x *= commentFactor
		}
	}
	return x
}

const commentFactor = 1.3

// maxLines bounds the lines listed for a part.
const maxLines = 8

// again is the worth of a term that another chosen line has.
const again = 0.3

// best returns the best lines, each for what it adds to the ones before it.
func (s *scoring) best(p *Part, number int32) (lines []int) {
	var covered uint64
	for len(lines) < maxLines {
		at, most := 0, 0.0
		for n := p.First; n <= p.Last; n++ {
			if s.owners[n] != number || slices.Contains(lines, n) {
				continue
			}
			own := s.on(n)
			x := s.near(n) - (1-again)*s.words.weigh(own&covered)
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
		covered |= s.on(at)
	}
	return lines
}

// isComment reports whether a line looks like one of a comment.
func isComment(line string) bool {
	line = strings.TrimLeft(line, " \t")
	for _, mark := range [...]string{"//", "#", "/*", "* ", "*\t", "--", ";", "%", `"""`, "'''", "<!--", "=begin"} {
		if strings.HasPrefix(line, mark) {
			return !strings.HasPrefix(line, "#include") && !strings.HasPrefix(line, "#define") && !strings.HasPrefix(line, "#if")
		}
	}
	return line == "*"
}

var reasonWords = text.Set(`because since so otherwise avoid avoids avoiding must note needed needs ensure ensures prevent prevents
	workaround hack cannot never always only unless instead due reason why therefore thus hence order allow allows`)

// givesReason reports whether a line holds a word by which reasons are given.
func givesReason(line string) (yes bool) {
	text.Runs(line[:min(len(line), longestLine)], func(run string) {
		yes = yes || reasonWords[strings.ToLower(run)]
	})
	return yes
}
