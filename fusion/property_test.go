package fusion

import (
	"fmt"
	"maps"
	"math"
	"math/rand"
	"reflect"
	"slices"
	"testing"
	"testing/quick"
)

// Generate returns an input of several kinds, channels and projects, with ties, gaps, duplicates
// and NaN.
func (Input) Generate(r *rand.Rand, size int) reflect.Value {
	pick := func(of ...string) string { return of[r.Intn(len(of))] }
	raws := []float64{0, 1, 1, 2, 0.5, -0.25, 1e308, 5e-324, math.NaN(), math.Inf(1), math.Inf(-1)}
	number := func() float64 {
		if r.Intn(3) == 0 {
			return raws[r.Intn(len(raws))]
		}
		return r.Float64()
	}
	in := Input{
		Intent:   Intent(pick("", "temporal", "rationale", "mechanism", "definition", "task", "general")),
		Rule:     Rule(pick("", "blend", "rrf")),
		Words:    r.Intn(20),
		Long:     r.Intn(4) == 0,
		Evidence: map[Key]Evidence{},
		Weights:  map[string]float64{},
		Priors:   map[string]float64{pick("code", "commit", "pattern"): number()},
		Recorded: map[string]bool{pick("p", "q", "none"): true},
	}
	names := []string{"p", "q", "r", "s"}[:1+r.Intn(4)]
	for _, name := range names {
		if r.Intn(2) == 0 {
			in.Weights[name] = number()
		}
	}
	key := func(kind string) Key { return Key{pick(names...), kind, pick("a", "b", "c", "d", "e", "f", "g")} }
	for range r.Intn(8) {
		l := List{Channel: pick("lexical", "semantic", "temporal", "belief"), Kind: pick("code", "commit", "pattern")}
		for range r.Intn(min(size, 12) + 1) {
			l.Hits = append(l.Hits, Hit{key(l.Kind), number()})
		}
		in.Lists = append(in.Lists, l)
	}
	for range r.Intn(30) {
		in.Evidence[key(pick("code", "commit", "pattern"))] = Evidence{
			Share: number(), Breadth: number(), Demotion: number(), Stem: number(), Coverage: number(),
			Symbol: number(),
			Paths:  number(), Frames: number(), Names: number(), Messages: number(), Passage: number(),
			Known: number(), Cosine: number(),
		}
	}
	for range max(0, r.Intn(6)-3) {
		in.Exact = append(in.Exact, key(pick("code", "commit", "pattern")))
	}
	for range max(0, r.Intn(6)-3) {
		in.Only = append(in.Only, pick("lexical", "semantic", "temporal", "belief"))
	}
	return reflect.ValueOf(in)
}

func check(t *testing.T, property any) {
	t.Helper()
	if err := quick.Check(property, &quick.Config{MaxCount: 3000, Rand: rand.New(rand.NewSource(1))}); err != nil {
		t.Error(err)
	}
}

// Equal input gives equal output, whatever the order of lists, hits and maps.
func TestOrderOfInputIsNothing(t *testing.T) {
	check(t, func(in Input, seed int64) bool {
		r := rand.New(rand.NewSource(seed))
		mixed := in
		mixed.Lists = slices.Clone(in.Lists)
		for i, l := range mixed.Lists {
			mixed.Lists[i].Hits = slices.Clone(l.Hits)
			hits := mixed.Lists[i].Hits
			r.Shuffle(len(hits), func(a, b int) { hits[a], hits[b] = hits[b], hits[a] })
		}
		r.Shuffle(len(mixed.Lists), func(a, b int) {
			mixed.Lists[a], mixed.Lists[b] = mixed.Lists[b], mixed.Lists[a]
		})
		mixed.Only = slices.Clone(in.Only)
		slices.Reverse(mixed.Only)
		mixed.Evidence = maps.Clone(in.Evidence)
		return reflect.DeepEqual(Fuse(in), Fuse(mixed))
	})
}

// The result holds every document of a selected list once, and besides them only exact documents.
func TestEveryDocumentOnce(t *testing.T) {
	check(t, func(in Input) bool {
		want := map[Key]bool{}
		for _, k := range in.Exact {
			want[k] = true
		}
		for _, l := range in.Lists {
			if len(in.Only) > 0 && !slices.Contains(in.Only, l.Channel) || l.Kind == "code" && l.Channel == "belief" {
				continue
			}
			for _, h := range l.Hits {
				want[h.Key] = true
			}
		}
		got := map[Key]bool{}
		for _, r := range Fuse(in) {
			if got[r.Key] {
				return false
			}
			got[r.Key] = true
		}
		return maps.Equal(got, want)
	})
}

// All numbers are finite and in their ranges.
func TestNumbersAreInRange(t *testing.T) {
	share := func(x float64) bool { return x >= 0 && x <= 1 } // false for NaN
	check(t, func(in Input) bool {
		for _, r := range Fuse(in) {
			if !share(r.Score) || !share(r.Share) || !share(r.Breadth) || !share(r.Agreement) ||
				!(r.Blended >= 0 && r.Blended < 10) ||
				!(r.Evidence.Demotion > 0 && r.Evidence.Demotion <= 1) {
				return false
			}
			for _, c := range r.Contributions {
				if !(c.Added >= 0 && c.Added < 10) || !(c.Normalised >= 0 && c.Normalised <= passageHighest) ||
					math.IsNaN(c.Raw) {
					return false
				}
			}
		}
		return true
	})
}

// The best document of every kind in a project has full agreement, whatever channels ranked it. It
// does not if all its scores are 0, or if one channel alone ranks the kind.
func TestBestOfAKindAgrees(t *testing.T) {
	check(t, func(in Input) bool {
		best := map[Key]float64{}
		for _, r := range Fuse(in) {
			k := Key{Project: r.Key.Project, Kind: r.Key.Kind}
			if len(r.Contributions) > 0 && !hasOwnChannel(inputOfProject(in, k.Project), k.Kind) {
				best[k] = max(best[k], r.Agreement)
			}
		}
		for k, agreement := range best {
			if agreement != 1 && (k.Kind != "code" || agreement != 0) {
				return false
			}
		}
		return true
	})
}

// The chance comes from the document's own numbers, and is lower if another kind earned as much. A
// result has a reason if and only if a later one has a higher chance.
func TestChanceIsItsOwn(t *testing.T) {
	check(t, func(in Input) bool {
		rs := Fuse(in)
		for i, r := range rs {
			e := r.Evidence
			z := -7.5 + 2*mergeScore(r) + 6*e.Known + 2*e.Coverage + 2*r.Lead + 0.5*r.Passage
			if r.Key.Kind != "code" {
				z += 1.4
			}
			margin := 0.1
			for _, other := range rs { // the first of another kind is its best
				if other.Key.Project == r.Key.Project && other.Key.Kind != r.Key.Kind {
					margin = min(margin, (r.Merged-other.Merged)/r.Weight)
					break
				}
			}
			z -= 1.5 * (1 - max(0, margin/0.1))
			want := 1 / (1 + math.Exp(-z))
			if r.Exact {
				want = 0.97
			}
			rises := slices.ContainsFunc(rs[i+1:], func(later Result) bool { return later.Chance > r.Chance })
			if !near(r.Chance, r.Weight*want) || rises != (r.Placed != "") {
				return false
			}
			if r.Placed == PlacedKind && !slices.ContainsFunc(rs[i+1:], func(later Result) bool {
				return later.Key.Kind == r.Key.Kind && later.Key.Project == r.Key.Project && later.Own() > r.Own()
			}) {
				return false
			}
		}
		return true
	})
}

// Merged never rises down the ranking, and is never below the document's own number.
func TestMergedNeverRises(t *testing.T) {
	check(t, func(in Input) bool {
		last := 1.2
		for _, r := range Fuse(in) {
			if r.Merged > last+1e-12 || r.Merged < r.Own()-1e-12 {
				return false
			}
			last = r.Merged
		}
		return true
	})
}

// The lead is above 0 for at most one document of a kind: the one with the highest agreement.
func TestLead(t *testing.T) {
	check(t, func(in Input) bool {
		rs := Fuse(in)
		for i, r := range rs {
			rival := math.Inf(-1)
			for j, other := range rs {
				if j != i && other.Key.Kind == r.Key.Kind && other.Key.Project == r.Key.Project &&
					len(other.Contributions) > 0 {
					rival = max(rival, other.Agreement)
				}
			}
			if len(r.Contributions) > 0 && !near(r.Lead, r.Agreement-max(0, rival)) {
				return false
			}
		}
		return true
	})
}

// Longer lists must not change the beginning: the ranking of the first hits comes first, number by
// number, and then every other document once.
func TestLongerListsFollow(t *testing.T) {
	check(t, func(in Input, seed int64) bool {
		depth := rand.New(rand.NewSource(seed)).Intn(6)
		short := in
		short.Lists = slices.Clone(in.Lists)
		for i, l := range short.Lists {
			short.Lists[i].Hits = l.Hits[:min(depth, len(l.Hits))]
		}
		want, got := Fuse(short), FuseDeep(in, depth)
		all := map[Key]bool{}
		for _, r := range Fuse(in) {
			all[r.Key] = true
		}
		once := map[Key]bool{}
		for _, r := range got {
			if once[r.Key] {
				return false
			}
			once[r.Key] = true
		}
		return maps.Equal(all, once) &&
			reflect.DeepEqual(append([]Result{}, want...), append([]Result{}, got[:len(want)]...))
	})
}

// The contributions must sum up to the numbers of the result, because "scry why" prints them.
func TestContributionsSumUp(t *testing.T) {
	check(t, func(in Input) bool {
		for _, r := range Fuse(in) {
			sum := 0.0
			for _, c := range r.Contributions {
				sum += c.Added
				if !near(c.Added, c.Weight*c.Normalised) {
					return false
				}
			}
			if !near(r.Own(), r.Weight*mergeScore(r)) {
				return false
			}
			if r.Key.Kind == "code" && in.Rule != RRF {
				if !near(r.Blended, r.Evidence.Demotion*sum) {
					return false
				}
			} else if !near(r.Agreement, sum) || r.Blended != 0 {
				return false
			}
		}
		return true
	})
}

// The merge keeps the order of each kind in a project, which is that of Fuse for this kind alone.
// The other kinds change only its margin, its chance and what is merged behind it.
func TestMergeKeepsOwnOrder(t *testing.T) {
	check(t, func(in Input) bool {
		in.Exact = nil
		rivalless := func(rs []Result, project string) []Result {
			rs = from(rs, project)
			for i := range rs {
				rs[i].Margin, rs[i].Chance, rs[i].Merged = 0, 0, 0
			}
			return rs
		}
		all := Fuse(in)
		for _, kind := range []string{"code", "commit", "pattern"} {
			alone := in
			alone.Lists = nil
			for _, l := range in.Lists {
				if l.Kind == kind {
					alone.Lists = append(alone.Lists, l)
				}
			}
			of := slices.DeleteFunc(slices.Clone(all), func(r Result) bool { return r.Key.Kind != kind })
			for _, project := range []string{"p", "q", "r", "s"} {
				if !reflect.DeepEqual(rivalless(of, project), rivalless(Fuse(alone), project)) {
					return false
				}
			}
		}
		return true
	})
}

// The merge must agree with its definition: sort the documents of a project by their own number,
// times 0.93 for each place in the kind, or a higher such number behind it in the kind.
func TestMergeAgainstSort(t *testing.T) {
	check(t, func(in Input) bool {
		in.Exact = nil
		all := Fuse(in)
		for _, project := range []string{"p", "q", "r", "s"} {
			got := from(all, project)
			head, places := map[Key]float64{}, map[string]int{}
			for i, r := range got {
				kind := r.Key.Kind
				number := mergeScore(r)
				if kind != "code" || r.Recorded {
					number *= math.Pow(0.93, float64(places[kind]))
				}
				places[kind]++
				for _, before := range got[:i+1] {
					if before.Key.Kind == kind {
						head[before.Key] = max(head[before.Key], number)
					}
				}
			}
			for i := range got[min(1, len(got)):] {
				if head[got[i].Key] < head[got[i+1].Key]-1e-12 {
					return false
				}
			}
		}
		return true
	})
}

// A kind's later results do not crowd out the first of another: of two equal documents of two
// kinds, the one that is earlier in its kind comes first.
func TestPlacesInAKind(t *testing.T) {
	in := Input{Lists: []List{list("lexical", "commit", "a", 3.0, "b", 2.0), list("lexical", "pattern", "c", 1.0)}}
	in.Evidence = map[Key]Evidence{
		{"p", "commit", "a"}: {Share: 0.6}, {"p", "commit", "b"}: {Share: 0.45}, {"p", "pattern", "c"}: {Share: 0.42},
	}
	if got := ids(Fuse(in)); !slices.Equal(got, []string{"a", "c", "b"}) {
		t.Errorf("order %v", got)
	}
}

// If one channel is selected, the order of a project's code is D · (that channel's raw score, and
// the names for lexical) and nothing else.
func TestOneChannelIsItsOwnOrder(t *testing.T) {
	check(t, func(in Input, lex bool) bool {
		in.Exact, in.Rule, in.Only = nil, Blend, []string{"semantic"}
		if lex {
			in.Only = []string{"lexical"}
		}
		code := slices.DeleteFunc(Fuse(in), func(r Result) bool { return r.Key.Kind != "code" || r.Key.Project != "p" })
		value := func(r Result) float64 {
			e := r.Evidence
			if lex {
				w := map[bool]float64{true: 1.5, false: 1}[in.Intent == Definition && !in.Long]
				jc := map[bool]float64{true: 0.3, false: 0.2}[in.Intent == Definition || in.Intent == Mechanism]
				names := 2*e.Symbol + jc*e.Stem + jc*e.Coverage + e.Paths + 0.5*e.Frames + 0.2*e.Names + 0.3*e.Messages
				return e.Demotion * (w*r.Contributions[0].Normalised + names)
			}
			return e.Demotion * r.Contributions[0].Normalised
		}
		return slices.IsSortedFunc(code, func(a, b Result) int {
			if near(value(a), value(b)) {
				return 0
			}
			return map[bool]int{true: -1, false: 1}[value(a) > value(b)]
		})
	})
}

// More evidence never costs a document a place: neither a larger share in the answer, nor a higher
// raw score in a project's code.
func TestMonotonic(t *testing.T) {
	rank := func(rs []Result, k Key) int { return slices.IndexFunc(rs, func(r Result) bool { return r.Key == k }) }
	check(t, func(in Input, seed int64) bool {
		in.Exact = nil
		rs := Fuse(in)
		if len(rs) == 0 {
			return true
		}
		r := rand.New(rand.NewSource(seed))
		chosen := rs[r.Intn(len(rs))]
		more := in
		more.Evidence = maps.Clone(in.Evidence)
		e := chosen.Evidence
		e.Share = min(1, e.Share+r.Float64())
		more.Evidence[chosen.Key] = e
		return rank(Fuse(more), chosen.Key) <= rank(rs, chosen.Key)
	})
	check(t, func(in Input, seed int64) bool {
		in.Exact, in.Rule = nil, Blend
		// Of two lists of one channel the better rank counts, so raising one document may change
		// which list counts.
		seen := map[string]bool{}
		in.Lists = slices.DeleteFunc(in.Lists, func(l List) bool {
			again := seen[l.Channel]
			seen[l.Channel] = true
			return again || l.Kind != "code" || len(l.Hits) == 0
		})
		if len(in.Lists) == 0 {
			return true
		}
		// Beside scores of 1e308 all others are 0, so ties would decide.
		for _, l := range in.Lists {
			for i, h := range l.Hits {
				l.Hits[i].Raw = max(-10, min(10, finiteOrZero(h.Raw)))
			}
		}
		r := rand.New(rand.NewSource(seed))
		i := r.Intn(len(in.Lists))
		more := in
		more.Lists = slices.Clone(in.Lists)
		hits := slices.Clone(in.Lists[i].Hits)
		more.Lists[i].Hits = hits
		h := r.Intn(len(hits))
		hits[h].Raw = finiteOrZero(hits[h].Raw) + math.Abs(finiteOrZero(hits[h].Raw))/2 + r.Float64()
		k := hits[h].Key
		before, after := rank(from(Fuse(in), k.Project), k), rank(from(Fuse(more), k.Project), k)
		return after <= before
	})
}

func ExampleFuse() {
	commit := Key{Project: "p", Kind: "commit", ID: "commit:1a2b3c4d5e6f"}
	for _, r := range Fuse(Input{
		Intent:   Temporal,
		Lists:    []List{{Channel: "lexical", Kind: "commit", Hits: []Hit{{Key: commit, Raw: 7.1}}}},
		Evidence: map[Key]Evidence{commit: {Share: 0.42, Demotion: 1}},
	}) {
		fmt.Printf("%s %.2f = %.1f · (%.2f + 0.2·%.2f)\n", r.Key.ID, r.Own(), r.Prior, r.Share, r.Agreement)
	}
	// Output: commit:1a2b3c4d5e6f 0.62 = 1.0 · (0.42 + 0.2·1.00)
}

// mergeScore returns the number by which kinds are merged.
func mergeScore(r Result) float64 {
	d := 1.0
	if r.Key.Kind != "code" {
		d = r.Evidence.Demotion
	}
	agreement := 0.2 * r.Agreement
	if r.Key.Kind == "code" && r.Recorded {
		agreement *= min(1, r.Share/0.5)
	}
	return r.Prior * d * (min(1, r.Share+0.25*r.Breadth) + agreement)
}
