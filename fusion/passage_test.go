package fusion

import (
	"reflect"
	"testing"
)

// A long question describes a place, so the file with the better passage must come first. A short
// one does not.
func TestPassage(t *testing.T) {
	in := Input{
		Lists: []List{list("lexical", "code", "topic.go", 8.0, "place.go", 6.0, "test.go", 4.0)},
		Evidence: map[Key]Evidence{
			code("topic.go"): {Share: 0.5, Passage: 0.2},
			code("place.go"): {Share: 0.5, Passage: 0.9},
			code("test.go"):  {Share: 0.5, Passage: 1.5, Demotion: 0.3},
		},
	}
	short, long := []string{"topic.go", "place.go", "test.go"}, []string{"place.go", "topic.go", "test.go"}
	for _, test := range []struct {
		words int
		only  []string
		want  []string
	}{
		{0, nil, short},
		{passageFrom, nil, short},
		{passageFull, nil, long},
		{10 * passageFull, nil, long},
		{passageFull, []string{"lexical"}, short},
	} {
		in.Words, in.Only = test.words, test.only
		if got := ids(Fuse(in)); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%d words, only %q: %q, want %q", test.words, test.only, got, test.want)
		}
	}
	in.Words, in.Only = passageFull, nil
	r := byID(t, Fuse(in), "place.go")
	want := Contribution{Channel: "passage", Raw: 0.9, Normalised: 0.9, Weight: passageMost, Added: 0.9 * passageMost}
	if got := r.Contributions[len(r.Contributions)-1]; got != want {
		t.Errorf("contribution %+v, want %+v", got, want)
	}
}

// Leaders returns the first files as they rank without passages, at any depth of the lists.
func TestLeadersAreTheFirstFiles(t *testing.T) {
	check(t, func(in Input) bool {
		in.Only, in.Rule, in.Words, in.Exact = nil, "", passageFull, nil
		for k, e := range in.Evidence {
			e.Passage = 0
			in.Evidence[k] = e
		}
		depth, n := 1+len(in.Lists), 3
		var first []Key
		for _, r := range blendScores(limitDepth(in, depth)) {
			first = append(first, r.Key)
		}
		in.Lists = append(in.Lists, list("lexical", "commit", "c", 1.0))
		got := Leaders(in, depth, n)
		in.Words = passageFrom
		return reflect.DeepEqual(got, append([]Key{}, first[:min(n, len(first))]...)) && Leaders(in, depth, n) == nil
	})
}
