package fusion

import (
	"math"
	"slices"
	"testing"
)

// tuned ranks two files and a belief: a.go leads by words, b.go by meaning.
func tuned(t Tuning) []string {
	file := func(id string) Key { return Key{Kind: "code", ID: id} }
	creed := Key{Kind: "belief", ID: "belief:x"}
	in := Input{
		Tuning: t,
		Lists: []List{
			{Channel: "lexical", Kind: "code", Hits: []Hit{{file("a.go"), 10}, {file("b.go"), 7}}},
			{Channel: "semantic", Kind: "code", Hits: []Hit{{file("b.go"), 0.9}, {file("a.go"), 0.6}}},
			{Channel: "belief", Kind: "belief", Hits: []Hit{{creed, 0.5}}},
		},
		Evidence: map[Key]Evidence{
			file("a.go"): {Share: 0.5, Demotion: 1}, file("b.go"): {Share: 0.5, Demotion: 1},
			creed: {Share: 0.2, Demotion: 1},
		},
	}
	var ids []string
	for _, r := range Fuse(in) {
		ids = append(ids, r.Key.ID)
	}
	return ids
}

// A factor moves a channel or a kind. Without a factor nothing moves.
func TestTuning(t *testing.T) {
	for name, test := range map[string]struct {
		tuning Tuning
		want   []string
	}{
		"none": {Tuning{}, []string{"a.go", "b.go", "belief:x"}},
		"meaning counts more": {
			Tuning{Channels: map[string]float64{"semantic": 5}}, []string{"b.go", "a.go", "belief:x"},
		},
		"beliefs count more": {Tuning{Kinds: map[string]float64{"belief": 2}}, []string{"belief:x", "a.go", "b.go"}},
		"no number is no place": {
			Tuning{Kinds: map[string]float64{"code": math.NaN()}}, []string{"belief:x", "a.go", "b.go"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := tuned(test.tuning); !slices.Equal(got, test.want) {
				t.Errorf("ranking %q, want %q", got, test.want)
			}
		})
	}
	x := Tuning{
		Channels: map[string]float64{"semantic": 0}, Kinds: map[string]float64{"belief": 0},
		Places: map[string]int{"belief": 0},
	}
	if x.Keeps("semantic", "code") || x.Keeps("belief", "belief") || !x.Keeps("lexical", "code") {
		t.Error("a factor of 0 leaves a list out, and no other one")
	}
	if x.Place("belief", 5) != 0 || x.Place("memory", 5) != 5 {
		t.Error("a listed kind has the place listed, another one its own")
	}
}
