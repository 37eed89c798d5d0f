package rankings

import (
	"math"
	"slices"
	"testing"

	"patina/bench/eval"
)

func TestReciprocalRankFusion(t *testing.T) {
	// Document 1: 1/61+1/62; 0: 1/61; 2: 1/62; 3: in neither ranking.
	if got, want := rrf(4, eval.Ranking{0, 1}, eval.Ranking{1, 2}), (eval.Ranking{1, 0, 2}); !slices.Equal(got, want) {
		t.Errorf("ranked %v, want %v", got, want)
	}
}

func TestFirst(t *testing.T) {
	r := make(eval.Ranking, deepest+1)
	for i := range r {
		r[i] = i
	}
	for _, test := range []struct {
		targets []int
		want    int
	}{{[]int{7, 3}, 4}, {[]int{deepest - 1}, deepest}, {[]int{deepest}, 0}, {nil, 0}} {
		if got := firstOf(r, test.targets); got != test.want {
			t.Errorf("%v at %d, want %d", test.targets, got, test.want)
		}
	}
}

func TestWordsByHand(t *testing.T) {
	x := eval.NewLexicon(nil)
	for _, s := range []string{"zebra zebra lion", "lion", "readZebra the"} {
		x.Add(s)
	}
	// The texts have 3, 1 and 4 words (readZebra, read, zebra, the). "zebra" is in two of three
	// texts.
	idf := math.Log(1 + 1.5/2.5)
	want := []float64{idf * 2 * 2.2 / (2 + 1.2*(0.25+0.75*3/(8./3))), 0, idf * 2.2 / (1 + 1.2*(0.25+0.75*4/(8./3)))}
	checkEqual(t, "bm25", x.BM25("zebras"), want)
	zebra, lion, rare := math.Log(1+3./2), math.Log(1+3./2), math.Log(1+3.)
	first := (1 + math.Ln2) * zebra
	want = []float64{zebra * first / math.Hypot(first, lion), 0, zebra * zebra / math.Sqrt(3*rare*rare+zebra*zebra)}
	checkEqual(t, "cosine", newTFIDF(x).cosine("zebras unknown"), want)
}

func checkEqual(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-12 {
			t.Errorf("%s: text %d scores %v, want %v", what, i, got[i], want[i])
		}
	}
}

func TestVotes(t *testing.T) {
	tree := &Tree{Paths: []string{"a.go", "b.go", "c.go"}, numbers: map[string]int{"a.go": 0, "b.go": 1, "c.go": 2}}
	p := newHistory(tree, []eval.Commit{
		{Subject: "throttle clients", Files: []string{"b.go", "gone.go"}},
		{Subject: "throttle clients", Files: []string{"b.go", "c.go"}},
		{Subject: "paint the shed", Files: []string{"a.go"}},
		{Subject: "throttle what is gone", Files: []string{"gone.go"}},
	})
	if len(p.commits) != 3 {
		t.Errorf("%d commits vote, want 3", len(p.commits))
	}
	if got, want := p.rank("throttled"), (eval.Ranking{1, 2}); !slices.Equal(got, want) {
		t.Errorf("ranked %v, want %v", got, want)
	}
	if got := p.rank("nothing of it"); len(got) != 0 {
		t.Errorf("ranked %v for other words", got)
	}
}

func TestMacroReport(t *testing.T) {
	rs := []*Repository{
		{Name: "x", Systems: []Ranks{{bm25c, []int{1, 0}}, {static, []int{2, 4}}}},
		{Name: "y", Systems: []Ranks{{bm25c, []int{11}}, {static, []int{1}}}},
	}
	r := NewMacroReport(rs)
	if got, want := r.Lines[0].MRR.Mean, (0.5+1./11)/2; math.Abs(got-want) > 1e-12 {
		t.Errorf("MRR %v, want %v", got, want)
	}
	if got := r.Lines[0].Hit.Mean; got != 0.25 { // the eleventh place is not a hit
		t.Errorf("Hit@10 %v, want 0.25", got)
	}
	want := ((0.5-1+0.25)/2 + 1 - 1./11) / 2
	if got := r.Paired(static, bm25c); math.Abs(got.Mean-want) > 1e-12 || got.Low > got.Mean || got.High < got.Mean {
		t.Errorf("difference %+v, want %v", got, want)
	}
	if r.Lines[1].Against != r.Paired(static, bm25c) || r.Lines[1].Better != 1 {
		t.Errorf("line %+v", r.Lines[1])
	}
	if got := r.Paired(static, adapted); got != (eval.Estimate{}) {
		t.Errorf("against what is missing: %+v", got)
	}
}

func TestSentencesWithoutNames(t *testing.T) {
	for _, test := range []struct {
		leave    Leave
		name     string
		sentence string
		want     string
	}{
		{LeaveNothing, "Pool.Get", "Get returns a pooled conn.", "Get returns a pooled conn."},
		{LeaveName, "Pool.Get", "Get returns a conn; see get() and getting.", "returns a conn; see and getting."},
		{LeaveName, "apply_async#2", "apply_async applies a task.", "applies a task."},
		{LeaveNameParts, "apply_async#2", "apply_async applies an async task.", "an task."},
		{LeaveNameParts, "serveHTTP", "Serves the http-request now.", "the now."},
	} {
		if got := test.leave.from(test.sentence, test.name); got != test.want {
			t.Errorf("%q without %q: %q, want %q", test.sentence, test.name, got, test.want)
		}
	}
}

func TestPoolsDropTheRest(t *testing.T) {
	var fs []Function
	for i := range 7 {
		fs = append(fs, Function{Name: string(rune('a' + i))})
	}
	pools := Pools(fs, 3)
	if len(pools) != 2 || len(pools[0]) != 3 || len(pools[1]) != 3 {
		t.Fatalf("pools %v", pools)
	}
	seen := map[string]bool{}
	for _, f := range slices.Concat(pools...) {
		if seen[f.Name] {
			t.Errorf("%s stands there twice", f.Name)
		}
		seen[f.Name] = true
	}
	if again := Pools(fs, 3); !slices.Equal(pools[0], again[0]) {
		t.Error("another draw from the same seed")
	}
}

func TestDistinct(t *testing.T) {
	got := distinct([]Function{{"a", "s", "x"}, {"b", "s", "y"}, {"c", "t", "x"}, {"d", "u", "z"}})
	if len(got) != 2 || got[0].Name != "a" || got[1].Name != "d" {
		t.Errorf("kept %v", got)
	}
}

func TestTargetsCount(t *testing.T) {
	tree := &Tree{Paths: []string{"CHANGELOG.md", "a.go"}, numbers: map[string]int{"CHANGELOG.md": 0, "a.go": 1}}
	if got := tree.targets([]string{"CHANGELOG.md", "a.go", "gone.go"}); !slices.Equal(got, []int{1}) {
		t.Errorf("targets %v", got)
	}
}
