package text

import (
	"slices"
	"strings"
)

// Frequencies is the number of chunks, and the number of them that hold each term.
type Frequencies struct {
	Chunks int
	Terms  map[string]int
}

// A Question is a text prepared for ranking.
type Question struct {
	Raw string
	// Terms are the distinct stems of runs and their parts, in order, without stop words. If all
	// words are stop words, Terms has their stems.
	Terms []string
	// Parts are the distinct stems of the smallest parts, without stop words.
	Parts []string
	// Words are the lower-cased runs in order, with stop words. File names are compared with them.
	Words []string
	// HowTo means that the question asks how to use something. The code that reads its intent sets
	// it.
	HowTo bool
	// Newest means that it asks for news. Relevant commits are then ordered by age.
	Newest bool
	// Listing means that all its words are words for commits. The newest commits are then the
	// answer.
	Listing bool
	// Wide counts the terms over the chunks of all projects that are asked. It is empty if only one
	// is. The code that asks several projects sets it.
	Wide Frequencies

	// Long marks a pasted issue or traceback. Its Words are only those of the title, and it has no
	// Parts.
	Long     bool
	Title    string             // long only: the first line, or the first sentence
	Weights  map[string]float64 // long only: each term's weight, from its best zone
	Zones    []string           // long only: the lines by weight, heaviest first
	Mentions Mentions           // files and symbols named
	Traced   bool               // long only: it begins with a trace, or is half of one
}

// ParseQuestion makes a question of any text. There is no syntax: "std::env", a lone quote and a
// NUL are all legal. It takes linear time. It does not limit the number of terms: the store does,
// because it knows how rare they are. A text that has LongWords words or more, a traceback or a
// code fence is read by its zones, all others word by word.
func ParseQuestion(s string) Question {
	q := Question{Raw: s}
	var terms, parts, stops orderedSet
	Runs(s, func(run string) {
		word := strings.ToLower(run)
		q.Words = append(q.Words, word)
		if IsStop(word) {
			stops.insert(Stem(word))
			return
		}
		Words(run, terms.insert)
		Parts(run, func(part string) {
			if p := strings.ToLower(part); !IsStop(p) {
				parts.insert(Stem(p))
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
	q.Mentions.Places = placesOf(s)
	return q
}

// Without removes words from Terms and Parts. If no term would be left, it removes nothing and
// returns false. Words and Raw keep all words.
func (q *Question) Without(words []string) bool {
	out := func(stem string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return Stem(strings.ToLower(w)) == stem })
	}
	left := slices.DeleteFunc(slices.Clone(q.Terms), out)
	parts := slices.DeleteFunc(slices.Clone(q.Parts), out)
	if len(left) > 0 {
		q.Terms, q.Parts = left, parts
	}
	return len(left) > 0
}

// An orderedSet collects each string once, in order. The zero value is empty and ready to use.
type orderedSet struct {
	list []string
	seen map[string]struct{}
}

func (d *orderedSet) insert(s string) {
	if _, ok := d.seen[s]; ok {
		return
	}
	if d.seen == nil {
		d.seen = map[string]struct{}{}
	}
	d.seen[s] = struct{}{}
	d.list = append(d.list, s)
}
