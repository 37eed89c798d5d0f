package eval

import "patina/store/text"

// A Lexicon counts words in texts: identifiers are split, words stemmed, and there are no fields.
// Texts are numbered in the order in which they are added.
type Lexicon struct {
	Postings map[string][]Posting // by word, in the order of the texts

	wanted map[string]bool  // nil: all words
	runs   map[string]spelt // each run is split and stemmed once
	words  []int            // by text
	total  int              // words in all texts
}

// A Posting is the frequency of a word in a text.
type Posting struct{ Text, Count int }

// A spelt is the number of words in a run, with those that are wanted.
type spelt struct {
	words  int
	wanted []string
}

// NewLexicon returns an empty Lexicon that keeps postings for the wanted words only. If wanted is
// nil, it keeps those of all words.
func NewLexicon(wanted map[string]bool) *Lexicon {
	return &Lexicon{wanted: wanted, runs: map[string]spelt{}, Postings: map[string][]Posting{}}
}

// Add counts the words of another text.
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

// average returns the mean number of words in a text.
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

// termsOf returns the words that occur in any of the questions and that rank.
func termsOf(qs []Question) map[string]bool {
	terms := map[string]bool{}
	for _, q := range qs {
		for _, w := range text.ParseQuestion(q.Query).Terms {
			terms[w] = true
		}
	}
	return terms
}
