package eval

import "patina/store/text"

// A Lexicon counts words in texts: identifiers split, words stemmed, no fields. Texts are numbered
// in the order added.
type Lexicon struct {
	Postings map[string][]Posting // by word, in the order of the texts

	wanted map[string]bool  // nil: all words
	runs   map[string]spelt // each run is cut and stemmed once
	words  []int            // per text
	total  int              // words in all texts
}

// A Posting says how often a word is in a text.
type Posting struct{ Text, Count int }

// A spelt run holds its number of words, and the wanted ones.
type spelt struct {
	words  int
	wanted []string
}

// NewLexicon keeps postings for the wanted words only, or for all words if wanted is nil.
func NewLexicon(wanted map[string]bool) *Lexicon {
	return &Lexicon{wanted: wanted, runs: map[string]spelt{}, Postings: map[string][]Posting{}}
}

// Add counts the words of one more text.
func (x *Lexicon) Add(s string) {
	counts, words := map[string]int{}, 0
	text.Runs(s, func(run string) {
		s := x.spell(run)
		words += s.words
		for _, w := range s.wanted {
			counts[w]++
		}
	})
	for w, n := range counts {
		x.Postings[w] = append(x.Postings[w], Posting{len(x.words), n})
	}
	x.words = append(x.words, words)
	x.total += words
}

// Texts returns the number of texts added.
func (x *Lexicon) Texts() int { return len(x.words) }

// average returns the mean number of words per text.
func (x *Lexicon) average() float64 { return float64(x.total) / float64(max(1, len(x.words))) }

func (x *Lexicon) spell(run string) spelt {
	s, ok := x.runs[run]
	if !ok {
		text.Words(run, func(w string) {
			s.words++
			if x.wanted == nil || x.wanted[w] {
				s.wanted = append(s.wanted, w)
			}
		})
		x.runs[run] = s
	}
	return s
}

// termsOf returns the words by which any of the questions ranks.
func termsOf(qs []Question) map[string]bool {
	terms := map[string]bool{}
	for _, q := range qs {
		for _, w := range text.ParseQuestion(q.Query).Terms {
			terms[w] = true
		}
	}
	return terms
}
