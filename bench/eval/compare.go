package eval

import (
	"fmt"
	"slices"
)

// A Comparison has the changes since an earlier report, question by question. Questions are paired
// because two means over different questions say little, while the mean difference on the same
// questions shows the effect.
type Comparison struct {
	Shared  int      `json:"shared"`  // in both reports, equal, with an answer
	Changed int      `json:"changed"` // same id, but another query, expect or match: left out
	Added   int      `json:"added"`   // in the new report only
	Removed int      `json:"removed"` // in the old report only
	Unlike  bool     `json:"unlike"`  // the old report used another filter or limit
	Systems []Paired `json:"systems"` // in both reports
}

// Paired is the change of one system.
type Paired struct {
	Name string     `json:"name"`
	N    int        `json:"n"`
	MRR  Difference `json:"mrr"`
	Hit  Difference `json:"hit"`
	NDCG Difference `json:"ndcg"`
}

// A Difference is the mean of new minus old, with the number of questions that gained, lost and
// stayed.
type Difference struct {
	Estimate
	Better int `json:"better"`
	Worse  int `json:"worse"`
	Equal  int `json:"equal"`
}

// signed formats a difference for tables.
func (d Difference) signed() string {
	return fmt.Sprintf("%s +%d -%d", d.Estimate.Signed(), d.Better, d.Worse)
}

// compare compares two reports by the ids of their questions.
func compare(old, now *Report) *Comparison {
	c := &Comparison{Systems: []Paired{}, Unlike: !old.Asked.equal(now.Asked)}
	same := c.pair(old.Questions, now.Questions)
	for _, s := range now.Systems {
		i := slices.IndexFunc(old.Systems, func(x System) bool { return x.Name == s.Name })
		if i >= 0 {
			c.Systems = append(c.Systems, pairSystem(old.Systems[i].Rows, s, same))
		}
	}
	return c
}

// pair counts shared, changed, added and removed questions, except absurd ones. It returns the ids
// of the shared ones.
func (c *Comparison) pair(old, now []Question) map[string]bool {
	before := map[string]Question{}
	for _, q := range realOnes(old) {
		before[q.ID] = q
	}
	same := map[string]bool{}
	for _, q := range realOnes(now) {
		was, ok := before[q.ID]
		delete(before, q.ID)
		switch {
		case !ok:
			c.Added++
		case was.asks(q):
			c.Shared++
			same[q.ID] = true
		default:
			c.Changed++
		}
	}
	c.Removed = len(before)
	return same
}

// asks reports whether two questions have the same query, expected answers and match.
func (q Question) asks(x Question) bool {
	return q.Query == x.Query && slices.Equal(q.Expect, x.Expect) && (q.Match == All) == (x.Match == All)
}

func pairSystem(old []Row, now System, same map[string]bool) Paired {
	before := map[string]Row{}
	for _, r := range old {
		before[r.ID] = r
	}
	var was, is []Row
	for _, r := range now.Rows {
		if o, ok := before[r.ID]; ok && same[r.ID] {
			was, is = append(was, o), append(is, r)
		}
	}
	return pairRows(now.Name, was, is)
}

// pairRows compares rows, which must be for the same questions in the same order.
func pairRows(name string, was, is []Row) Paired {
	return Paired{
		Name: name,
		N:    len(is),
		MRR:  difference(values(was, Row.RR), values(is, Row.RR)),
		Hit:  difference(values(was, Row.Hit), values(is, Row.Hit)),
		NDCG: difference(values(was, gain), values(is, gain)),
	}
}

func difference(was, is []float64) Difference {
	var d Difference
	xs := make([]float64, len(is))
	for i := range is {
		xs[i] = is[i] - was[i]
		switch {
		case xs[i] > 0:
			d.Better++
		case xs[i] < 0:
			d.Worse++
		default:
			d.Equal++
		}
	}
	d.Estimate = EstimateOf(xs)
	return d
}
