package fusion

import (
	"cmp"
	"slices"
)

// Constants for the score that is comparable between kinds (docs/ranking.md, "One list of all
// kinds").
const (
	agreementWeight = 0.2 // for agreement between channels, beside the share
	// A file is one result, like a section or a commit, but answers a question in several places.
	// With its best chunk alone, the sections about code crowd it out. 0.2 to 0.3 is a plateau;
	// above, code crowds out the others (bench/history/ranking.md).
	breadthWeight = 0.25
	// A channel that has a kind for itself knows more than its words: meaning, and how well a belief
	// holds up. 0.1 to 0.2 is a plateau on eight sets
	// (bench/history/beliefs.md, "Beliefs in the list").
	channelWeight = 0.2
	// Nobody can agree with such a channel. aloneAgrees is its agreement for the best document, and
	// aloneWordless the part of that for one without a word of the question
	// (bench/history/ranking.md, "Scores that descend").
	aloneAgrees   = 0.9
	aloneWordless = 0.5
	// A commit's message has a few words, so one of the question's that it shares by chance is much
	// of it. Where the question does not ask for commits, a share up to chanceShare counts less, and
	// from toldShare on it counts whole: so much of a question is no chance. 0.4 to 0.55, 0.6 to 0.7
	// and 0.6 to 0.8 are alike (bench/history/ranking.md, "A commit's chance words").
	chanceShare  = 0.5
	toldShare    = 0.65
	chanceFactor = 0.7
)

const (
	// irrelevantBelow is the floor for share × known. Of 420 absurd askings of nine repositories
	// 90% stay under 0.10, of 129 paraphrases 14%, of 472 real questions none. By the share alone,
	// under 0.15, it was 74% and 19% (bench/history/meaning.md, "Paraphrases and absurd questions").
	irrelevantBelow = 0.10
	// weakBelow is the share × known under which an answer is headed as weak. By the share alone 19
	// of 788 absurd askings of eight repositories are above, 7 of them in one whose methods are named
	// by common words; so 3, and 11 of 678 real questions less (bench/history/ranking.md).
	weakBelow = 0.30
	// terse is the factor for messages of a few words in this rating: one word that a commit's
	// subject shares by chance is much of it. 0.7 to 0.8 is a plateau.
	terse = 0.8
	// soundPlaces is the number of first results of which one must make an answer sound: it is what
	// a user sees. What stands behind has chance words, mostly in tests (bench/history/ranking.md,
	// "Words that stand alone").
	soundPlaces = 10
	// foreignBelow is the floor for documents from another project than home to be an answer. There
	// is more to choose from: with one floor, four projects refuse 64% of the absurd questions, with
	// two 79%. Beside an answer they are shown from irrelevantBelow on.
	foreignBelow = 0.15
)

// prior is a kind's weight: 1, unless the input sets another.
func (in Input) prior(kind string) float64 {
	if p, ok := in.Priors[kind]; ok {
		return min(1, finitePositive(p))
	}
	return 1
}

// fuseProject makes one ranking from one project's lists.
//
// Exact documents stand first, in the order given, whether a list holds them or not. All others are
// ranked inside their kind and merged by score = prior · (min(1, share + 0.25·breadth +
// 0.15·channel) + 0.2·agreement). A kind's own order survives the merge: an item before a stronger
// one is merged with that one's score.
//
// Code is ordered by its blend (or its reciprocal ranks), the other kinds by score. With one
// channel in Only, every kind is in that channel's order. Ties go by share, then id.
func fuseProject(in Input) ranked {
	pinned := map[Key]Result{}
	for _, k := range in.Exact {
		pinned[k] = newResult(in, k)
	}
	var kinds []ranked
	for _, kind := range kindsOf(in) {
		rest := orderByScore(in, kind)
		if len(pinned) > 0 {
			rest = slices.DeleteFunc(rest, func(r Result) bool {
				_, ok := pinned[r.Key]
				if ok {
					pinned[r.Key] = r
				}
				return ok
			})
		}
		kinds = append(kinds, liftScores(rest))
	}
	return mergeLists(listPinned(in, pinned), kinds)
}

// listPinned lists the pinned results in the order in which the question names them.
func listPinned(in Input, pinned map[Key]Result) ranked {
	var out ranked
	for _, k := range in.Exact {
		r, ok := pinned[k]
		if !ok {
			continue // named twice
		}
		delete(pinned, k)
		r.Exact = true
		out.results, out.scores = append(out.results, r), append(out.scores, mostScore)
	}
	return out
}

// orderByScore returns a kind's documents scored, in the kind's own order.
func orderByScore(in Input, kind string) []Result {
	var out []Result
	own := hasOwnChannel(in, kind)
	byScore := kind != codeKind && !own && len(in.Only) != 1
	switch {
	case kind != codeKind:
		out = rankReciprocally(in, gatherRankings(in, kind), func(c string) float64 { return in.Tuning.channel(c) * otherWeight(c) * intentFactor(in.Intent, c) })
		if !byScore {
			out = sortResults(out, byAgreement)
		}
	case in.Rule == RRF:
		out = reciprocalCode(in)
	default:
		out = blendScores(in)
	}
	if own {
		for i := range out {
			out[i].alone()
		}
	} else if byScore {
		out = sortResults(out, func(a, b *Result) int {
			if x, y := a.full(), b.full(); x != y {
				return cmp.Compare(y, x)
			}
			return compareTies(a, b)
		})
	}
	if in.Newest && hasAge(out) {
		out = newestFirst(out)
	}
	setLeads(out)
	return out
}

// alone sets the numbers of a document that one channel found and no other could have. Nobody else
// agrees with that channel, so agreement is a part of what it would be: less without any word of
// the question.
func (r *Result) alone() {
	c := &r.Contributions[0]
	r.Channel = finitePositive(c.Raw)
	part := aloneAgrees
	if r.Share == 0 {
		part *= aloneWordless
	}
	r.Agreement *= part
	c.Weight *= part
	c.Added *= part
}

// hasOwnChannel reports whether a kind is ranked by the channel of its name alone, which keeps its
// order.
func hasOwnChannel(in Input, kind string) bool {
	own := false
	for _, l := range in.Lists {
		if l.Kind == kind {
			if l.Channel != kind {
				return false
			}
			own = true
		}
	}
	return own
}

// newResult returns a document with its evidence, before any channel contributes.
func newResult(in Input, k Key) Result {
	e := evidenceOf(in, k)
	return Result{Key: k, Share: e.Share, Breadth: e.Breadth, Prior: in.Tuning.kind(k.Kind) * in.prior(k.Kind), Evidence: e}
}

// Own is the result's own number for the merge: weight · prior · (min(1, share + 0.25·breadth +
// 0.15·channel) + 0.2·agreement). For sections it is multiplied by their demotion. The share of a
// commit that is not asked for may count less.
func (r Result) Own() float64 { return weightOf(r.Weight) * r.full() }

// full is Own without the weight.
func (r *Result) full() float64 {
	d := r.Evidence.Demotion // in code, agreement holds it already
	if r.Key.Kind == codeKind || d == 0 {
		d = 1
	}
	return r.Prior * d * (min(1, r.Told()*r.Share+breadthWeight*r.Breadth+channelWeight*r.Channel) + agreementWeight*r.Agreement)
}

// Told is the factor of the share in the merge: below 1 for a chance match of a message of a few
// words that the question does not ask for.
func (r *Result) Told() float64 {
	if !r.Evidence.Terse || r.Prior >= 1 {
		return 1
	}
	sure := min(1, max(0, (r.Share-chanceShare)/(toldShare-chanceShare)))
	return chanceFactor + (1-chanceFactor)*sure
}

// compareTies orders results with equal scores.
func compareTies(a, b *Result) int {
	if a.Exact != b.Exact {
		if a.Exact {
			return -1
		}
		return 1
	}
	if a.Share != b.Share {
		return cmp.Compare(b.Share, a.Share)
	}
	return compareKeys(a.Key, b.Key)
}

// sortResults puts results in an order. Results are large, so it sorts their places and moves each
// result once.
func sortResults(rs []Result, compare func(a, b *Result) int) []Result {
	order := make([]int, len(rs)) // where the result for each place stands
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return compare(&rs[i], &rs[j]) })
	for i := range order {
		if order[i] == i {
			continue
		}
		first, at := rs[i], i
		for from := order[at]; from != i; from = order[at] {
			rs[at], order[at] = rs[from], at
			at = from
		}
		rs[at], order[at] = first, at
	}
	return rs
}

// RelevanceOf rates the best result, by its words or by its meaning. A paraphrase shares no words
// with its answer. A document named by the question is relevant. The best result of all decides
// whether anything is relevant, the best of the first ten whether it is more than weak.
//
// The share is multiplied by Known. One word in four says less if the project has never heard of
// the other three.
func RelevanceOf(best []Result) Relevance {
	accounted, above, exact := 0.0, false, false
	for i := range best {
		r := &best[i]
		if i < soundPlaces {
			accounted = max(accounted, r.sound())
		}
		above = above || r.aboveFloor()
		exact = exact || r.Exact
	}
	switch {
	case exact:
		return Relevant
	case !above:
		return Irrelevant
	case accounted < weakBelow:
		return Weak
	}
	return Relevant
}

// aboveFloor reports whether a document accounts for enough of the question to be relevant.
func (r *Result) aboveFloor() bool {
	floor := irrelevantBelow
	if r.Foreign {
		floor = foreignBelow
	}
	return r.accounted() >= floor
}

// sound is accounted, less for a document of a few words. Words count only if they are more than
// the rarest of the question could be alone, or if the meaning is above chance as well. So a method
// named by one common word answers no sentence in which it occurs.
func (r *Result) sound() float64 {
	switch e := r.Evidence; {
	case r.Share < e.Lone && e.Cosine == 0:
		return 0
	case e.Terse:
		return max(terse*r.Share*e.Known, e.Cosine)
	}
	return r.accounted()
}

// accounted is the part of the question that a document accounts for, as the floors count it.
func (r *Result) accounted() float64 { return max(r.Share*r.Evidence.Known, r.Evidence.Cosine) }
