package fusion

import (
	"cmp"
	"slices"
)

// codeKind is the kind that has an order of its own, better than what ranks alone give.
const codeKind = "code"

// The channels whose weight depends on something.
const (
	lexical  = "lexical"
	semantic = "semantic"
	temporal = "temporal"
)

// codeWeights are the weights A : S : H of docs/ranking.md, "The list of code". Each lies on a
// plateau (S 0.2–0.7, H 0.1–0.5); equal weights lost 0.03 NDCG. Other channels cannot hold code.
var codeWeights = map[string]float64{lexical: 1, semantic: 0.4, temporal: 0.2}

// The weights of channels for long texts (docs/ranking.md, "Long texts"). Many words reach commits
// about everything, so history counts less. Many words have a clearer meaning, so it counts more.
const (
	longTemporal = 0.1
	longSemantic = 0.5
)

// codeWeight is what a channel's list of code counts. A long text says in passing what intents are
// read from.
func codeWeight(in Input, channel string) float64 {
	switch {
	case !in.Long:
		return codeWeights[channel] * intentFactor(in.Intent, channel)
	case channel == temporal:
		return longTemporal
	case channel == semantic:
		return longSemantic
	}
	return codeWeights[channel]
}

// The weights of evidence from names, beside a lexical weight of 1. Intent does not change them
// (docs/ranking.md, "File names and symbols" and "Long texts").
const (
	symbolWeight   = 2   // X: the question is a symbol that the file defines
	stemWeight     = 0.2 // J: the question names the file
	coverageWeight = 0.2 // C: how much question and file name have in common
	pathsWeight    = 1   // P: a long text names the file
	framesWeight   = 0.5 // F: it is in a traceback
	namesWeight    = 0.2 // N: it defines what the text names
	messagesWeight = 0.3 // M: it prints what the text quotes
	symbolBest     = 1.3 // the greatest X: a type in a file of the same name
)

// emphasis multiplies the weight of a channel that the intent favours (docs/ranking.md, "Intent").
const emphasis = 1.5

func intentFactor(i Intent, channel string) float64 {
	switch {
	case i == Mechanism && channel == semantic,
		i == Definition && channel == lexical,
		i == Temporal && channel == temporal:
		return emphasis
	}
	return 1
}

// blend ranks code by score: Blended = D · (A·lexical + 2·X + 0.2·J + 0.2·C + 0.4·S·semantic +
// 0.2·H·temporal), where A, S and H are each channel's raw scores divided by its best one for this
// question, before demotion. Ties by path. For a long text it is D · (A·lexical + P + 0.5·F + 0.2·N
// + 0.3·M + 0.5·S + 0.1·H); the store gives it no J and C, nor P, F, N and M else. Agreement is
// Blended as a share of the best. A channel that did not answer adds nothing.
func blend(in Input) []Result {
	rs := codeRankings(in)
	names := asked(in.Only, lexical)
	keys := union(rs)
	out := make([]Result, 0, len(keys))
	best := 0.0
	for _, k := range keys {
		r := newResult(in, k)
		r.Contributions = blended(in, rs, k)
		if names {
			r.Contributions = appendNames(r.Contributions, r.Evidence)
		}
		for _, c := range r.Contributions {
			r.Blended += c.Added
		}
		r.Blended *= r.Evidence.Demotion
		best = max(best, r.Blended)
		out = append(out, r)
	}
	for i := range out {
		out[i].Agreement = ratio(out[i].Blended, best)
	}
	return sorted(out, func(a, b *Result) int {
		if a.Blended != b.Blended {
			return cmp.Compare(b.Blended, a.Blended)
		}
		return cmp.Or(cmp.Compare(a.Key.ID, b.Key.ID), compareKeys(a.Key, b.Key))
	})
}

// codeRankings are the rankings of the channels that can hold code.
func codeRankings(in Input) []ranking {
	return slices.DeleteFunc(rankings(in, codeKind), func(r ranking) bool { return codeWeights[r.channel] == 0 })
}

// blended is what each channel adds to the blend of one file.
func blended(in Input, rs []ranking, k Key) []Contribution {
	out := make([]Contribution, 0, len(rs)+namedFew)
	for _, r := range rs {
		p, ok := r.places[k]
		if !ok {
			continue
		}
		w := codeWeight(in, r.channel)
		out = append(out, Contribution{
			Channel: r.channel, Rank: p.rank, Raw: p.raw, Normalised: p.normalised, Weight: w, Added: w * p.normalised,
		})
	}
	return out
}

// namedFew is how many contributions of names there is room for beside those of the channels: more
// are rare.
const namedFew = 2

// appendNames appends what the names of a file and in it add, under the names that evidence has for
// them.
func appendNames(out []Contribution, e Evidence) []Contribution {
	for _, c := range [...]Contribution{
		{Channel: "symbol", Raw: e.Symbol, Weight: symbolWeight},
		{Channel: "stem", Raw: e.Stem, Weight: stemWeight},
		{Channel: "coverage", Raw: e.Coverage, Weight: coverageWeight},
		{Channel: "paths", Raw: e.Paths, Weight: pathsWeight},
		{Channel: "frames", Raw: e.Frames, Weight: framesWeight},
		{Channel: "names", Raw: e.Names, Weight: namesWeight},
		{Channel: "messages", Raw: e.Messages, Weight: messagesWeight},
	} {
		if c.Raw > 0 {
			c.Normalised, c.Added = c.Raw, c.Weight*c.Raw
			out = append(out, c)
		}
	}
	return out
}
