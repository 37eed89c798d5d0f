package ranking

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"patina/actors/api"
	"patina/code/lookup"
	"patina/fusion"
	"patina/oracles"
	"patina/store/doc"
	"patina/store/excerpt"
)

// A Ranking is one ranking of the lists of all projects. Fuse makes it, Describe adds the
// descriptions of each project, and Answer returns the answer. It is not safe for concurrent use.
type Ranking struct {
	Question
	got       []*api.Lists
	ranking   []fusion.Result
	relevance fusion.Relevance
	shown     []api.Result
	Wants     map[string][]api.Want // the documents to describe, by project, in the order of shown
}

// Unranked returns the ranking of a query whose lists could not be fused. Its answer has channel
// states but no results.
func Unranked(q Question, got []*api.Lists) Ranking { return Ranking{Question: q, got: got} }

// linkedRanks is the number of first results with links to their users: code to its callers and
// imports, beliefs and sessions to code, commits and each other, documents to the files that they
// name. Results after fullyLinked, which show one link, get the one that costs least, because the
// callers of ten symbols are a fifth of a cold question. The detail of any result shows all links.
const (
	linkedRanks = 10
	fullyLinked = 3
)

// Fuse ranks the lists of all projects, one element for each, and chooses the documents to
// describe. It does not change the lists.
func Fuse(q Question, got []*api.Lists) Ranking {
	got = ApplyTuning(got, q.Tuning)
	if haveCompanions(got) {
		q.intent = fusion.Companions
	}
	f := Ranking{Question: q, got: got, Wants: map[string][]api.Want{}}
	in := fusionInput(q, got)
	f.ranking = q.placed(fusion.FuseDeep(in, hitsAKind), got)
	f.rate()
	shown := q.places(f.ranking)
	wanted := make(map[fusion.Key]bool, len(shown))
	for _, i := range shown {
		wanted[f.ranking[i].Key] = true
	}
	found, named, lines := ChunksOf(got, wanted), symbolsOf(got), linesOf(got)
	for _, i := range shown {
		r := api.Result{Rank: i + 1, Result: f.ranking[i], Bare: true}
		symbol, also := "", named[r.Key]
		if len(also) > 0 {
			symbol, also = also[0], also[1:]
		}
		r.Description = plainDescription(r.Key, cmp.Or(symbol, r.Key.ID))
		f.shown = append(f.shown, r)
		f.Wants[r.Key.Project] = append(f.Wants[r.Key.Project], api.Want{
			DocID: r.DocID, Kind: r.Kind, Found: chunksToRead(found[r.Key], r.Rank),
			Usage: r.Rank <= linkedRanks, OneLink: r.Rank > fullyLinked,
			Line: lines[r.Key], Places: f.placesOf(r.Key, symbol), Also: also,
		})
	}
	return f
}

// These bound the chunks in which the shown part is looked for. Each may have to be read, and few
// readers look at later results.
const (
	carefully   = 3 // first results, for which all chunks are read
	otherChunks = 3 // chunks of each channel for the other results
)

// chunksToRead returns the chunks to read for the result at a rank.
func chunksToRead(channels []excerpt.Found, rank int) []excerpt.Found {
	if rank <= carefully {
		return channels
	}
	return FirstChunks(channels)
}

// FirstChunks returns the first chunks of each channel.
func FirstChunks(channels []excerpt.Found) []excerpt.Found {
	out := make([]excerpt.Found, len(channels))
	for i, f := range channels {
		out[i] = f.First(otherChunks)
	}
	return out
}

// placesOf returns the most places of a file that become results. It is the limit if the question
// is about one file, or names this one in a sentence. named must be the doc_id by which the
// question names the file, or "".
func (q Question) placesOf(k fusion.Key, named string) int {
	if _, ok := q.Filter.OneFile(); ok {
		return q.Limit
	}
	_, alone := lookup.WrittenPath(q.Text)
	if !alone && named == k.ID && !q.parsed.Long && doc.Kind(k.Kind).PathOf(k.ID) != "" {
		return q.Limit
	}
	return 1
}

// plainDescription returns a document's description before its project has described it.
func plainDescription(k fusion.Key, docID string) doc.Description {
	kind := doc.Kind(k.Kind)
	return doc.Description{DocID: docID, Shown: docID, Kind: kind, Path: kind.PathOf(k.ID)}
}

// undated is the weight of kinds with neither time nor author if the question names one, because
// such a question asks about changes. With it, 21 of 22 questions have a commit of that time first,
// without it 2 (bench/history/ranking.md, "What was done, and when").
const undated = 0.5

// fusionInput returns everything on which the ranking depends.
func fusionInput(q Question, got []*api.Lists) fusion.Input {
	known := 0
	for _, m := range got {
		known += len(m.Evidence)
	}
	in := fusion.Input{
		Intent: q.intent, Rule: q.Rule, Words: countQuestionWords(q.parsed), Long: q.parsed.Long,
		Only: q.Oracles, Weights: q.Weights, Home: q.Home, Tuning: q.Tuning,
		Newest: q.parsed.Newest || slices.ContainsFunc(got, func(m *api.Lists) bool { return m.Read.Listing }),
		Priors: map[string]float64{}, Evidence: make(map[fusion.Key]fusion.Evidence, known),
		Recorded: recorded(got), Outside: map[string]bool{},
	}
	asked := string(q.intent)
	if q.form != fusion.Plain && len(in.Recorded) > 0 {
		asked = string(q.form)
	}
	commits := q.asksForCommit(got)
	when := commits || slices.ContainsFunc(got, func(m *api.Lists) bool { return m.Read.Some() })
	for _, k := range doc.Kinds() {
		in.Outside[string(k)] = k.Traits().Shape == doc.Outside
		switch {
		case !when:
			in.Priors[string(k)] = k.Prior(asked)
		case commits && k.Traits().Dates == doc.Day: // a session lasts a day and is no commit
			in.Priors[string(k)] = k.Prior(string(fusion.Temporal))
		case k.Dated():
			in.Priors[string(k)] = 1
		default:
			in.Priors[string(k)] = undated * k.Prior(asked)
		}
	}
	for _, m := range got {
		addLists(&in, m, func(doc.Kind) bool { return true })
		for _, x := range m.Exact {
			k := keyOf(m, doc.KindOf(x.DocID), x)
			if !commits || doc.Kind(k.Kind).Dated() {
				in.Exact = append(in.Exact, k)
			}
			addEvidence(in.Evidence, k, m)
		}
	}
	return in
}

// asksForCommit reports whether the question asks for a commit, and some were found.
func (q Question) asksForCommit(got []*api.Lists) bool {
	hasCommits := func(m *api.Lists) bool {
		return slices.ContainsFunc(m.Lists, func(l oracles.List) bool { return l.Kind.Dated() && len(l.Hits) > 0 })
	}
	return !q.AsWritten && !q.parsed.Long && fusion.AsksForCommit(q.Text) && slices.ContainsFunc(got, hasCommits)
}

// haveCompanions reports whether the question is a file's path and its companions were found.
func haveCompanions(got []*api.Lists) bool {
	return slices.ContainsFunc(got, func(m *api.Lists) bool {
		return slices.ContainsFunc(m.Lists, func(l oracles.List) bool { return l.Companions })
	})
}

// recorded returns the projects with beliefs or sessions among the hits.
func recorded(got []*api.Lists) map[string]bool {
	projects := map[string]bool{}
	for _, m := range got {
		if slices.ContainsFunc(m.Lists, func(l oracles.List) bool { return l.Kind.Traits().Told && len(l.Hits) > 0 }) {
			projects[m.From] = true
		}
	}
	return projects
}

// placed merges the sections of a file into one place, drops documents below the floor, and moves
// kinds with a reserved place to it.
func (q Question) placed(ranking []fusion.Result, got []*api.Lists) []fusion.Result {
	if _, ok := q.Filter.OneFile(); ok {
		return ranking
	}
	if q.hasFloor(got) {
		ranking = fusion.AboveFloor(ranking, func(kind string) bool { return doc.Kind(kind).Traits().Place > 0 },
			func(kind string) bool { return doc.Kind(kind).Traits().Shape == doc.Outside })
	}
	ranking = fusion.OnePlace(ranking, func(k fusion.Key) string {
		t := doc.Kind(k.Kind).Traits()
		if t.Shape != doc.OfSections {
			return ""
		}
		file, _, _ := strings.Cut(k.ID, t.Separator)
		return file
	})
	if len(q.Oracles) == 0 {
		ranking = fusion.CodeBeforeManuals(ranking, q.intent)
	}
	for _, k := range doc.Kinds() {
		place := q.Tuning.Place(string(k), k.Traits().Place)
		if k.Traits().Shape == doc.Outside {
			if len(q.Filter.Kinds) == 0 && len(q.Oracles) == 0 {
				ranking = fusion.Guest(ranking, string(k), place)
			}
			continue
		}
		if len(q.Oracles) == 0 {
			ranking = fusion.Reserve(ranking, string(k), place, q.intent)
		}
	}
	if q.Home != "" {
		ranking = fusion.Visit(ranking)
	}
	return ranking
}

// hasFloor reports whether documents must account for some part of the question. There is no floor
// if kinds or channels are requested, because their best documents are the answer. There is none
// either if the words name a time or an author.
func (q Question) hasFloor(got []*api.Lists) bool {
	dated := func(m *api.Lists) bool { return m.Read.Some() }
	return len(q.Filter.Kinds)+len(q.Oracles) == 0 && q.intent != fusion.Companions && !q.parsed.Newest &&
		!slices.ContainsFunc(got, dated)
}

// addLists adds a project's lists of the wanted kinds and the evidence for their hits.
func addLists(in *fusion.Input, m *api.Lists, wanted func(doc.Kind) bool) {
	for _, l := range m.Lists {
		if !wanted(l.Kind) {
			continue
		}
		to := fusion.List{Channel: l.Channel, Kind: string(l.Kind), Companions: l.Companions}
		to.Hits = make([]fusion.Hit, len(l.Hits))
		for i, h := range l.Hits {
			k := keyOf(m, l.Kind, h)
			to.Hits[i] = fusion.Hit{Key: k, Raw: h.Raw}
			if !in.Long {
				to.Hits[i].Raw -= h.Chance
			}
			addEvidence(in.Evidence, k, m)
		}
		in.Lists = append(in.Lists, to)
	}
}

func keyOf(m *api.Lists, kind doc.Kind, h doc.Ranked) fusion.Key {
	return fusion.Key{Project: m.From, Kind: string(kind), ID: kind.Identity(h)}
}

func addEvidence(all map[fusion.Key]fusion.Evidence, k fusion.Key, m *api.Lists) {
	if _, ok := all[k]; ok {
		return
	}
	if e, ok := m.Evidence[k.ID]; ok {
		all[k] = fusion.Evidence(e)
	}
}

// ChunksOf returns the best chunks of the wanted documents, by channel. It uses hits behind the
// first hitsAKind only for documents without earlier ones, because the limit must not move a result
// or its place.
func ChunksOf(got []*api.Lists, wanted map[fusion.Key]bool) map[fusion.Key][]excerpt.Found {
	first, rest := make(map[fusion.Key][]excerpt.Found, len(wanted)), map[fusion.Key][]excerpt.Found{}
	for _, m := range got {
		for _, l := range m.Lists {
			for i, h := range l.Hits {
				out := first
				if i >= hitsAKind {
					out = rest
				}
				if k := keyOf(m, l.Kind, h); wanted[k] && len(h.Chunks) > 0 {
					out[k] = append(out[k], excerpt.Found{Chunks: h.Chunks, Near: h.Near})
				}
			}
		}
	}
	for k, found := range rest {
		if len(first[k]) == 0 {
			first[k] = found
		}
	}
	return first
}

// symbolsOf returns the doc_ids by which the question names each document: the file itself or
// symbols in it, in order.
func symbolsOf(got []*api.Lists) map[fusion.Key][]string {
	out := map[fusion.Key][]string{}
	for _, m := range got {
		for _, x := range m.Exact {
			k := keyOf(m, doc.KindOf(x.DocID), x)
			if len(out[k]) == 0 || x.DocID != k.ID && !slices.Contains(out[k], x.DocID) {
				out[k] = append(out[k], x.DocID)
			}
		}
	}
	return out
}

// linesOf returns the line of a literal of the question in each document.
func linesOf(got []*api.Lists) map[fusion.Key]int {
	out := map[fusion.Key]int{}
	for _, m := range got {
		for _, x := range m.Exact {
			if k := keyOf(m, doc.KindOf(x.DocID), x); out[k] == 0 {
				out[k] = x.Line
			}
		}
	}
	return out
}

// namedPlaces is the number of places of one named document that are results even if the list is
// full. The last results are dropped for them.
const namedPlaces = 3

// Describe adds the descriptions from one project. Results without one stay bare. Further places of
// a document become results after it if there is room.
func (f *Ranking) Describe(m *api.Descriptions) {
	found := map[string][]api.Described{}
	for _, d := range m.Found {
		found[d.DocID] = append(found[d.DocID], d)
	}
	var shown []api.Result
	for _, r := range f.shown {
		ds := found[r.DocID]
		if r.Key.Project != m.From || len(ds) == 0 {
			shown = append(shown, r)
			continue
		}
		room := max(namedPlaces, 1+f.Limit-len(f.shown))
		for _, d := range ds[:min(len(ds), room)] {
			r.Description, r.Changed, r.Bare = d.Description, d.Changed, false
			shown = append(shown, r)
		}
	}
	if len(shown) > len(f.shown) {
		shown = shown[:min(len(shown), max(f.Limit, len(f.shown)))]
		for i := range shown {
			shown[i].Rank = i + 1
		}
	}
	f.shown = shown
}

// Answer returns the reply to the request. problems are channel states in addition to those in the
// lists, and may be nil.
func (f *Ranking) Answer(problems []api.ChannelState, took time.Duration) *api.Answer {
	a := &api.Answer{QueryID: f.ID, Query: f.Text, Intent: f.intent, Took: took, Results: f.shown, Notes: f.notes()}
	changed := map[string]int{}
	for _, r := range f.shown {
		if r.Changed {
			changed[r.Key.Project]++
		}
	}
	for _, m := range f.got {
		index := m.Index // a copy: messages are not changed
		index.ChangedFiles = changed[m.From]
		a.Indexes = append(a.Indexes, index)
		a.Channels = append(a.Channels, m.Channels...)
		a.Notes = append(a.Notes, m.Notes...)
		a.Read = fuller(a.Read, m.Read)
		for _, x := range m.More {
			a.More = append(a.More, api.More{Project: m.From, Places: x})
		}
	}
	a.Channels = append(a.Channels, problems...)
	for _, c := range a.Channels {
		a.Partial = a.Partial || c.Status.Partial()
	}
	a.Relevance = f.relevance
	if a.Partial && a.Relevance == fusion.Irrelevant { // a missing part might be relevant
		a.Relevance = fusion.Unjudged
	}
	return a
}

// rate sets the relevance of the ranking and scales its scores. A first result with a low score
// makes the answer weak.
func (f *Ranking) rate() {
	f.relevance = fusion.RelevanceOf(f.ranking)
	if isUnknownName(f.got) {
		f.relevance = fusion.Irrelevant
	}
	fusion.Descend(f.ranking, f.relevance)
	if f.relevance == fusion.Relevant && len(f.ranking) > 0 && f.ranking[0].Score < fusion.WeakScore {
		f.relevance = fusion.Weak
	}
}

// isUnknownName reports whether the question is a name that no project has.
func isUnknownName(got []*api.Lists) bool {
	known := func(m *api.Lists) bool { return !m.Unknown }
	return len(got) > 0 && !slices.ContainsFunc(got, known)
}

// fuller returns the one with more phrases, or b if a is empty.
func fuller(a, b api.FromWords) api.FromWords {
	if len(a.Words) < len(b.Words) || !a.Some() {
		return b
	}
	return a
}
