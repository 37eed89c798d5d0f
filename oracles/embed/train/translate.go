package train

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"patina/store/text"
)

// Bounds of the table of translations (docs/embedder.md, "Translations").
const (
	aboutTerms      = 24   // terms read from a comment or from headings
	codeTerms       = 60   // terms read from a name and its code
	fewestPairs     = 30   // pairs with a term; rarer ones are not counted
	fewestTogether  = 5    // pairs with both terms
	commonTerm      = 0.1  // share of passages above which a term translates nothing
	leastMutual     = 1.5  // mutual information of a pair of terms, in nats
	leastLikely     = 0.01 // p(term | word)
	mostAlternative = 4    // translations of a word
	mostWords       = 6000 // words with translations: those in most comments
	rounds          = 6    // of expectation and maximisation
)

// A link of words says how likely a term of code is where a comment has a word.
type translated struct {
	term        string
	likely      float64 // p(term | word)
	information float64 // pointwise mutual information
}

// Translations returns the table of package dictionary: for frequent words of comments, the terms
// of the code beneath them. It estimates p(term | word) by IBM's model 1 on all examples with a
// comment or headings, and keeps the terms of highest p · mutual information.
func (c *Corpus) Translations() []byte {
	m := newPairing(c.examples)
	m.count()
	for range rounds {
		m.improve()
	}
	return m.table()
}

// A pairing holds the terms of comments, beside those of the code that they are about.
type pairing struct {
	numbers      map[string]int32
	terms        []string
	words, codes [][]int32          // by pair: distinct terms
	inWords      []int              // pairs, by term
	inCodes      []int              // the same
	at           map[[2]int32]int32 // the place of a word and a term in the slices below
	mutual       []float64
	likely       []float64
}

func newPairing(examples []example) *pairing {
	m := &pairing{numbers: map[string]int32{}}
	for _, e := range examples {
		about := e.about
		if e.kind != section {
			about = opening(about)
		}
		words, codes := m.distinct(about, aboutTerms), m.distinct(e.name+" "+e.body, codeTerms)
		if len(words) >= 2 && len(codes) >= 3 {
			m.words, m.codes = append(m.words, words), append(m.codes, codes)
		}
	}
	m.inWords, m.inCodes = m.occurrences(m.words), m.occurrences(m.codes)
	return m
}

// opening returns the beginning of a comment, up to a full stop or a blank line.
func opening(s string) string {
	s = strings.TrimLeft(s, "/*#\"' \t\n")
	for _, end := range []string{". ", ".\n", "\n\n", "\n@", "\n:"} {
		s, _, _ = strings.Cut(s, end)
	}
	return s
}

// distinct returns the numbers of the first distinct stems in a text, without stop words, single
// letters and numbers.
func (m *pairing) distinct(s string, most int) (out []int32) {
	text.Runs(s, func(run string) {
		text.Parts(run, func(part string) {
			part = strings.ToLower(part)
			if len(out) == most || len(part) < 2 || part[0] >= '0' && part[0] <= '9' || text.IsStop(part) {
				return
			}
			stem := text.Stem(part)
			n, ok := m.numbers[stem]
			if !ok {
				n = int32(len(m.terms))
				m.numbers[stem], m.terms = n, append(m.terms, stem)
			}
			if !slices.Contains(out, n) {
				out = append(out, n)
			}
		})
	})
	return out
}

func (m *pairing) occurrences(of [][]int32) []int {
	n := make([]int, len(m.terms))
	for _, terms := range of {
		for _, t := range terms {
			n[t]++
		}
	}
	return n
}

// count finds the words and terms that occur together more often than by chance.
func (m *pairing) count() {
	together := map[[2]int32]int32{}
	for i, words := range m.words {
		for _, w := range words {
			for _, t := range m.codes[i] {
				if m.inWords[w] >= fewestPairs && m.inCodes[t] >= fewestPairs {
					together[[2]int32{w, t}]++
				}
			}
		}
	}
	m.at = map[[2]int32]int32{}
	for k, n := range together {
		word, term := float64(m.inWords[k[0]]), float64(m.inCodes[k[1]])
		mutual := math.Log(float64(n) * float64(len(m.words)) / word / term)
		if n >= fewestTogether && mutual > 0.3 {
			m.at[k] = int32(len(m.likely))
			m.likely, m.mutual = append(m.likely, float64(n)/word), append(m.mutual, mutual)
		}
	}
}

// improve is a round of expectation and maximisation. A term of code comes from one of the words,
// or from the background.
func (m *pairing) improve() {
	counts, totals := make([]float64, len(m.likely)), make([]float64, len(m.terms))
	all := 0
	for _, n := range m.inCodes {
		all += n
	}
	found := make([]int32, aboutTerms)
	for i, words := range m.words {
		for _, t := range m.codes[i] {
			sum := 4 * float64(m.inCodes[t]) / float64(all)
			for j, w := range words {
				at, ok := m.at[[2]int32{w, t}]
				if found[j] = -1; ok {
					found[j] = at
					sum += m.likely[at]
				}
			}
			for j, w := range words {
				if at := found[j]; at >= 0 {
					counts[at] += m.likely[at] / sum
					totals[w] += m.likely[at] / sum
				}
			}
		}
	}
	for k, at := range m.at {
		m.likely[at] = counts[at] / max(totals[k[0]], 1e-9)
	}
}

// table writes a line a word, sorted: the word, and the terms with p in thousandths.
func (m *pairing) table() []byte {
	found := map[int32][]translated{}
	for k, at := range m.at {
		w, t := k[0], k[1]
		common := float64(m.inCodes[t]) > commonTerm*float64(len(m.codes))
		if w != t && !common && m.mutual[at] >= leastMutual && m.likely[at] >= leastLikely {
			found[w] = append(found[w], translated{m.terms[t], m.likely[at], m.mutual[at]})
		}
	}
	words := slices.SortedFunc(maps.Keys(found), func(a, b int32) int {
		return cmp.Or(cmp.Compare(m.inWords[b], m.inWords[a]), cmp.Compare(m.terms[a], m.terms[b]))
	})
	words = words[:min(len(words), mostWords)]
	slices.SortFunc(words, func(a, b int32) int { return cmp.Compare(m.terms[a], m.terms[b]) })
	var out bytes.Buffer
	for _, w := range words {
		ts := found[w]
		slices.SortFunc(ts, func(a, b translated) int {
			return cmp.Or(cmp.Compare(b.likely*b.information, a.likely*a.information), cmp.Compare(a.term, b.term))
		})
		out.WriteString(m.terms[w])
		for _, t := range ts[:min(len(ts), mostAlternative)] {
			fmt.Fprintf(&out, " %s %d", t.term, int(1000*t.likely+0.5))
		}
		out.WriteByte('\n')
	}
	return out.Bytes()
}
