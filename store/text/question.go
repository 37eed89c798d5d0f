package text

import (
	"slices"
	"strings"
)

// A Question is a text made ready for ranking.
type Question struct {
	Raw   string
	Terms []string // distinct stems of runs and their parts, without stop words (all words where none is left), in order of appearance
	Parts []string // distinct stems of the parts (the wholes of split runs left out), without stop words
	Words []string // lower-cased runs in order, stop words included: what file names are compared with

	Long     bool               // a pasted issue or traceback: Words are those of its title, and it has no Parts
	Title    string             // of a long text: its first line, or first sentence
	Weights  map[string]float64 // of a long text: what each term is worth, by the best zone it stands in
	Zones    []string           // of a long text: its lines by what their words are worth, heaviest first
	Mentions Mentions           // of a long text: the files and symbols that it names
}

// ParseQuestion makes any text a question. There is no syntax: "std::env", a lone quote and a NUL are all legal.
// It takes time in proportion to the text, and does not limit the number of terms: the store, which knows how rare they
// are, does. A text of LongWords words or more, or one that holds a traceback or a code fence, is read by its zones; all
// others, word by word.
func ParseQuestion(s string) Question {
	q := Question{Raw: s}
	var terms, parts, stops orderedSet
	Runs(s, func(run string) {
		word := strings.ToLower(run)
		q.Words = append(q.Words, word)
		if IsStop(word) {
			stops.add(Stem(word))
			return
		}
		Words(run, terms.add)
		Parts(run, func(part string) {
			if p := strings.ToLower(part); !IsStop(p) {
				parts.add(Stem(p))
			}
		})
	})
	q.Terms, q.Parts = terms.list, parts.list
	if isLong(s, countWords(q.Words)) {
		if long, ok := parseLong(s); ok {
			return long
		}
	}
	if len(q.Terms) == 0 {
		q.Terms = stops.list
	}
	return q
}

// Without takes words out of what is looked for, unless nothing else is. Words and Raw keep them.
func (q *Question) Without(words []string) {
	out := func(stem string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return Stem(strings.ToLower(w)) == stem })
	}
	left := slices.DeleteFunc(slices.Clone(q.Terms), out)
	parts := slices.DeleteFunc(slices.Clone(q.Parts), out)
	if len(left) > 0 {
		q.Terms, q.Parts = left, parts
	}
}

// distinct collects each string once, in order.
type orderedSet struct {
	list []string
	seen map[string]struct{}
}

func (d *orderedSet) add(s string) {
	if _, ok := d.seen[s]; ok {
		return
	}
	if d.seen == nil {
		d.seen = map[string]struct{}{}
	}
	d.seen[s] = struct{}{}
	d.list = append(d.list, s)
}
