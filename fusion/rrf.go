package fusion

import (
	"cmp"
	"slices"
)

// rrfK damps the differences between the first ranks (Cormack, Clarke and Büttcher 2009). Ranks
// count from 1.
const rrfK = 60

// rankReciprocally ranks a kind by weighted reciprocal rank, as a share of its best document's sum:
//
//	Agreement = Σ w·61/(60 + rank) / the kind's highest such sum
//
// over the channels that answered for the kind. It must not be a share of the attainable sum (first
// in every channel), because then each further channel lowered the whole kind and code, whose best
// file always has 1, passed it (bench/history/ranking.md, "All kinds asked"). Results are in no
// order.
func rankReciprocally(in Input, rs []ranking, weight func(channel string) float64) []Result {
	keys := listRanked(rs)
	out := make([]Result, 0, len(keys))
	room := make([]Contribution, len(keys)*len(rs))
	best := 0.0
	for _, k := range keys {
		result := newResult(in, k)
		result.Contributions, room = room[:0:len(rs)], room[len(rs):]
		for _, r := range rs {
			p, ok := r.places[k]
			if !ok {
				continue
			}
			c := Contribution{
				Channel: r.channel, Rank: p.rank, Raw: p.raw,
				Normalised: (rrfK + 1.0) / float64(rrfK+p.rank), Weight: weight(r.channel),
			}
			result.Agreement += c.Weight * c.Normalised
			result.Contributions = append(result.Contributions, c)
		}
		best = max(best, result.Agreement)
		out = append(out, result)
	}
	for i := range out {
		out[i].shareOf(best)
	}
	return out
}

func byAgreement(a, b *Result) int {
	if a.Agreement != b.Agreement {
		return cmp.Compare(b.Agreement, a.Agreement)
	}
	return compareTies(a, b)
}

// shareOf divides the sums by the best sum of the kind.
func (r *Result) shareOf(best float64) {
	r.Agreement = ratioOrZero(r.Agreement, best)
	for i := range r.Contributions {
		c := &r.Contributions[i]
		c.Weight /= best
		c.Added = c.Weight * c.Normalised
	}
}

// nearness is the weight of meaning beside words in the kinds other than code, whose texts are
// short. At 1 it cost patina-dev2 0.016 MRR; 0.25 to 0.5 gained on every set
// (bench/history/ranking.md, "All kinds asked").
const nearness = 0.5

// otherWeight returns the weight of a channel's list of any kind other than code.
func otherWeight(channel string) float64 {
	if channel == semantic {
		return nearness
	}
	return 1
}

// reciprocalCode ranks code by reciprocal rank with the weights of the blend (1 : 0.4 : 0.3). A
// file has its rank in each channel after demotion. Names (X, J, C) do not count, because they have
// no rank.
func reciprocalCode(in Input) []Result {
	rs := codeRankings(in)
	for i := range rs {
		rs[i] = demoteRanking(in, rs[i])
	}
	out := rankReciprocally(in, rs, func(c string) float64 {
		return in.Tuning.channel(c) * codeWeights[c] * intentFactor(in.Intent, c)
	})
	return sortResults(out, byAgreement)
}

// demoteRanking ranks a channel's files again by normalised score times demotion. Ties go by the
// former rank, then by key. r is not changed.
func demoteRanking(in Input, r ranking) ranking {
	keys := listRanked([]ranking{r})
	demoted := func(k Key) float64 { return r.places[k].normalised * evidenceOf(in, k).Demotion }
	slices.SortFunc(keys, func(a, b Key) int {
		return cmp.Or(cmp.Compare(demoted(b), demoted(a)),
			cmp.Compare(r.places[a].rank, r.places[b].rank), compareKeys(a, b))
	})
	places := make(map[Key]place, len(keys))
	for i, k := range keys {
		p := r.places[k]
		p.rank = i + 1
		places[k] = p
	}
	return ranking{channel: r.channel, places: places}
}
