package fusion

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func placeOf(kind, id string, share float64) Result {
	return Result{Key: Key{"p", kind, id}, Share: share, Evidence: Evidence{Share: share, Known: 1}}
}

// whole returns the file of a section.
func whole(k Key) string {
	file, _, ok := strings.Cut(k.ID, "#")
	if !ok {
		return ""
	}
	return file
}

func idsOf(rs []Result) (ids []string) {
	for _, r := range rs {
		ids = append(ids, r.Key.ID)
	}
	return ids
}

func TestOnePlace(t *testing.T) {
	named := placeOf("pattern", "a#4", 0.1)
	named.Exact = true
	rs := []Result{
		placeOf("pattern", "a#1", 0.9), placeOf("code", "x", 0.8), placeOf("pattern", "a#2", 0.7), named,
		placeOf("pattern", "b#1", 0.5),
		placeOf("pattern", "a#3", 0.4), placeOf("note", "a#1", 0.3), placeOf("code", "x", 0.2),
	}
	want := []string{"a#1", "x", "a#4", "b#1", "a#1", "x", "a#2", "a#3"}
	if got := idsOf(OnePlace(rs, whole)); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestReserve(t *testing.T) {
	ranking := func(share, best float64) []Result {
		rs := []Result{placeOf("code", "a", best)}
		for _, id := range []string{"b", "c", "d", "e", "f"} {
			rs = append(rs, placeOf("code", id, 0.2))
		}
		return append(rs, placeOf("belief", "x", share), placeOf("belief", "y", 1))
	}
	for _, test := range []struct {
		share, best float64
		place, want int // want is the place of x, from 1
	}{
		{0.5, 0.5, 5, 5},
		{0.25, 0.5, 5, 7},
		{0.25, 0.4, 5, 5},
		{0.6, 1, 5, 5},
		{0.24, 0.3, 5, 7},
		{0.9, 0.9, 1, 1},
		{0.9, 0.9, 0, 7},
		{0.9, 0.9, 7, 7},
		{0.9, 0.9, 100, 7},
	} {
		rs := ranking(test.share, test.best)
		rs[7].Share = 0 // the other belief
		got := Reserve(rs, "belief", test.place, General)
		if at := slices.Index(idsOf(got), "x") + 1; at != test.want {
			t.Errorf("share %g of %g, place %d: at %d, want %d", test.share, test.best, test.place, at, test.want)
		}
		if moved := test.want != 7; moved != (got[test.want-1].Placed == PlacedReserved) {
			t.Errorf("share %g: placed %q", test.share, got[test.want-1].Placed)
		}
	}
	for _, test := range []struct {
		share, known float64
		intent       Intent
		want         int
	}{
		{0.12, 1, Task, 5},
		{0.12, 0.5, Task, 7}, // not relevant
		{0.12, 1, General, 7},
	} {
		rs := ranking(test.share, 0.9)
		rs[6].Evidence.Known, rs[7].Share = test.known, 0
		if at := slices.Index(idsOf(Reserve(rs, "belief", 5, test.intent)), "x") + 1; at != test.want {
			t.Errorf("%s: share %g, known %g: at %d, want %d", test.intent, test.share, test.known, at, test.want)
		}
	}
	if rs := ranking(0.9, 0.9)[:6]; !slices.Equal(idsOf(Reserve(rs, "belief", 5, Task)), idsOf(rs)) {
		t.Error("a ranking without beliefs has changed")
	}
}

// Documents of kinds other than code are removed if they account for too little. If nothing is
// relevant, only those of the kinds in never are removed.
func noKind(string) bool { return false }

func TestAboveFloor(t *testing.T) {
	never := func(kind string) bool { return kind == "belief" }
	by := placeOf("commit", "by meaning", 0)
	by.Evidence.Cosine = 0.2
	named := placeOf("commit", "named", 0)
	named.Exact = true
	all := []Result{
		placeOf("code", "c", 0.01), placeOf("commit", "no word", 0), by, placeOf("belief", "near", 0.15),
		placeOf("belief", "far", 0.05),
	}
	got := idsOf(AboveFloor(append(all, named), never, noKind))
	if !slices.Equal(got, []string{"c", "by meaning", "near", "named"}) {
		t.Errorf("an answer: %q", got)
	}
	none := []Result{placeOf("code", "c", 0.01), placeOf("commit", "no word", 0), placeOf("belief", "far", 0.05)}
	if got := idsOf(AboveFloor(none, never, noKind)); !slices.Equal(got, []string{"c", "no word"}) {
		t.Errorf("no answer: %q", got)
	}
	guest := func(kind string) bool { return kind == "persona" }
	noted := append(none, placeOf("persona", "note", 0.15))
	if got := idsOf(AboveFloor(noted, never, guest)); !slices.Equal(got, []string{"c", "no word", "note"}) {
		t.Errorf("a note alone: %q", got)
	}
}

// Reserve and OnePlace must not change the given ranking, and must lose no result.
func TestPlacesArePermutations(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var rs []Result
		for i := range draw.IntN(20) {
			kind := []string{"code", "pattern", "belief"}[draw.IntN(3)]
			rs = append(rs, placeOf(kind, string(rune('a'+draw.IntN(5)))+"#"+string(rune('a'+i)), draw.Float64()))
		}
		before := idsOf(rs)
		got := idsOf(Reserve(OnePlace(rs, whole), "belief", 1+draw.IntN(6), General))
		if !slices.Equal(idsOf(rs), before) {
			t.Fatal("the ranking itself was changed")
		}
		slices.Sort(got)
		slices.Sort(before)
		if !slices.Equal(got, before) {
			t.Fatalf("%q became %q", before, got)
		}
	}
}

// A kind that one channel alone ranks keeps that channel's order, and gains by its raw score.
func TestOwnChannel(t *testing.T) {
	key := func(id string) Key { return Key{"p", "belief", id} }
	in := Input{
		Intent: Rationale, Lists: []List{list("belief", "belief", "a", 0.6, "b", 0.5, "c", 0.1)},
		Evidence: map[Key]Evidence{key("a"): {Share: 0.1}, key("b"): {Share: 0.9}, key("c"): {Share: 0.5}},
	}
	got := Fuse(in)
	if !slices.Equal(ids(got), []string{"a", "b", "c"}) {
		t.Errorf("order %v", ids(got))
	}
	if a := byID(t, got, "a"); !near(a.Own(), 0.1+0.2*0.6+0.2) {
		t.Errorf("own number %v", a.Own())
	}
	in.Lists = append(in.Lists, list("lexical", "belief", "c", 9.0))
	if got := Fuse(in); got[0].Key.ID != "b" || got[0].Channel != 0 {
		t.Errorf("with another channel: %v", ids(got))
	}
}

// Reserve moves only the best belief, and only upwards; below the bar nothing moves. OnePlace keeps
// exact documents before those that it moves, and keeps the order of each part.
func TestPlacesKeepOrder(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		var rs []Result
		for i := range draw.IntN(20) {
			id := string(rune('a'+draw.IntN(4))) + "#" + string(rune('a'+i))
			r := placeOf([]string{"code", "belief"}[draw.IntN(2)], id, draw.Float64())
			r.Exact = draw.IntN(5) == 0
			rs = append(rs, r)
		}
		place := 1 + draw.IntN(6)
		got := Reserve(rs, "belief", place, General)
		at := slices.IndexFunc(rs, func(r Result) bool { return r.Key.Kind == "belief" })
		best := 0.0
		for _, r := range rs {
			best = max(best, r.Share)
		}
		if at < place || rs[at].Share < 0.25 || rs[at].Share < 0.6*best {
			if !slices.Equal(idsOf(got), idsOf(rs)) {
				t.Fatalf("%q became %q", idsOf(rs), idsOf(got))
			}
		} else if others := slices.Delete(idsOf(got), place-1, place); got[place-1].Key != rs[at].Key ||
			!slices.Equal(others, slices.Delete(idsOf(rs), at, at+1)) {
			t.Fatalf("%q became %q", idsOf(rs), idsOf(got))
		}
		checkOnePlace(t, rs, OnePlace(rs, whole))
	}
}

func checkOnePlace(t *testing.T, rs, got []Result) {
	t.Helper()
	seen := map[string]bool{}
	var first, later []string
	for _, r := range rs {
		if w := r.Key.Kind + whole(r.Key); seen[w] && !r.Exact {
			later = append(later, r.Key.ID)
		} else {
			seen[w] = true
			first = append(first, r.Key.ID)
		}
	}
	if !slices.Equal(idsOf(got), append(first, later...)) {
		t.Fatalf("%q became %q", idsOf(rs), idsOf(got))
	}
}

// At most one guest is left, at its place, and the others keep their order. If no other document is
// relevant, the guest comes first.
func TestGuest(t *testing.T) {
	for _, test := range []struct {
		guest, other float64 // shares of the question
		place, first int     // first is the former place of the guest, from 1
		want         int     // 0 means removed
	}{
		{0.5, 0.5, 5, 1, 5},
		{0.5, 0.5, 5, 7, 5},
		{0.5, 0.5, 100, 1, 7},
		{0.24, 0.3, 5, 1, 0},
		{0.3, 0.6, 5, 1, 0},
		{0.36, 0.6, 5, 1, 5},
		{0.3, 0.05, 5, 1, 1},
		{0.3, 0.05, 5, 7, 1},
		{0.2, 0.05, 5, 1, 0},
	} {
		var rs []Result
		for _, id := range []string{"a", "b", "c", "d", "e", "f"} {
			rs = append(rs, placeOf("code", id, test.other))
		}
		rs = slices.Insert(rs, test.first-1, placeOf("persona", "x", test.guest))
		before := slices.Clone(rs)
		rs = append(rs, placeOf("persona", "y", 0.9))
		got := idsOf(Guest(rs, "persona", test.place))
		if at := slices.Index(got, "x") + 1; at != test.want || slices.Contains(got, "y") {
			t.Errorf("%+v: %q", test, got)
		}
		others := slices.DeleteFunc(got, func(id string) bool { return id == "x" })
		if !slices.Equal(others, []string{"a", "b", "c", "d", "e", "f"}) {
			t.Errorf("%+v: the others are %q", test, others)
		}
		if !slices.Equal(idsOf(before), idsOf(rs[:len(before)])) {
			t.Errorf("%+v: the input was changed", test)
		}
	}
}

// Of two equal documents, the one from home comes first. An edge's weight must never lift the
// other.
func TestHomeComesFirst(t *testing.T) {
	in := Input{Home: "z", Weights: map[string]float64{"a": 1.5}, Evidence: map[Key]Evidence{}}
	for _, p := range []string{"a", "z"} {
		k := file(p, "same.go")
		in.Evidence[k] = Evidence{Share: 0.5, Known: 1}
		in.Lists = append(in.Lists, List{Channel: "lexical", Kind: "code", Hits: []Hit{{k, 1}}})
	}
	got := Fuse(in)
	if got[0].Key.Project != "z" || got[0].Foreign || !got[1].Foreign || !near(got[1].Weight, foreignWeight) {
		t.Errorf("%+v", got)
	}
	if RelevanceOf(got[1:]) != Relevant {
		t.Error("the other project's document is no answer")
	}
}

// Sections of a manual move only after a file of code that accounts for nearly as much. All others
// keep their order.
func TestCodeBeforeManuals(t *testing.T) {
	of := func(kind, id string, merged, demotion, score float64) Result {
		r := placeOf(kind, id, 0.5)
		r.Merged, r.Evidence.Demotion, r.Chance = merged, demotion, score
		return r
	}
	named, foreign := of("pattern", "named", 0.9, 0.8, 0.4), of("pattern", "foreign", 0.9, 0.8, 0.4)
	named.Exact, foreign.Key.Project = true, "q"
	for _, test := range []struct {
		name string
		rs   []Result
		want []string
	}{
		{"within a fifth", []Result{of("pattern", "m", 1, 0.8, 0.4), of("code", "a", 0.8, 1, 0.5)}, []string{"a", "m"}},
		{"further behind", []Result{
			of("pattern", "m", 1, 0.8, 0.4), of("code", "a", 0.79, 1, 0.5),
		}, []string{"m", "a"}},
		{"no manual", []Result{
			of("pattern", "m", 1, 1, 0.4), of("commit", "c", 1, 1, 0.4), of("code", "a", 1, 1, 0.5),
		}, []string{"m", "c", "a"}},
		{
			"only the near ones",
			[]Result{
				of("pattern", "far", 1.1, 0.8, 0.4), of("commit", "c", 1, 1, 0.4), of("pattern", "m", 0.9, 0.8, 0.4),
				of("code", "a", 0.8, 0.3, 0.5), of("code", "b", 0.7, 1, 0.4),
			},
			[]string{"far", "c", "a", "m", "b"},
		},
		{"named, and of another project", []Result{
			named, foreign, of("code", "a", 0.9, 1, 0.5),
		}, []string{"named", "foreign", "a"}},
		{"no code", []Result{of("pattern", "m", 1, 0.8, 0.4), of("commit", "c", 1, 1, 0.4)}, []string{"m", "c"}},
	} {
		before := idsOf(test.rs)
		got := CodeBeforeManuals(test.rs, General)
		if !slices.Equal(idsOf(got), test.want) {
			t.Errorf("%s: %q, want %q", test.name, idsOf(got), test.want)
		}
		if !slices.Equal(idsOf(test.rs), before) {
			t.Errorf("%s: the ranking itself was changed", test.name)
		}
	}
	higher := CodeBeforeManuals([]Result{of("pattern", "m", 1, 0.8, 0.6), of("code", "a", 0.9, 1, 0.5)}, Mechanism)
	if higher[0].Placed != PlacedReserved {
		t.Errorf("before a higher chance: placed %q", higher[0].Placed)
	}
	near := []Result{of("pattern", "m", 1, 0.8, 0.4), of("code", "a", 0.9, 1, 0.5)}
	for _, intent := range []Intent{Rationale, Temporal, HowTo, Task, Mechanism, Definition, General} {
		want := []string{"a", "m"}
		if intent == Rationale { // reasons are written in manuals
			want = []string{"m", "a"}
		}
		if got := idsOf(CodeBeforeManuals(near, intent)); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", intent, got, want)
		}
	}
}
