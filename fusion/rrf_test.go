package fusion

import (
	"slices"
	"testing"
)

func TestReciprocalRank(t *testing.T) {
	lists := []List{
		list("lexical", "commit", "a", 9.0, "b", 8.0, "c", 1.0),
		list("semantic", "commit", "b", 0.9, "d", 0.2),
	}
	for _, test := range []struct {
		intent Intent
		only   []string
		want   map[string]float64
	}{
		{General, nil, map[string]float64{
			"a": (1. / 61) / (1./62 + 0.5/61), "b": 1,
			"c": (1. / 63) / (1./62 + 0.5/61), "d": (0.5 / 62) / (1./62 + 0.5/61),
		}},
		{Mechanism, nil, map[string]float64{
			"a": (1. / 61) / (1./62 + 0.75/61), "b": 1, "d": (0.75 / 62) / (1./62 + 0.75/61),
		}},
		{Definition, nil, map[string]float64{"a": (1.5 / 61) / (1.5/62 + 0.5/61), "d": (0.5 / 62) / (1.5/62 + 0.5/61)}},
		{General, []string{"lexical"}, map[string]float64{"a": 1, "b": 61. / 62, "c": 61. / 63}},
	} {
		got := Fuse(Input{Intent: test.intent, Lists: lists, Only: test.only})
		for id, want := range test.want {
			if r := byID(t, got, id); !near(r.Agreement, want) || r.Blended != 0 {
				t.Errorf("%s, only %v, %s: agreement %v, want %v", test.intent, test.only, id, r.Agreement, want)
			}
		}
	}
}

// A channel without hits of a kind counts like a channel that was not selected.
func TestEmptyListLowersNothing(t *testing.T) {
	lexical := list("lexical", "commit", "a", 2.0, "b", 1.0)
	for _, test := range []struct {
		name  string
		lists []List
	}{
		{"semantic did not answer", []List{lexical}},
		{"semantic is empty", []List{lexical, list("semantic", "commit")}},
		{"semantic answered for another kind", []List{lexical, list("semantic", "pattern", "p", 1.0)}},
	} {
		got := Fuse(Input{Lists: test.lists})
		for id, want := range map[string]float64{"a": 1, "b": 61. / 62} {
			if r := byID(t, got, id); !near(r.Agreement, want) {
				t.Errorf("%s: agreement of %s %v, want %v", test.name, id, r.Agreement, want)
			}
		}
	}
}

func TestCodeByReciprocalRank(t *testing.T) {
	in := blendInput(General)
	in.Rule = RRF
	got := Fuse(in)
	// After demotion: lexical a 1, b 0.75·0.6, a_test 0.5·0.3; semantic b 0.6, c 0.5, a 0; temporal
	// c 1, a 0.5.
	best := 1./61 + 0.4/63 + 0.3/62
	for id, want := range map[string]float64{
		"a.go":      1,
		"b.go":      (1./62 + 0.4/61) / best,
		"c.go":      (0.4/62 + 0.3/61) / best,
		"a_test.go": (1. / 63) / best,
	} {
		if r := byID(t, got, id); !near(r.Agreement, want) || r.Blended != 0 {
			t.Errorf("%s: agreement %v, want %v, blended %v", id, r.Agreement, want, r.Blended)
		}
	}
	if want := []string{"a.go", "b.go", "a_test.go", "c.go"}; !slices.Equal(ids(got), want) {
		t.Errorf("order %v, want %v", ids(got), want)
	}
}

func TestCodeByReciprocalRankDemotes(t *testing.T) {
	got := Fuse(Input{
		Rule:     RRF,
		Lists:    []List{list("lexical", "code", "a_test.go", 10.0, "b.go", 5.0, "c.go", 2.0)},
		Evidence: map[Key]Evidence{code("a_test.go"): {Demotion: 0.3, Share: 1}},
	})
	if want := []string{"b.go", "a_test.go", "c.go"}; !slices.Equal(ids(got), want) {
		t.Errorf("order %v, want %v", ids(got), want)
	}
	if c := byID(t, got, "a_test.go").Contributions[0]; c.Rank != 2 || c.Raw != 10 {
		t.Errorf("contribution %+v, want rank 2 once demoted, raw 10", c)
	}
}
