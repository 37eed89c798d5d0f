package eval

import (
	"math"
	"strings"
	"testing"

	"patina/actors/api"
	"patina/fusion"
	"patina/store/doc"
)

// By hand: two answers, one of eleven results of which ten count, and one of a single belief.
func TestDistribution(t *testing.T) {
	result := func(kind doc.Kind, score float64, channels ...fusion.Contribution) api.Result {
		r := api.Result{Description: doc.Description{Kind: kind}}
		r.Score, r.Contributions = score, channels
		return r
	}
	var many []api.Result
	for i := range 11 {
		many = append(many, result(doc.Code, 1-float64(i)/10, fusion.Contribution{Channel: "lexical", Rank: i + 1, Normalised: 0.5}))
	}
	var s Scores
	if d := s.Distribution(); d.Answers != 0 || d.First.N != 0 || d.Kinds == nil {
		t.Errorf("without answers: %+v", d)
	}
	s.Add(nil)
	s.Add(many)
	s.Add([]api.Result{result(doc.Belief, 0.4,
		fusion.Contribution{Channel: "belief", Rank: 1, Normalised: 1}, fusion.Contribution{Channel: "stem", Normalised: 1})})
	d := s.Distribution()
	near := func(name string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %g, want %g", name, got, want)
		}
	}
	near("mean of first results", d.First.Mean, 0.7)
	near("median of first results", d.First.Median, 0.7)
	near("a tenth of first results", d.First.Tenth, 0.46)
	near("variance", d.Variance.Top, 0.0825*0.9)
	if d.Answers != 2 || len(d.Kinds) != 2 || d.Kinds[0].Name != "code" || d.Kinds[0].N != 10 || len(d.Channels) != 2 {
		t.Fatalf("%+v", d)
	}
	near("code", d.Kinds[0].Median, 0.55)
	near("code", d.Kinds[0].Upper, 0.775)
	near("lexical", d.Channels[0].Top, 0.5)
	var b strings.Builder
	if err := d.Text(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"kind code", "kind belief", "channel lexical", "variance in an answer", "0.775"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("lacks %q:\n%s", want, b.String())
		}
	}
}
