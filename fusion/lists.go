package fusion

import (
	"cmp"
	"math"
	"slices"
)

// A place is where one channel ranked a document.
type place struct {
	rank       int     // from 1
	raw        float64 // as the oracle gave it
	normalised float64 // raw / the best raw in its list, 0..1
}

// A ranking is one channel's list for one kind.
type ranking struct {
	channel    string
	companions bool // List.Companions
	places     map[Key]place
}

func (r ranking) ranks(k Key) bool {
	_, ok := r.places[k]
	return ok
}

// isChannelAsked reports whether a channel counts. If only is empty, all channels do.
func isChannelAsked(only []string, channel string) bool {
	return len(only) == 0 || slices.Contains(only, channel)
}

// kindsOf returns the kinds for which a selected channel has a list, sorted.
func kindsOf(in Input) []string {
	var kinds []string
	for _, l := range in.Lists {
		if isChannelAsked(in.Only, l.Channel) {
			kinds = append(kinds, l.Kind)
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// gatherRankings returns the rankings of a kind by all selected channels, sorted by channel. Each
// channel that answered has one entry, even with an empty list. Several lists of one channel become
// one ranking, in which a document keeps its best place.
func gatherRankings(in Input, kind string) []ranking {
	var rs []ranking
	for _, l := range in.Lists {
		if l.Kind != kind || !isChannelAsked(in.Only, l.Channel) {
			continue
		}
		at := slices.IndexFunc(rs, func(r ranking) bool { return r.channel == l.Channel })
		if at < 0 {
			at = len(rs)
			places := make(map[Key]place, len(l.Hits))
			rs = append(rs, ranking{channel: l.Channel, companions: l.Companions, places: places})
		}
		addPlaces(rs[at].places, l)
	}
	slices.SortFunc(rs, func(a, b ranking) int { return cmp.Compare(a.channel, b.channel) })
	return rs
}

// addPlaces numbers hits by raw score, with ties by project and id. Their order in the list does
// not matter. A document listed twice keeps its best place, and its second occurrence takes no
// place.
func addPlaces(places map[Key]place, l List) {
	hits := slices.Clone(l.Hits)
	for i := range hits {
		hits[i].Key.Kind = l.Kind
		hits[i].Raw = finiteOrZero(hits[i].Raw)
	}
	order := func(a, b Hit) int {
		if a.Raw != b.Raw {
			return cmp.Compare(b.Raw, a.Raw)
		}
		return compareKeys(a.Key, b.Key)
	}
	if !slices.IsSortedFunc(hits, order) {
		slices.SortFunc(hits, order)
	}
	if len(places) == 0 {
		numberPlaces(places, hits)
		return
	}
	more := make(map[Key]place, len(hits)) // from another list of the channel
	numberPlaces(more, hits)
	for k, p := range more {
		if old, ok := places[k]; !ok || p.better(old) {
			places[k] = p
		}
	}
}

// numberPlaces gives each document its place. hits must be sorted, the best first.
func numberPlaces(places map[Key]place, hits []Hit) {
	for _, h := range hits {
		if _, ok := places[h.Key]; !ok {
			places[h.Key] = place{rank: len(places) + 1, raw: h.Raw, normalised: ratioOrZero(h.Raw, hits[0].Raw)}
		}
	}
}

func (p place) better(q place) bool {
	return cmp.Or(cmp.Compare(q.rank, p.rank), cmp.Compare(p.normalised, q.normalised), cmp.Compare(p.raw, q.raw)) > 0
}

// listRanked returns every document in any ranking once, in no order.
func listRanked(rs []ranking) []Key {
	most := 0
	for _, r := range rs {
		most += len(r.places)
	}
	keys := make([]Key, 0, most)
	for i, r := range rs {
		for k := range r.places {
			if !slices.ContainsFunc(rs[:i], func(before ranking) bool { return before.ranks(k) }) {
				keys = append(keys, k)
			}
		}
	}
	return keys
}

// compareKeys orders documents with equal scores: by project, then id, then kind.
func compareKeys(a, b Key) int {
	if a.Project != b.Project {
		return cmp.Compare(a.Project, b.Project)
	}
	if a.ID != b.ID {
		return cmp.Compare(a.ID, b.ID)
	}
	return cmp.Compare(a.Kind, b.Kind)
}

// evidenceOf returns a document's evidence, with every number clamped to its range.
func evidenceOf(in Input, k Key) Evidence {
	e := in.Evidence[k]
	e.Share, e.Breadth = min(1, finitePositive(e.Share)), min(1, finitePositive(e.Breadth))
	e.Stem, e.Coverage = min(1, finitePositive(e.Stem)), min(1, finitePositive(e.Coverage))
	e.Symbol = min(symbolBest, finitePositive(e.Symbol))
	e.Known, e.Cosine = min(1, finitePositive(e.Known)), min(1, finitePositive(e.Cosine))
	e.Paths, e.Frames = min(1, finitePositive(e.Paths)), min(1, finitePositive(e.Frames))
	e.Names, e.Messages = min(1, finitePositive(e.Names)), min(1, finitePositive(e.Messages))
	e.Lone = finitePositive(e.Lone)
	e.Passage = min(passageHighest, finitePositive(e.Passage))
	if e.Demotion = min(1, finitePositive(e.Demotion)); e.Demotion == 0 {
		e.Demotion = 1 // not set, because D is a product of factors above 0
	}
	return e
}

// ratioOrZero returns a / best, clamped to 0..1. It returns 0 if best is not above 0.
func ratioOrZero(a, best float64) float64 {
	if best <= 0 {
		return 0
	}
	return min(1, finitePositive(a)/best)
}

func finitePositive(x float64) float64 { return max(0, finiteOrZero(x)) }

// finiteOrZero replaces NaN and infinities by 0.
func finiteOrZero(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}
