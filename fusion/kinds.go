package fusion

import (
	"cmp"
	"slices"
)

// Constants for the score that is comparable between kinds (docs/ranking.md, "One list of all
// kinds").
const (
	agreementWeight = 0.2 // for agreement between channels, beside the share
	// A file is one result, like a section or a commit, but it answers a question in several
	// places. If only its best chunk counted, the sections about code would crowd it out. 0.2 to
	// 0.3 is a plateau; above it, code crowds out the other kinds (bench/history/ranking.md).
	breadthWeight = 0.25
	// A channel that alone ranks a kind knows more than words: the meaning, and how well a belief
	// holds up. 0.1 to 0.2 is a plateau on eight sets (bench/history/beliefs.md, "Beliefs in the
	// list"). The subject of a commit counts as much, because its author chose it as the name of
	// the change. The share does not tell it from the body and the paths
	// (bench/history/kinds-merge.md, "Subjects of commits").
	channelWeight = 0.2
	// placeFactor multiplies a number for each place before it in its kind. Without it many results
	// of one kind, each with a few words of the question, crowd out the first of another. 0.9 to
	// 0.95 are alike (bench/history/kinds-merge.md).
	placeFactor = 0.93
	// A commit's message is short, so one word that it shares with the question by chance is a
	// large part of it. If the question does not ask for commits, and the project has neither
	// beliefs nor sessions, a share up to chanceShare is multiplied by chanceFactor. A share from
	// toldShare on counts whole, because so much of a question is not shared by chance. 0.4 to
	// 0.55, 0.6 to 0.7 and 0.6 to 0.8 are alike (bench/history/ranking.md, "A commit's chance
	// words").
	chanceShare  = 0.5
	toldShare    = 0.65
	chanceFactor = 0.7
)

const (
	// irrelevantBelow is the floor for share × known. It rejects 90% of 420 absurd questions to
	// nine repositories, 14% of 129 paraphrases, and not one of 472 real questions. A floor of 0.15
	// for the share alone rejected 74% and 19% (bench/history/meaning.md, "Paraphrases and absurd
	// questions").
	irrelevantBelow = 0.10
	// weakBelow is the share × known below which an answer is called weak. With it and Lone, 24 of
	// 1,450 absurd questions to five repositories pass, and 236 of 928 real ones are weak; with
	// 0.30 and one rarest word for Lone 48 and 242 (bench/history/ranking.md, "Compounds of common
	// words").
	weakBelow = 0.28
	// soundPlaces is the number of first results of which one must make the answer sound, because a
	// user sees these. Later results match by chance words, mostly in tests
	// (bench/history/ranking.md, "Words that stand alone").
	soundPlaces = 10
	// foreignBelow is the floor for documents of another project to count as an answer. It is
	// higher because other projects offer more documents to choose from: four projects refuse 64%
	// of the absurd questions with one floor, and 79% with two. If home has an answer, foreign
	// documents are shown from irrelevantBelow on.
	foreignBelow = 0.15
)

// prior returns the weight of a kind: 1, unless the input sets another.
func (in Input) prior(kind string) float64 {
	if p, ok := in.Priors[kind]; ok {
		return min(1, finitePositive(p))
	}
	return 1
}

// fuseProject makes one ranking from the lists of one project.
//
// Exact documents come first, in the order given, whether or not a list holds them. All others are
// ranked inside their kind and merged by score = prior · (min(1, share + 0.25·breadth +
// 0.2·channel) + 0.2·agreement), which falls with each place in the kind (scoreByPlace). The
// merge keeps the order of each kind: an item before a stronger one is merged with the stronger
// one's score.
//
// Kinds from outside the projects are ranked by themselves, as guests, because most of them are
// not shown and must not change the numbers of the others.
//
// Code is ordered by its blend (or its reciprocal ranks), the other kinds by score. If Only names
// one channel, every kind is in that channel's order. Ties go by share, then id.
func fuseProject(in Input) (own, guests ranked) {
	pinned := map[Key]Result{}
	for _, k := range in.Exact {
		pinned[k] = newResult(in, k)
	}
	var kinds, outside []ranked
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
		if in.Outside[kind] {
			outside = append(outside, scoreByPlace(rest))
		} else {
			kinds = append(kinds, scoreByPlace(rest))
		}
	}
	own = scoreByOwn(mergeLists(listPinned(in, pinned), kinds))
	return own, scoreByOwn(mergeLists(ranked{}, outside))
}

// listPinned returns the pinned results in the order of in.Exact. It empties pinned.
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

// orderByScore returns the documents of a kind with their scores, in the kind's own order.
func orderByScore(in Input, kind string) []Result {
	var out []Result
	own := hasOwnChannel(in, kind)
	byScore := kind != codeKind && !own && len(in.Only) != 1
	switch {
	case kind != codeKind:
		weight := func(c string) float64 {
			return in.Tuning.channel(c) * otherWeight(c) * intentFactor(in.Intent, c)
		}
		out = rankReciprocally(in, gatherRankings(in, kind), weight)
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
			out[i].Channel = finitePositive(out[i].Contributions[0].Raw)
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

// hasOwnChannel reports whether a kind is ranked only by the channel of the same name.
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

// newResult returns a document with its evidence, before any channel has contributed.
func newResult(in Input, k Key) Result {
	e := evidenceOf(in, k)
	prior := in.Tuning.kind(k.Kind) * in.prior(k.Kind)
	r := Result{
		Key: k, Share: e.Share, Breadth: e.Breadth, Prior: prior, Evidence: e,
		Recorded: in.Recorded[k.Project] && in.Intent != Task, // a task needs code
	}
	if e.Terse {
		if r.Recorded && !asksForCode(in.Intent) {
			r.Subject = e.Coverage
		}
		r.Evidence.Coverage = 0 // as the name of a file it would make the chance too high
	}
	return r
}

// asksForCode reports whether an intent asks how or where something is done, or what it is.
func asksForCode(i Intent) bool { return i == Mechanism || i == Definition || i == HowTo }

// Own returns the number by which the result is merged: weight · prior · (min(1, share +
// 0.25·breadth + 0.2·channel) + 0.2·agreement). For a commit the subject counts as the channel. For
// kinds other than code it is multiplied by the demotion. The share of a commit that the question
// does not ask for may count less (Told), and so may the agreement of code (Backed).
func (r Result) Own() float64 { return weightOf(r.Weight) * r.full() }

// full returns Own without the weight.
func (r *Result) full() float64 {
	d := r.Evidence.Demotion // the agreement of code includes it
	if r.Key.Kind == codeKind || d == 0 {
		d = 1
	}
	share := r.Told()*r.Share + breadthWeight*r.Breadth + channelWeight*(r.Channel+r.Subject)
	return r.Prior * d * (min(1, share) + agreementWeight*r.Backed()*r.Agreement)
}

// Backed returns the factor of the agreement in the merge. In a project with beliefs or sessions
// the channels may agree about code that shares few words with the question, because each ranks
// some file first. There the agreement of code counts whole from a share of chanceShare on.
func (r *Result) Backed() float64 {
	if r.Key.Kind != codeKind || !r.Recorded {
		return 1
	}
	return min(1, r.Share/chanceShare)
}

// Told returns the factor of the share in the merge. It is below 1 if a short message may match by
// chance and the question does not ask for its kind. It is 1 in a project with beliefs or sessions,
// because its history is asked for there in other words, too.
func (r *Result) Told() float64 {
	if !r.Evidence.Terse || r.Prior >= 1 || r.Recorded {
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

// sortResults sorts rs in place and returns it. Results are large, so it sorts their indexes and
// moves each result once.
func sortResults(rs []Result, compare func(a, b *Result) int) []Result {
	order := make([]int, len(rs)) // order[i] is the index of the result for place i
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

// RelevanceOf rates the answer by its best results, by their words or by their meaning, because a
// paraphrase shares no words with its answer. A document named by the question is relevant. The
// best result of all decides whether anything is relevant. The best of the first ten decides
// whether the answer is more than weak. An empty answer is Irrelevant.
//
// The share is multiplied by Known, because one matching word of four says less if the project does
// not know the other three.
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

// sound returns accounted, or the meaning alone if the share is below Lone, because such a share
// may come from one word, or from a few words of many. So neither a method named by one common word
// nor a commit with half of the words answers the sentence.
func (r *Result) sound() float64 {
	if r.Share < r.Evidence.Lone {
		return r.Evidence.Cosine
	}
	return r.accounted()
}

// accounted returns the part of the question that a document accounts for, as the floors count it.
func (r *Result) accounted() float64 { return max(r.Share*r.Evidence.Known, r.Evidence.Cosine) }
