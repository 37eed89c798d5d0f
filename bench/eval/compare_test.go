package eval

import (
	"testing"

	"patina/store/doc"
)

func question(id, query string, expect ...string) Question {
	return Question{ID: id, Query: query, Expect: expect}
}

// Ranks of the shared a, b, c, d change 1→2, 2→1, absent→4, 3→3. RR differs by -½, +½, +¼ and 0.
func TestCompare(t *testing.T) {
	old := &Report{
		Questions: []Question{
			question("a", "a", "x"), question("b", "b", "x"), question("c", "c", "x"), question("d", "d", "x"),
			question("e", "old wording", "x"), question("f", "f", "x"), question("gone", "gone", "x"),
			question("no", "eggs"),
		},
		Systems: []System{
			{Name: fused, Rows: []Row{
				{ID: "a", Rank: 1, NDCG: 1},
				{ID: "b", Rank: 2, NDCG: 0.5},
				{ID: "c"},
				{ID: "d", Rank: 3, NDCG: 0.5},
				{ID: "e", Rank: 9},
				{ID: "f", Rank: 9},
				{ID: "gone", Rank: 9},
				{ID: "no"},
			}},
			{Name: "only gone"},
		},
	}
	now := &Report{
		Questions: []Question{
			question("d", "d", "x"), question("c", "c", "x"), question("b", "b", "x"), question("a", "a", "x"),
			question("e", "new wording", "x"), question("f", "f", "x", "y"), question("new", "new", "x"),
			question("no", "eggs"),
		},
		Systems: []System{
			{Name: fused, Rows: []Row{
				{ID: "d", Rank: 3, NDCG: 0.5},
				{ID: "c", Rank: 4, NDCG: 0.25},
				{ID: "b", Rank: 1, NDCG: 1},
				{ID: "a", Rank: 2, NDCG: 0.5},
				{ID: "e", Rank: 1},
				{ID: "f", Rank: 1},
				{ID: "new", Rank: 1},
				{ID: "no"},
			}},
			{Name: "only new"},
		},
	}
	c := compare(old, now)
	if c.Shared != 4 || c.Changed != 2 || c.Added != 1 || c.Removed != 1 || len(c.Systems) != 1 {
		t.Fatalf("%+v", c)
	}
	p := c.Systems[0]
	if p.Name != fused || p.N != 4 {
		t.Errorf("paired %s, n %d", p.Name, p.N)
	}
	if p.MRR.Mean != 0.25/4 || p.MRR.Better != 2 || p.MRR.Worse != 1 || p.MRR.Equal != 1 {
		t.Errorf("MRR %+v", p.MRR)
	}
	if p.Hit.Mean != 0.25 || p.Hit.Better != 1 || p.Hit.Worse != 0 || p.Hit.Equal != 3 {
		t.Errorf("hit %+v", p.Hit)
	}
	if p.NDCG.Mean != 0.25/4 || p.NDCG.Better != 2 || p.NDCG.Worse != 1 {
		t.Errorf("NDCG %+v", p.NDCG)
	}
	if p.MRR.Low >= 0 || p.MRR.High <= 0 {
		t.Errorf("four questions that go both ways prove nothing: %+v", p.MRR)
	}
}

// A change that moves every question alike has an interval of width 0, however different the
// questions are. This is why they are paired.
func TestCompareIsPaired(t *testing.T) {
	d := difference([]float64{0, 0.5, 0.25, 0.75}, []float64{0.25, 0.75, 0.5, 1})
	if d.Estimate != (Estimate{0.25, 0.25, 0.25}) || d.Better != 4 {
		t.Errorf("%+v", d)
	}
}

func TestCompareUnlike(t *testing.T) {
	plain, code := &Report{Asked: Asked{Limit: 30}}, &Report{Asked: Asked{Limit: 30, Kinds: []doc.Kind{doc.Code}}}
	if compare(plain, plain).Unlike || !compare(plain, code).Unlike {
		t.Error("a report with a filter must be told from one without")
	}
}

func TestCompareWithItself(t *testing.T) {
	r := mustRun(t, sampleScript(), Options{Baseline: sampleTexts})
	for _, p := range compare(r, r).Systems {
		if p.N != 3 || p.MRR.Equal != 3 || p.Hit.Estimate != (Estimate{}) || p.NDCG.Estimate != (Estimate{}) {
			t.Errorf("%+v", p)
		}
	}
}
