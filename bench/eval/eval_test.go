package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"patina/actors"
	"patina/actors/api"
	"patina/fusion"
	"patina/store/doc"
)

var _ Asker = (*actors.Engine)(nil)

var update = flag.Bool("update", false, "rewrite the golden files")

// A script returns fixed answers, by oracles and query, in place of the engine. Every figure can
// therefore be computed by hand.
type script struct {
	lists     map[string]string // "oracles|query" → paths, best first
	relevance map[string]fusion.Relevance
	partial   string // oracles whose answers lack a channel
	asked     []api.Request
}

func (s *script) Scry(_ context.Context, r api.Request) (*api.Answer, error) {
	s.asked = append(s.asked, r)
	only := strings.Join(r.Oracles, ",")
	a := &api.Answer{
		Relevance: s.relevance[r.Text],
		Partial:   only != "" && only == s.partial,
		Indexes:   []api.IndexState{{Project: "p", Generation: doc.Generation{Number: 7, Head: "abc"}}},
	}
	if only == "" {
		a.Channels = []api.ChannelState{
			{Channel: "lexical", Status: api.OK},
			{Channel: "temporal", Status: api.Unavailable},
		}
	}
	for i, p := range strings.Fields(s.lists[only+"|"+r.Text]) {
		x := api.Result{Rank: i + 1}
		x.DocID, x.Path = p, p
		a.Results = append(a.Results, x)
	}
	return a, nil
}

var sample = []Question{
	{ID: "a", Query: "alpha", Kind: "code", Category: "symbol", Expect: []string{"a.go"}},
	{ID: "b", Query: "beta", Kind: "code", Category: "semantic", Expect: []string{"b.go", "c.go"}, Match: All},
	{ID: "c", Query: "gamma", Kind: "pattern", Category: "semantic", Expect: []string{"c.md"}, Match: Any},
	{ID: "n", Query: "noodles", Kind: "none", Category: "absurd", Expect: []string{}},
	{ID: "m", Query: "meringue", Kind: "none", Category: "absurd", Expect: []string{}},
}

func sampleScript() *script {
	return &script{
		lists: map[string]string{
			"|alpha":         "a.go x.go",
			"|beta":          "x.go b.go y.go c.go",
			"|gamma":         "x.go y.go",
			"|noodles":       "x.go",
			"lexical|alpha":  "x.go a.go",
			"lexical|beta":   "b.go c.go",
			"semantic|alpha": "a.go",
			"temporal|gamma": "c.md",

			"semantic,temporal,belief|gamma": "x.go c.md",
			"lexical,temporal,belief|alpha":  "a.go",
			"lexical,temporal,belief|beta":   "x.go c.go b.go",
			"lexical,semantic,belief|alpha":  "x.go a.go",
			"lexical,semantic,belief|beta":   "b.go c.go",
		},
		relevance: map[string]fusion.Relevance{
			"alpha": fusion.Relevant, "beta": fusion.Weak, "gamma": fusion.Irrelevant,
			"noodles": fusion.Irrelevant, "meringue": fusion.Weak,
		},
		partial: "temporal",
	}
}

var sampleTexts = texts{
	{DocID: "a.go", Path: "a.go", Kind: doc.Code, Text: "alpha"},
	{DocID: "b.go", Path: "b.go", Kind: doc.Code, Text: "beta gamma"},
	{DocID: "c.go", Path: "c.go", Kind: doc.Code, Text: "beta"},
}

func mustRun(t *testing.T, a Asker, o Options) *Report {
	t.Helper()
	r, err := Run(t.Context(), a, sample, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// By hand, with - for no rank: fused has the ranks 1, 4 (the worse of two), -; lexical alone 2, 2,
// -; semantic alone 1, -, -; temporal alone -, -, 1; belief alone and without belief -, -, -;
// without lexical -, -, 2; without semantic 1, 3, -; without temporal 2, 2, -; bm25 1, 2, -.
func TestRun(t *testing.T) {
	s := sampleScript()
	steps, total := 0, 0
	r := mustRun(t, s, Options{Baseline: sampleTexts, OnProgress: func(done, all int) { steps, total = steps+1, all }})
	means := map[string][2]float64{
		"fused":            {(1 + 0.25) / 3, 2.0 / 3},
		"only lexical":     {(0.5 + 0.5) / 3, 2.0 / 3},
		"only semantic":    {1.0 / 3, 1.0 / 3},
		"only temporal":    {1.0 / 3, 1.0 / 3},
		"only belief":      {0, 0},
		"without belief":   {0, 0},
		"without lexical":  {0.5 / 3, 1.0 / 3},
		"without semantic": {(1 + 1.0/3) / 3, 2.0 / 3},
		"without temporal": {(0.5 + 0.5) / 3, 2.0 / 3},
		"bm25":             {(1 + 0.5) / 3, 2.0 / 3},
	}
	for _, x := range r.Systems {
		want, ok := means[x.Name]
		if !ok {
			t.Errorf("system %s", x.Name)
		}
		if x.Overall.N != 3 || x.Overall.MRR.Mean != want[0] || x.Overall.Hit.Mean != want[1] {
			t.Errorf("%s: %+v, want n 3, MRR %v, hit %v", x.Name, x.Overall, want[0], want[1])
		}
		if lacking := x.Name == "only temporal"; lacking != (x.Partial == 3) {
			t.Errorf("%s: %d partial", x.Name, x.Partial)
		}
	}
	if len(r.Systems) != len(means) || r.Systems[0].Name != fused {
		t.Errorf("%d systems, the first is %s", len(r.Systems), r.Systems[0].Name)
	}
	f := r.Systems[0]
	if len(f.Kinds) != 2 || f.Kinds[0].Group != "code" || f.Kinds[0].N != 2 || f.Kinds[0].MRR.Mean != 1.25/2 ||
		f.Kinds[1].Hit.Mean != 0 {
		t.Errorf("by kind: %+v", f.Kinds)
	}
	if len(f.Categories) != 2 || f.Categories[1].Group != "semantic" || f.Categories[1].N != 2 ||
		f.Categories[1].MRR.Mean != 0.25/2 {
		t.Errorf("by category: %+v", f.Categories)
	}
	if r.Absurd != (Refusals{N: 2, Refused: 1, Weak: 1}) || r.Real != (Refusals{3, 1, 1, 1}) {
		t.Errorf("absurd %+v, real %+v", r.Absurd, r.Real)
	}
	if len(r.Indexes) != 1 || r.Indexes[0] != (Index{"p", 7, "abc"}) {
		t.Errorf("indexes %+v", r.Indexes)
	}
	if !slices.Equal(r.Unavailable, []string{"temporal"}) {
		t.Errorf("unavailable %v", r.Unavailable)
	}
	// fused gets 5 questions, each oracle alone and each left out 3, and the baseline 3.
	if steps != 32 || total != 32 || len(s.asked) != 29 {
		t.Errorf("%d steps of %d, %d questions to the engine", steps, total, len(s.asked))
	}
}

func TestRunPassesOptions(t *testing.T) {
	s := sampleScript()
	f := doc.Filter{Kinds: []doc.Kind{doc.Code}}
	mustRun(t, s, Options{Limit: 12, Filter: f})
	for _, r := range s.asked {
		if r.Limit != 12 || len(r.Filter.Kinds) != 1 || r.Timeout != patience {
			t.Fatalf("asked %+v", r)
		}
	}
}

func TestRunRefuses(t *testing.T) {
	for _, x := range []struct {
		qs   []Question
		o    Options
		want string
	}{
		{nil, Options{}, "no questions"},
		{sample, Options{Limit: 5}, "limit 5"},
		{sample, Options{Baseline: texts{}, Filter: doc.Filter{Paths: []string{"**"}}}, "filter by path or language"},
		{sample, Options{Baseline: broken{}}, "evaluate baseline: disk"},
	} {
		if _, err := Run(t.Context(), sampleScript(), x.qs, x.o); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%v, want %s", err, x.want)
		}
	}
	if _, err := Run(t.Context(), failing{}, sample, Options{}); !errors.Is(err, errDisk) ||
		!strings.Contains(err.Error(), `ask "a" of fused`) {
		t.Errorf("an engine that fails: %v", err)
	}
}

type failing struct{}

func (failing) Scry(context.Context, api.Request) (*api.Answer, error) { return nil, errDisk }

func TestReportIsDeterministicAndReadsBack(t *testing.T) {
	var first []byte
	path := filepath.Join(t.TempDir(), "report.json")
	for range 3 {
		b, err := json.Marshal(mustRun(t, sampleScript(), Options{Baseline: sampleTexts}))
		if err != nil {
			t.Fatal(err)
		}
		if first != nil && !bytes.Equal(first, b) {
			t.Fatalf("two runs differ:\n%s\n%s", first, b)
		}
		first = b
	}
	if err := os.WriteFile(path, first, 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := ReadReport(path)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := json.Marshal(r); !bytes.Equal(first, again) {
		t.Errorf("read back:\n%s\nwant\n%s", again, first)
	}
	for text, want := range map[string]string{
		`{"schema":"other/1"}`: `schema is "other/1"`,
		`[`:                    "line 1: the text ends in the middle",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadReport(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestText(t *testing.T) {
	old := mustRun(t, sampleScript(), Options{})
	better := sampleScript()
	better.lists["|gamma"] = "x.go c.md"
	r := mustRun(t, better, Options{Baseline: sampleTexts, Compare: old})
	var b strings.Builder
	if err := r.Text(&b); err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "report.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("got:\n%s\nwant:\n%s", b.String(), want)
	}
}

// A set with only absurd questions has no metrics to print.
func TestTextOfAbsurd(t *testing.T) {
	r, err := Run(t.Context(), sampleScript(), sample[3:], Options{Baseline: sampleTexts})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := r.Text(&b); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); strings.Contains(got, "MRR") || !strings.Contains(got, "1 (50%)") {
		t.Errorf("got:\n%s", got)
	}
	if _, err := json.Marshal(r); err != nil { // there is no NaN
		t.Error(err)
	}
}
