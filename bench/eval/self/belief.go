package self

import (
	"fmt"
	"strings"

	"patina/belief"
	"patina/internal/lazyregexp"
	"patina/scrape/prose"
	"patina/store/doc"
)

// evidence takes questions from beliefs. Each asks for a belief by a bullet of its evidence, which
// is cut out.
func (s *sampler) evidence(x *set, seed uint64) {
	for _, path := range s.shuffled(Belief, seed, func(p string) bool {
		return s.kinds[p] == doc.Belief && belief.IsPath(p)
	}) {
		b := belief.Parse(path, s.files[path])
		if len(x.cases) == s.most {
			break
		}
		if b.Status != belief.Active {
			x.leave("not active: never shown as a result")
			continue
		}
		lines := strings.Split(s.files[path], "\n")
		var usable []int
		for _, l := range b.Evidence {
			if l.Line <= len(lines) && len(wordsOf(bare(lines[l.Line-1]))) >= fewestWords {
				usable = append(usable, l.Line)
			}
		}
		if len(usable) == 0 {
			x.leave("its evidence has no words of its own")
			continue
		}
		n := usable[s.draw.IntN(len(usable))]
		s.cuts[path] = append(s.cuts[path], span{n, n})
		x.cases = append(x.cases, Case{
			ID: fmt.Sprintf("%s:%d", path, n), Query: bare(lines[n-1]),
			Expect: []string{path},
		})
	}
	if len(x.cases) == 0 {
		x.why = "no active belief with evidence in words"
	}
}

var (
	links  = lazyregexp.New(`\[\[[^\]]*\]\]|\[([^\]]*)\]\([^)]*\)`)
	weight = lazyregexp.New(`\(weight:[^)]*\)`)
)

// bare returns the words of a bullet, without the link that it gives as evidence, its weight and
// its marks.
func bare(line string) string {
	line = weight().ReplaceAllString(links().ReplaceAllString(line, "$1 "), " ")
	return strings.Join(strings.Fields(strings.TrimLeft(strings.TrimSpace(line), "-*+: ")), " ")
}

const (
	fewestInBlock = 8  // words; a shorter block says too little
	mostInBlock   = 30 // words; of a longer block only the first ones are asked
)

// session takes questions from sessions. Each asks for a session by the first words of one of its
// blocks, which is cut out.
func (s *sampler) session(x *set, seed uint64) {
	for _, path := range s.shuffled(Session, seed, func(p string) bool { return s.kinds[p] == doc.Session }) {
		if len(x.cases) == s.most {
			break
		}
		r := prose.ParseSession(path, s.files[path])
		lines := strings.Split(s.files[path], "\n")
		var usable []prose.SessionBlock
		for _, b := range r.Blocks {
			if len(wordsOf(linesOf(lines, b))) >= fewestInBlock {
				usable = append(usable, b)
			}
		}
		if len(usable) < 2 {
			x.leave("fewer than two blocks with words")
			continue
		}
		b := usable[s.draw.IntN(len(usable))]
		s.cuts[path] = append(s.cuts[path], span{b.First, b.Last})
		x.cases = append(x.cases, Case{
			ID: fmt.Sprintf("%s:%d", path, b.First), Query: firstWords(bare(linesOf(lines, b)), mostInBlock),
			Expect: []string{path},
		})
	}
	if len(x.cases) == 0 {
		x.why = "no session with two blocks of words (layer/sessions)"
	}
}

// linesOf returns a block's text below its heading. It is empty if the block has no lines there.
func linesOf(lines []string, b prose.SessionBlock) string {
	first := max(b.First, b.Line+1)
	if first > b.Last || b.Last > len(lines) {
		return ""
	}
	return strings.Join(lines[first-1:b.Last], "\n")
}
