package route

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"patina/store/text"
)

// Constants of the router, chosen on 70 questions across 46 repositories: the right one was among
// the three asked for 69 (docs/repositories.md, "Asking several repositories").
const (
	// Most is how many projects are asked beside home.
	Most = 3
	// ownShare is the project's own part in the likelihood of a word; the rest is of all projects.
	ownShare = 0.7
	// fitWeight is how much the fit counts against the logarithm of the edge's weight.
	fitWeight = 3.64
	// margin is how much worse than home a project may fit, and how much better one that is Far must.
	margin = 1.0
)

// A Question is what the router reads of one.
type Question struct {
	Stems []string
	Names []string // that are written as code
}

// A Candidate is a project at the end of an edge from home.
type Candidate struct {
	Project  string  // its id
	Relation string  // the edge's type; empty without an edge
	Weight   float64 // of the edge
	// Far says that the edge leads to home instead, or that there are two. Such a project must fit
	// the question better than home by a margin, and is asked in a place that no other takes.
	Far    bool
	Sketch *Sketch // nil: there is none
}

// A Choice is a candidate, and whether it is asked.
type Choice struct {
	Candidate
	Fit     float64 // the mean logarithm of the likelihoods of the question's words: L
	Defines bool    // a name of the question that home does not define
	Asked   bool
	Why     string // it is not asked; empty if it is
}

// The reasons not to ask a candidate.
const (
	NoSketch  = "it has no sketch: never scraped, or before sketches were made"
	NoWords   = "no sketch knows a word of the question"
	FarOff    = "its words fit the question far worse than home's"
	NotBetter = "its words do not fit the question much better than home's"
	Others    = "others fit better"
)

// Choose orders candidates, the best first, and says which to ask: at most Most that define a name
// of the question which home does not, or fit about as well as home. all are the sketches of all
// registered projects, home's included.
func Choose(q Question, home Sketch, all []Sketch, candidates []Candidate) []Choice {
	words := commonWords(q.Stems, all)
	atHome := words.fit(home)
	names := slices.DeleteFunc(slices.Clone(q.Names), home.Defines)
	out := make([]Choice, len(candidates))
	for i, c := range candidates {
		out[i] = Choice{Candidate: c, Fit: math.Inf(-1)}
		if c.Sketch == nil {
			out[i].Why = NoSketch
			continue
		}
		out[i].Defines = slices.ContainsFunc(names, c.Sketch.Defines)
		if len(words) > 0 {
			out[i].Fit = words.fit(*c.Sketch)
		}
		switch {
		case out[i].Defines:
		case len(words) == 0:
			out[i].Why = NoWords
		case c.Far && out[i].Fit < atHome+margin:
			out[i].Why = NotBetter
		case out[i].Fit < atHome-margin:
			out[i].Why = FarOff
		}
	}
	slices.SortFunc(out, func(a, b Choice) int {
		return cmp.Or(trueFirst(a.Defines, b.Defines), trueFirst(!a.Far, !b.Far), cmp.Compare(b.order(), a.order()), strings.Compare(a.Project, b.Project))
	})
	asked := 0
	for i := range out {
		switch {
		case out[i].Why != "":
		case asked == Most:
			out[i].Why = Others
		default:
			out[i].Asked = true
			asked++
		}
	}
	return out
}

// trueFirst orders true before false.
func trueFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// Fit returns the fit of one project, as Choose computes it.
func Fit(stems []string, of Sketch, all []Sketch) float64 { return commonWords(stems, all).fit(of) }

func (c Choice) order() float64 {
	return fitWeight*c.Fit + math.Log(max(c.Weight, math.SmallestNonzeroFloat64))
}

// A word is a stem that some sketch knows, and its share of the chunks of all projects.
type word struct {
	hash   uint32
	common float64
}

type words []word

func commonWords(stems []string, all []Sketch) words {
	chunks := 0
	for _, s := range all {
		chunks += s.Chunks
	}
	var out words
	for _, stem := range stems {
		h := hashOf(stem)
		n := 0.0
		for _, s := range all {
			n += s.frequency(h)
		}
		if n > 0 {
			out = append(out, word{h, n / float64(max(1, chunks))})
		}
	}
	return out
}

// fit is the mean of ln(.7 · df/N + .3 · Σdf/ΣN) over the words.
func (ws words) fit(s Sketch) float64 {
	if len(ws) == 0 {
		return 0
	}
	sum := 0.0
	for _, w := range ws {
		sum += math.Log(ownShare*s.frequency(w.hash)/float64(max(1, s.Chunks)) + (1-ownShare)*w.common)
	}
	return sum / float64(len(ws))
}

// Count adds up the sketches of all registered projects, for a question's terms. Terms without any
// count are left out. Projects asked together weigh words by these counts: a word rare in one may
// be common in another, and then their scores could not be compared.
func Count(terms []string, all []Sketch) text.Frequencies {
	c := text.Frequencies{Terms: make(map[string]int, len(terms))}
	for _, s := range all {
		c.Chunks += s.Chunks
	}
	for _, t := range terms {
		h, n := hashOf(t), 0.0
		for _, s := range all {
			n += s.frequency(h)
		}
		if n > 0 {
			c.Terms[t] = int(math.Round(n))
		}
	}
	return c
}
