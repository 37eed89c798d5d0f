package route

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"patina/store/text"
)

// Constants of the router, chosen on 70 questions across 46 repositories. For 69 of them the right
// repository is among the three that are asked (docs/repositories.md, "Asking several
// repositories").
const (
	// Most is the highest number of projects that are asked besides home.
	Most = 3
	// ownShare is the weight of the project itself in the likelihood of a word; the rest comes from
	// all projects.
	ownShare = 0.7
	// fitWeight is the weight of the fit beside the logarithm of the edge's weight.
	fitWeight = 3.64
	// margin is how much worse than home a project may fit. A far one must fit better than home by
	// it.
	margin = 1.0
)

// A Question is the part of a question that the router reads.
type Question struct {
	Stems []string
	Names []string // written as code
	Words int      // number of all words
}

// A Candidate is a project that an edge connects with home.
type Candidate struct {
	Project  string  // the id of the project
	Relation string  // of the edge; empty without an edge
	Weight   float64 // of the edge
	// Far means that the edge leads from the project to home, or that the project is two edges away.
	// Such a project must fit the question better than home by a margin, and is asked only if there
	// is room after the others.
	Far    bool
	Sketch *Sketch // nil if the project has no sketch
	// ShowsBeliefs is called if the project's beliefs would decide. nil means that it shows them.
	ShowsBeliefs func() bool
}

// A Choice is a candidate and the decision about it.
type Choice struct {
	Candidate
	Fit     float64 // mean logarithm of the likelihoods of the question's words; -Inf if unknown
	Defines bool    // it defines a name of the question that home does not define
	States  bool    // a belief of it states the question, and more of it than any at home
	Asked   bool
	Why     string // why it is not asked; empty if it is asked
}

// The reasons why a candidate is not asked.
const (
	NoSketch  = "it has no sketch: never scraped, or before sketches were made"
	NoWords   = "no sketch knows a word of the question"
	FarOff    = "its words fit the question far worse than home's"
	NotBetter = "its words do not fit the question much better than home's"
	Others    = "others fit better"
)

// Choose sorts candidates, the best first, and decides which to ask. It asks at most Most, which
// must define a name of the question that home does not define, state the question in a belief, or
// fit about as well as home. all must hold the sketches of all registered projects, home included.
func Choose(q Question, home Sketch, all []Sketch, candidates []Candidate) []Choice {
	words := commonWords(q.Stems, all)
	atHome := words.fit(home)
	stems, sum := weigh(q.Stems, all)
	need := leastStated
	if q.Words >= sentenceWords {
		need = min(need, len(stems))
	}
	least := max(home.mostStated(stems, need), statedPart*sum)
	names := slices.DeleteFunc(slices.Clone(q.Names), home.Defines)
	out := make([]Choice, len(candidates))
	for i, c := range candidates {
		out[i] = Choice{Candidate: c, Fit: math.Inf(-1)}
		if c.Sketch == nil {
			out[i].Why = NoSketch
			continue
		}
		out[i].Defines = slices.ContainsFunc(names, c.Sketch.Defines)
		out[i].States = c.Sketch.mostStated(stems, need) > least && (c.ShowsBeliefs == nil || c.ShowsBeliefs())
		if len(words) > 0 {
			out[i].Fit = words.fit(*c.Sketch)
		}
		switch {
		case out[i].Defines, out[i].States:
		case len(words) == 0:
			out[i].Why = NoWords
		case c.Far && out[i].Fit < atHome+margin:
			out[i].Why = NotBetter
		case out[i].Fit < atHome-margin:
			out[i].Why = FarOff
		}
	}
	slices.SortFunc(out, func(a, b Choice) int {
		return cmp.Or(trueFirst(a.Defines, b.Defines), trueFirst(a.States, b.States),
			trueFirst(!a.Far, !b.Far), cmp.Compare(b.order(), a.order()), strings.Compare(a.Project, b.Project))
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

// trueFirst compares two bools so that true sorts before false.
func trueFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// Fit returns the fit of one project, as in Choose.
func Fit(stems []string, of Sketch, all []Sketch) float64 { return commonWords(stems, all).fit(of) }

func (c Choice) order() float64 {
	return fitWeight*c.Fit + math.Log(max(c.Weight, math.SmallestNonzeroFloat64))
}

// A word is a stem that some sketch knows, and the share of the chunks of all projects that hold
// it.
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
		h := HashOf(stem)
		n := 0.0
		for _, s := range all {
			n += s.FrequencyOf(h)
		}
		if n > 0 {
			out = append(out, word{h, n / float64(max(1, chunks))})
		}
	}
	return out
}

// fit returns the mean of ln(.7 · df/N + .3 · Σdf/ΣN) over the words. It returns 0 for no words.
func (ws words) fit(s Sketch) float64 {
	if len(ws) == 0 {
		return 0
	}
	sum := 0.0
	for _, w := range ws {
		sum += math.Log(ownShare*s.FrequencyOf(w.hash)/float64(max(1, s.Chunks)) + (1-ownShare)*w.common)
	}
	return sum / float64(len(ws))
}

// Count adds up the frequencies of terms over the sketches of all registered projects. Terms that
// no sketch knows are left out. Projects that are asked together must weigh words by these counts,
// because a word that is rare in one may be common in another, and then their scores could not be
// compared.
func Count(terms []string, all []Sketch) text.Frequencies {
	c := text.Frequencies{Terms: make(map[string]int, len(terms))}
	for _, s := range all {
		c.Chunks += s.Chunks
	}
	for _, t := range terms {
		h, n := HashOf(t), 0.0
		for _, s := range all {
			n += s.FrequencyOf(h)
		}
		if n > 0 {
			c.Terms[t] = int(math.Round(n))
		}
	}
	return c
}
