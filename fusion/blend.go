package fusion

import (
	"cmp"
	"slices"
)

// codeKind is ordered by blendScores: scores order files better than ranks alone.
const codeKind = "code"

// The channels with weights that depend on the kind or the question.
const (
	lexical  = "lexical"
	semantic = "semantic"
	temporal = "temporal"
)

// codeWeights are A : S : H in docs/ranking.md, "The list of code". Each is on a plateau (S
// 0.2–0.7, H 0.2–0.4); equal weights lost 0.03 NDCG. A channel without an entry cannot hold code.
var codeWeights = map[string]float64{lexical: 1, semantic: 0.4, temporal: 0.3}

// Channel weights for long texts (docs/ranking.md, "Long texts"). History counts less because many
// words match commits about everything. Meaning counts more because it is clearer in many words.
const (
	longTemporal = 0.1
	longSemantic = 0.5
)

// companionWeight is the weight of history if the question is the path of a file: the list then
// holds the files that changed with it. Files that only call it, or share its words, come after
// those (docs/ranking.md, "What goes with a file").
const companionWeight = 4

// codeWeight returns the weight of a channel's list of code. meaning is the factor of meaning, as
// meaningFactor returns it. It ignores the intent of a long text, because there it would be read
// from passing remarks.
func codeWeight(in Input, r ranking, meaning float64) float64 {
	w := in.Tuning.channel(r.channel) * measuredCodeWeight(in, r)
	if r.channel == semantic {
		w *= meaning
	}
	return w
}

// measuredCodeWeight is codeWeight without tuning.
func measuredCodeWeight(in Input, r ranking) float64 {
	channel := r.channel
	switch {
	case r.companions:
		return companionWeight
	case !in.Long:
		return codeWeights[channel] * intentFactor(in.Intent, channel)
	case channel == temporal:
		return longTemporal
	case channel == semantic:
		return longSemantic
	}
	return codeWeights[channel]
}

// Weights for evidence from names, beside a lexical weight of 1 (docs/ranking.md, "File names and
// symbols" and "Long texts").
const (
	symbolWeight   = 2   // X: the question is a symbol that the file defines
	fileNameWeight = 0.2 // J and C: the question names the file, or shares words with its name
	pathsWeight    = 1   // P: a long text names the file
	framesWeight   = 0.5 // F: it is in a traceback
	namesWeight    = 0.2 // N: it defines a name in the text
	messagesWeight = 0.3 // M: it prints a message quoted in the text
	symbolBest     = 1.3 // the greatest X: a type in a file with its name
)

// emphasis multiplies the weights of channels favoured by the intent (docs/ranking.md, "Intent").
// Tasks favour history because they are worded like the commits that did similar work.
const emphasis = 1.5

func intentFactor(i Intent, channel string) float64 {
	switch {
	case i == Mechanism && channel == semantic,
		i == Definition && channel == lexical,
		(i == Temporal || i == Task) && channel == temporal:
		return emphasis
	}
	return 1
}

// namesFactor multiplies J and C. It is higher for a mechanism or a definition, because such a
// question often has the name of its file among its words.
func namesFactor(i Intent) float64 {
	if i == Mechanism || i == Definition {
		return emphasis
	}
	return 1
}

// blendScores ranks code by score: Blended = D · (A·lexical + 2·X + 0.2·J + 0.2·C +
// 0.4·m·S·semantic + 0.3·H·temporal), with 0.3·J and 0.3·C for a mechanism and a
// definition, and m by meaningFactor. A, S and H are each channel's raw scores divided by its best
// one for this question, before demotion. Ties go by path. Agreement is Blended divided by the best
// Blended. If the question is the path of a file, D is 1.
//
// For a long text Blended is D · (A·lexical + P + 0.5·F + 0.2·N + 0.3·M + 0.5·S + 0.1·H). The store
// must set J and C for short questions only, and P, F, N and M for long texts only. For a question
// of many words the best passage is added. A channel that did not answer adds nothing.
func blendScores(in Input) []Result {
	rs := codeRankings(in)
	names, passage := isChannelAsked(in.Only, lexical), passageWeight(in)
	keys := listRanked(rs)
	out := make([]Result, 0, len(keys))
	weights, meaning := make([]float64, len(rs)), meaningFactor(in, rs, keys)
	for i, r := range rs {
		weights[i] = codeWeight(in, r, meaning)
	}
	few := len(rs) + namedFew
	room := make([]Contribution, len(keys)*few)
	best := 0.0
	for _, k := range keys {
		r := newResult(in, k)
		r.Contributions, room = appendContributions(room[:0:few], rs, weights, k), room[few:]
		r.Share = max(r.Share, shareChangedTogether(rs, k))
		if names {
			r.Contributions = appendNames(r.Contributions, r.Evidence, namesFactor(in.Intent))
		}
		r.Passage = passage * r.Evidence.Passage
		r.Contributions = appendEvidence(r.Contributions, "passage", r.Evidence.Passage, passage)
		for _, c := range r.Contributions {
			r.Blended += c.Added
		}
		if in.Intent != Companions { // tests change with the code that they test
			r.Blended *= r.Evidence.Demotion
		}
		best = max(best, r.Blended)
		out = append(out, r)
	}
	for i := range out {
		out[i].Agreement = ratioOrZero(out[i].Blended, best)
	}
	return sortResults(out, func(a, b *Result) int {
		if a.Blended != b.Blended {
			return cmp.Compare(b.Blended, a.Blended)
		}
		return cmp.Or(cmp.Compare(a.Key.ID, b.Key.ID), compareKeys(a.Key, b.Key))
	})
}

// codeRankings returns the rankings of the channels that can hold code.
func codeRankings(in Input) []ranking {
	return slices.DeleteFunc(gatherRankings(in, codeKind), func(r ranking) bool { return codeWeights[r.channel] == 0 })
}

// appendContributions appends each channel's contribution to one file's blend. weights are those of
// rs.
func appendContributions(out []Contribution, rs []ranking, weights []float64, k Key) []Contribution {
	for i, r := range rs {
		p, ok := r.places[k]
		if !ok {
			continue
		}
		w := weights[i]
		out = append(out, Contribution{
			Channel: r.channel, Rank: p.rank, Raw: p.raw, Normalised: p.normalised, Weight: w, Added: w * p.normalised,
		})
	}
	return out
}

// shareChangedTogether returns how often a file changed with the file that the question names,
// divided by the highest such count. It replaces the file's share of the question, because such a
// file need not hold a word of the path. Without it each commit that names the path would come
// first.
func shareChangedTogether(rs []ranking, k Key) float64 {
	for _, r := range rs {
		if r.companions {
			return r.places[k].normalised
		}
	}
	return 0
}

// namedFew is the room for contributions from names, beside those of the channels. More are rare.
const namedFew = 2

// appendNames appends the contributions from names: the file's own, and those inside it.
func appendNames(out []Contribution, e Evidence, factor float64) []Contribution {
	for _, c := range [...]Contribution{
		{Channel: "symbol", Raw: e.Symbol, Weight: symbolWeight},
		{Channel: "stem", Raw: e.Stem, Weight: factor * fileNameWeight},
		{Channel: "coverage", Raw: e.Coverage, Weight: factor * fileNameWeight},
		{Channel: "paths", Raw: e.Paths, Weight: pathsWeight},
		{Channel: "frames", Raw: e.Frames, Weight: framesWeight},
		{Channel: "names", Raw: e.Names, Weight: namesWeight},
		{Channel: "messages", Raw: e.Messages, Weight: messagesWeight},
	} {
		out = appendEvidence(out, c.Channel, c.Raw, c.Weight)
	}
	return out
}

// appendEvidence appends a contribution from evidence. It appends nothing if raw or weight is 0.
func appendEvidence(out []Contribution, name string, raw, weight float64) []Contribution {
	if raw <= 0 || weight <= 0 {
		return out
	}
	return append(out, Contribution{Channel: name, Raw: raw, Normalised: raw, Weight: weight, Added: weight * raw})
}
