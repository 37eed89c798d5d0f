package fusion

import (
	"math"
	"slices"
	"testing"
)

// code returns the key of a file.
func code(path string) Key { return Key{Project: "p", Kind: "code", ID: path} }

// list returns a list of hits of one kind: name, raw, name, raw, …
func list(channel, kind string, pairs ...any) List {
	l := List{Channel: channel, Kind: kind}
	for i := 0; i < len(pairs); i += 2 {
		l.Hits = append(l.Hits, Hit{Key{"p", kind, pairs[i].(string)}, pairs[i+1].(float64)})
	}
	return l
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

// byID returns the result with an id. It fails the test if there is no such result.
func byID(t *testing.T, rs []Result, id string) Result {
	t.Helper()
	for _, r := range rs {
		if r.Key.ID == id {
			return r
		}
	}
	t.Fatalf("no result %q in %v", id, ids(rs))
	return Result{}
}

func ids(rs []Result) []string {
	out := []string{}
	for _, r := range rs {
		out = append(out, r.Key.ID)
	}
	return out
}

// blendInput returns four files in all three channels, with every kind of evidence.
func blendInput(i Intent) Input {
	return Input{
		Intent: i,
		Lists: []List{
			list("lexical", "code", "a.go", 8.0, "b.go", 6.0, "a_test.go", 4.0),
			list("semantic", "code", "b.go", 0.5, "c.go", 0.25, "a.go", -0.1),
			list("temporal", "code", "c.go", 10.0, "a.go", 5.0),
		},
		Evidence: map[Key]Evidence{
			code("a.go"):      {Share: 0.5, Demotion: 1, Stem: 1, Coverage: 0.5},
			code("b.go"):      {Share: 0.4, Demotion: 0.6, Symbol: 1.3},
			code("a_test.go"): {Share: 0.3, Demotion: 0.3, Coverage: 0.25},
		},
	}
}

func TestBlend(t *testing.T) {
	for _, test := range []struct {
		intent Intent
		only   []string
		want   map[string]float64
	}{
		{General, nil, map[string]float64{
			"a.go": 1 + 0.2 + 0.1 + 0 + 0.15, "b.go": 0.6 * (0.75 + 2.6 + 0.4),
			"c.go": 0.2 + 0.3, "a_test.go": 0.3 * (0.5 + 0.05),
		}},
		{Mechanism, nil, map[string]float64{
			"a.go": 1 + 0.3 + 0.15 + 0.15, "b.go": 0.6 * (0.75 + 2.6 + 0.6),
			"c.go": 0.3 + 0.3, "a_test.go": 0.3 * 0.575,
		}},
		{Definition, nil, map[string]float64{
			"a.go": 1.5 + 0.3 + 0.15 + 0.15, "b.go": 0.6 * (1.125 + 2.6 + 0.4),
			"c.go": 0.5, "a_test.go": 0.3 * (0.75 + 0.075),
		}},
		{Temporal, nil, map[string]float64{
			"a.go": 1 + 0.2 + 0.1 + 0.225, "b.go": 0.6 * (0.75 + 2.6 + 0.4),
			"c.go": 0.2 + 0.45, "a_test.go": 0.3 * 0.55,
		}},
		{Task, nil, map[string]float64{
			"a.go": 1 + 0.2 + 0.1 + 0.225, "b.go": 0.6 * (0.75 + 2.6 + 0.4),
			"c.go": 0.2 + 0.45, "a_test.go": 0.3 * 0.55,
		}},
		{General, []string{"lexical"}, map[string]float64{
			"a.go": 1 + 0.2 + 0.1, "b.go": 0.6 * (0.75 + 2.6), "a_test.go": 0.3 * 0.55,
		}},
		{General, []string{"semantic"}, map[string]float64{"a.go": 0, "b.go": 0.6 * 0.4, "c.go": 0.2}},
		{General, []string{"temporal", "semantic"}, map[string]float64{"a.go": 0.15, "b.go": 0.24, "c.go": 0.5}},
	} {
		in := blendInput(test.intent)
		in.Only = test.only
		got := Fuse(in)
		if len(got) != len(test.want) {
			t.Errorf("%s, only %v: results %v", test.intent, test.only, ids(got))
		}
		best := 0.0
		for _, b := range test.want {
			best = max(best, b)
		}
		for id, want := range test.want {
			r := byID(t, got, id)
			if !near(r.Blended, want) || !near(r.Agreement, want/best) {
				t.Errorf("%s, only %v, %s: blended %v, agreement %v, want %v, %v",
					test.intent, test.only, id, r.Blended, r.Agreement, want, want/best)
			}
		}
	}
}

// A long text has its own weights, and its intent must not change them.
func TestBlendOfLongTexts(t *testing.T) {
	for _, intent := range []Intent{General, Definition, Temporal} {
		in := blendInput(intent)
		in.Long = true
		in.Evidence = map[Key]Evidence{
			code("a.go"):      {Demotion: 1, Paths: 0.5, Names: 0.3},
			code("b.go"):      {Demotion: 0.6, Frames: 1},
			code("a_test.go"): {Demotion: 0.3},
		}
		got := Fuse(in)
		for id, want := range map[string]float64{
			"a.go": 1 + 0.05 + 0.5 + 0.06, "b.go": 0.6 * (0.75 + 0.5 + 0.5), "c.go": 0.25 + 0.1, "a_test.go": 0.3 * 0.5,
		} {
			if r := byID(t, got, id); !near(r.Blended, want) {
				t.Errorf("%s, %s: blended %v, want %v", intent, id, r.Blended, want)
			}
		}
		in.Only = []string{temporal}
		if r := byID(t, Fuse(in), "a.go"); !near(r.Blended, 0.05) {
			t.Errorf("history alone: blended %v, want that of history alone", r.Blended)
		}
	}
}

func TestBlendContributions(t *testing.T) {
	got := byID(t, Fuse(blendInput(Temporal)), "a.go").Contributions
	want := []Contribution{
		{"lexical", 1, 8, 1, 1, 1},
		{"semantic", 3, -0.1, 0, 0.4, 0},
		{"temporal", 2, 5, 0.5, 0.3 * 1.5, 0.225},
		{"stem", 0, 1, 1, 0.2, 0.2},
		{"coverage", 0, 0.5, 0.5, 0.2, 0.1},
	}
	if len(got) != len(want) {
		t.Fatalf("contributions %v, want %v", got, want)
	}
	for i, w := range want {
		g := got[i]
		if g.Channel != w.Channel || g.Rank != w.Rank || g.Raw != w.Raw || !near(g.Normalised, w.Normalised) ||
			!near(g.Weight, w.Weight) || !near(g.Added, w.Added) {
			t.Errorf("contribution %d: %v, want %v", i, g, w)
		}
	}
}

// A file without evidence has share 0 and demotion 1. Evidence without a demotion means demotion 1
// too.
func TestMissingEvidence(t *testing.T) {
	got := Fuse(Input{
		Lists:    []List{list("lexical", "code", "a", 2.0, "b", 1.0)},
		Evidence: map[Key]Evidence{code("b"): {Share: 0.5}},
	})
	a, b := byID(t, got, "a"), byID(t, got, "b")
	if a.Share != 0 || a.Evidence.Demotion != 1 || a.Blended != 1 {
		t.Errorf("without an entry: %+v", a)
	}
	if b.Share != 0.5 || b.Evidence.Demotion != 1 || b.Blended != 0.5 {
		t.Errorf("without a demotion: %+v", b)
	}
}

// The blend divides by the best score before demotion, so a demoted best file does not lift the
// others.
func TestDemotionComesAfterNormalising(t *testing.T) {
	got := Fuse(Input{
		Lists:    []List{list("lexical", "code", "a_test.go", 10.0, "b.go", 5.0)},
		Evidence: map[Key]Evidence{code("a_test.go"): {Demotion: 0.3}},
	})
	if r := got[0]; r.Key.ID != "b.go" || !near(r.Blended, 0.5) || r.Agreement != 1 {
		t.Errorf("first: %+v", r)
	}
}

// A channel may send several lists, and a list may hold a document twice. Only the best place
// counts.
func TestBestPlaceCounts(t *testing.T) {
	for _, kind := range []string{"code", "commit"} {
		got := Fuse(Input{Lists: []List{
			list("lexical", kind, "a", 4.0, "b", 3.0, "a", 1.0, "c", 0.5),
			list("lexical", kind, "c", 9.0, "b", 0.9),
		}})
		want := map[string]struct {
			rank int
			raw  float64
		}{"a": {1, 4}, "b": {2, 3}, "c": {1, 9}}
		for id, w := range want {
			cs := byID(t, got, id).Contributions
			if len(cs) != 1 || cs[0].Rank != w.rank || cs[0].Raw != w.raw {
				t.Errorf("%s %s: %v, want rank %d, raw %v", kind, id, cs, w.rank, w.raw)
			}
		}
	}
}

// A channel without a weight for code must not add files.
func TestUnknownCodeChannel(t *testing.T) {
	for _, rule := range []Rule{Blend, RRF} {
		got := Fuse(Input{Rule: rule, Lists: []List{
			list("belief", "code", "x", 1.0), list("lexical", "code", "a", 1.0),
		}})
		if len(got) != 1 || got[0].Key.ID != "a" || got[0].Agreement != 1 {
			t.Errorf("%s: %+v", rule, got)
		}
	}
}

// If the question is the path of a file, the files that changed with it come before the files with
// similar words, and before the commits that name the path.
func TestCompanionsComeFirst(t *testing.T) {
	in := Input{
		Intent: Companions,
		Exact:  []Key{code("a.go")},
		Lists: []List{
			list("lexical", "code", "a.go", 9.0, "like.go", 9.0, "with.go", 1.0),
			list("semantic", "code", "like.go", 0.9),
			list("temporal", "code", "with.go", 2.0, "once.go", 1.0),
			list("lexical", "commit", "c", 9.0),
		},
		Evidence: map[Key]Evidence{
			code("like.go"):      {Share: 0.6},
			{"p", "commit", "c"}: {Share: 0.9},
		},
		Priors: map[string]float64{"commit": 0.9},
	}
	if got := ids(Fuse(in)); !slices.Equal(got[:2], []string{"a.go", "c"}) {
		t.Errorf("votes of commits: %v", got)
	}
	in.Lists[2].Companions = true
	if got := ids(Fuse(in)); !slices.Equal(got, []string{"a.go", "with.go", "c", "once.go", "like.go"}) {
		t.Errorf("companions: %v", got)
	}
}
