package eval

import "patina/store/text"

// A lexicon counts words in texts: identifiers split, words stemmed, no fields. Texts are numbered
// in the order added.
type lexicon struct {
	speller
	postings map[string][]posting // by word
	words    []int                // per text
	total    int                  // words in all texts
}

type posting struct {
	text  int
	count int
}

// newLexicon keeps postings for the wanted words only, or for all words if wanted is nil.
func newLexicon(wanted map[string]bool) *lexicon {
	return &lexicon{speller: speller{wanted: wanted, runs: map[string]spelt{}}, postings: map[string][]posting{}}
}

func (x *lexicon) add(s string) {
	counts, words := map[string]int{}, 0
	text.Runs(s, func(run string) {
		s := x.spell(run)
		words += s.words
		for _, w := range s.wanted {
			counts[w]++
		}
	})
	for w, n := range counts {
		x.postings[w] = append(x.postings[w], posting{len(x.words), n})
	}
	x.words = append(x.words, words)
	x.total += words
}

// average returns the mean number of words per text.
func (x *lexicon) average() float64 { return float64(x.total) / float64(max(1, len(x.words))) }

// A speller cuts runs into words. Each run is cut and stemmed once.
type speller struct {
	wanted map[string]bool // nil: all words
	runs   map[string]spelt
}

// A spelt run holds its number of words, and the wanted ones.
type spelt struct {
	words  int
	wanted []string
}

func (s *speller) spell(run string) spelt {
	x, ok := s.runs[run]
	if !ok {
		text.Words(run, func(w string) {
			x.words++
			if s.wanted == nil || s.wanted[w] {
				x.wanted = append(x.wanted, w)
			}
		})
		s.runs[run] = x
	}
	return x
}

// wantedOf returns the questions' ranking words, and their stop words if all is set.
func wantedOf(qs []Question, all bool) map[string]bool {
	wanted := map[string]bool{}
	for _, q := range qs {
		words := text.ParseQuestion(q.Query).Terms
		if all {
			words = append(words, allWords(q.Query)...)
		}
		for _, w := range words {
			wanted[w] = true
		}
	}
	return wanted
}

// allWords returns a question's distinct words, stop words included.
func allWords(query string) []string {
	var words []string
	seen := map[string]bool{}
	text.Runs(query, func(run string) {
		text.Words(run, func(w string) {
			if !seen[w] {
				seen[w] = true
				words = append(words, w)
			}
		})
	})
	return words
}
