package fusion

import (
	"fmt"
	"maps"
	"math"
	"math/rand"
	"reflect"
	"slices"
	"testing"
)

// file returns the key of a file in a project.
func file(project, path string) Key { return Key{project, "code", path} }

// sideBySide returns a home project with six good files, and four unrelated projects with one file
// each that holds one common word.
func sideBySide() Input {
	in := Input{Evidence: map[Key]Evidence{}}
	add := func(k Key, raw, share float64) {
		in.Evidence[k] = Evidence{Share: share}
		in.Lists = append(in.Lists, List{Channel: "lexical", Kind: "code", Hits: []Hit{{k, raw}}})
	}
	home := List{Channel: "lexical", Kind: "code"}
	for i := range 6 {
		k := file("home", fmt.Sprintf("%d.go", i))
		in.Evidence[k] = Evidence{Share: 0.90 - 0.016*float64(i)}
		home.Hits = append(home.Hits, Hit{k, 20 - float64(i)})
	}
	in.Lists = append(in.Lists, home)
	for _, name := range []string{"a", "b", "c", "d"} {
		add(file(name, "x.go"), 30, 0.10) // the word is rare there, so that its score is high
	}
	return in
}

// Files that account for most of the question come before the files of unrelated projects, which
// keep the low numbers that they earned.
func TestUnrelatedProjectsStayBehind(t *testing.T) {
	got := Fuse(sideBySide())
	want := []string{"0.go", "1.go", "2.go", "3.go", "4.go", "5.go", "x.go", "x.go", "x.go", "x.go"}
	if !slices.Equal(ids(got), want) {
		t.Errorf("order %v, want %v", ids(got), want)
	}
	for _, r := range got[6:] {
		if !near(r.Own(), 0.30) {
			t.Errorf("%v is merged by %.2f, want what it earned: 0.30", r.Key, r.Own())
		}
	}
}

// part returns the part of an input for some of its projects.
func part(in Input, names ...string) Input {
	foreign := func(k Key) bool { return !slices.Contains(names, k.Project) }
	out := in
	out.Lists, out.Exact = nil, slices.DeleteFunc(slices.Clone(in.Exact), foreign)
	for _, l := range in.Lists {
		l.Hits = slices.DeleteFunc(slices.Clone(l.Hits), func(h Hit) bool { return foreign(h.Key) })
		out.Lists = append(out.Lists, l)
	}
	out.Evidence = maps.Clone(in.Evidence)
	maps.DeleteFunc(out.Evidence, func(k Key, _ Evidence) bool { return foreign(k) })
	return out
}

func from(rs []Result, names ...string) []Result {
	return unplaced(slices.DeleteFunc(append([]Result{}, rs...), func(r Result) bool {
		return !slices.Contains(names, r.Key.Project)
	}))
}

// unplaced returns results without their reasons and scores, because only these depend on the
// results around them.
func unplaced(rs []Result) []Result {
	out := append([]Result{}, rs...)
	for i := range out {
		out[i].Placed, out[i].Score = "", 0
	}
	return out
}

// Documents of a kind from outside must not change the order or any number of the others.
func TestGuestsChangeNothing(t *testing.T) {
	check(t, func(in Input, share float64) bool {
		before := unplaced(Fuse(in))
		with := in
		with.Outside = map[string]bool{"persona": true}
		with.Evidence = maps.Clone(in.Evidence)
		if with.Evidence == nil {
			with.Evidence = map[Key]Evidence{}
		}
		if len(in.Only) > 0 {
			with.Only = append(slices.Clone(in.Only), "persona")
		}
		if len(with.Only) == 2 { // one channel alone orders the kinds in another way
			return true
		}
		notes := List{Channel: "persona", Kind: "persona"}
		for i := range 3 {
			k := Key{"p", "persona", fmt.Sprint(i)}
			with.Evidence[k] = Evidence{Share: math.Abs(math.Mod(share, 1)) / float64(i+1), Known: 1}
			notes.Hits = append(notes.Hits, Hit{k, 3 - float64(i)})
		}
		with.Lists = append(slices.Clone(in.Lists), notes)
		after := slices.DeleteFunc(unplaced(Fuse(with)), func(r Result) bool { return r.Key.Kind == "persona" })
		return reflect.DeepEqual(before, after)
	})
}

// Another project must not change the order or any number of a project's results.
func TestProjectsDoNotTouchEachOther(t *testing.T) {
	check(t, func(in Input) bool {
		all := Fuse(in)
		for _, some := range [][]string{{"p"}, {"q", "r"}} {
			if !reflect.DeepEqual(from(all, some...), unplaced(Fuse(part(in, some...)))) {
				return false
			}
		}
		return true
	})
}

// A result that earned more than every result of another project comes before all of them.
func TestWeakerProjectPushesNothingDown(t *testing.T) {
	check(t, func(in Input) bool {
		all := Fuse(in)
		most := map[string]float64{}
		for _, r := range all {
			earned := r.Weight * mergeScore(r)
			if r.Exact {
				earned = 1.2 * r.Weight
			}
			most[r.Key.Project] = max(most[r.Key.Project], earned)
		}
		for i, r := range all {
			for _, before := range all[:i] {
				if !r.Exact && r.Weight*mergeScore(r) > most[before.Key.Project]+1e-9 {
					return false
				}
			}
		}
		return true
	})
}

// An unrelated project, whose best shares are far lower, must not change any place above its
// shares.
func TestBetterSharesKeepTheirPlaces(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 500 {
		in := Input{Evidence: map[Key]Evidence{}, Intent: Mechanism}
		project := func(name string, low, high float64) {
			l := List{Channel: "lexical", Kind: "code"}
			scale := math.Exp(4 * r.NormFloat64()) // raw scores of two stores are unrelated
			for i := range 1 + r.Intn(20) {
				k := file(name, fmt.Sprintf("%02d.go", i))
				in.Evidence[k] = Evidence{Share: low + (high-low)*r.Float64()}
				l.Hits = append(l.Hits, Hit{k, scale * r.Float64()})
			}
			in.Lists = append(in.Lists, l)
		}
		project("home", 0.45, 0.9)
		alone := Fuse(in)
		for i := range 1 + r.Intn(10) {
			project(fmt.Sprint("unrelated", i), 0, 0.2)
		}
		got := Fuse(in)
		if !reflect.DeepEqual(unplaced(got[:len(alone)]), unplaced(alone)) {
			t.Fatalf("order %v, alone %v", ids(got), ids(alone))
		}
		for _, r := range got[len(alone):] {
			if r.Own() > 0.4+1e-9 {
				t.Fatalf("%v is merged by %.2f of a share of %.2f", r.Key, r.Own(), r.Share)
			}
		}
	}
}

// A lower weight moves no result of its project up, and never raises a chance.
func TestWeightsAreMonotonic(t *testing.T) {
	rank := func(rs []Result, k Key) int { return slices.IndexFunc(rs, func(r Result) bool { return r.Key == k }) }
	check(t, func(in Input, w float64) bool {
		w = math.Mod(math.Abs(finiteOrZero(w)), 1)
		less := in
		less.Weights = maps.Clone(in.Weights)
		less.Weights["p"] = max(1e-6, w*weightOf(in.Weights["p"]))
		before, after := Fuse(in), Fuse(less)
		if less.Weights["p"] > weightOf(in.Weights["p"]) {
			before, after = after, before
		}
		for i, r := range after {
			at := rank(before, r.Key)
			if r.Key.Project == "p" && (i < at || r.Chance > before[at].Chance) || r.Key.Project != "p" && i > at {
				return false
			}
		}
		return true
	})
}

// A weight above 1 counts as 1, and so does a missing, negative or invalid weight.
func TestWeightOf(t *testing.T) {
	for w, want := range map[float64]float64{0: 1, -1: 1, 0.5: 0.5, 1: 1, 1.3: 1, math.Inf(1): 1} {
		if got := weightOf(w); got != want {
			t.Errorf("weight %v counts %v, want %v", w, got, want)
		}
	}
	if got := weightOf(math.NaN()); got != 1 {
		t.Errorf("a weight that is no number counts %v", got)
	}
}

// A document of another project that the question names is placed by its project's weight.
func TestExactOfTwoProjects(t *testing.T) {
	in := Input{
		Lists:    []List{{Channel: "lexical", Kind: "code", Hits: []Hit{{file("home", "a.go"), 2}}}},
		Evidence: map[Key]Evidence{file("home", "a.go"): {Share: 0.7}},
		Exact:    []Key{file("other", "x.go"), file("home", "b.go")},
		Weights:  map[string]float64{"home": 1},
	}
	for _, test := range []struct {
		weight float64
		want   []string
		scores []float64
	}{
		{1, []string{"b.go", "x.go", "a.go"}, []float64{1.2, 1.2, 0.9}},
		{0.9, []string{"b.go", "x.go", "a.go"}, []float64{1.2, 1.08, 0.9}},
		{0.5, []string{"b.go", "a.go", "x.go"}, []float64{1.2, 0.9, 0.6}},
	} {
		in.Weights["other"] = test.weight
		got := Fuse(in)
		for i, r := range got {
			if r.Key.ID != test.want[i] || !near(r.Merged, test.scores[i]) {
				t.Errorf("weight %v: %v with %v, want %v with %v",
					test.weight, ids(got), r.Merged, test.want, test.scores)
			}
		}
	}
}
