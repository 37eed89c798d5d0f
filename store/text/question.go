package text

import (
	"slices"
	"strings"
)

// Frequencies says how many chunks there are, and how many of them hold each term.
type Frequencies struct {
	Chunks int
	Terms  map[string]int
}

// A Question is a text prepared for ranking.
type Question struct {
	Raw string
	// Terms are the distinct stems of runs and their parts, in order, without stop words. If
	// nothing else is left, the stop words stay.
	Terms []string
	// Parts are the distinct stems of the smallest parts, without stop words.
	Parts []string
	// Words are the lower-cased runs in order, with stop words. File names are compared with them.
	Words []string
	// HowTo says that the question asks how to use something. Who reads its intent sets it.
	HowTo bool
	// Newest says that it asks for news: relevant commits are ordered by their age.
	Newest bool
	// Listing says that no word is left but those for commits: the newest are the answer.
	Listing bool
	// Wide counts the terms over more chunks than one project's, where several projects are asked.
	// It is empty otherwise. Who asks them sets it.
	Wide Frequencies

	// Long marks a pasted issue or traceback. Its Words are only the title's, and it has no Parts.
	Long     bool
	Title    string             // long only: the first line, or the first sentence
	Weights  map[string]float64 // long only: each term's weight, from its best zone
	Zones    []string           // long only: the lines by weight, heaviest first
	Mentions Mentions           // long only: files and symbols named
	Traced   bool               // long only: at least half of the lines are a trace and its error
}

// ParseQuestion makes any text a question. There is no syntax: "std::env", a lone quote and a NUL
// are all legal. It takes linear time and does not limit the terms: the store does,
// because it knows how rare they are. A text with LongWords words or more, a traceback or a code
// fence is read by its zones; all others word by word.
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
	return q
}

// Without removes words from Terms and Parts, unless nothing else is left. Words and Raw keep them.
// It reports whether any term is left.
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

// An orderedSet collects each string once, in order.
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
