package self

import (
	"math"
	"slices"
)

// places is the number of places of a ranking that are scored.
const places = 10

// A Row is one pipeline's result on one question.
type Row struct {
	ID     string   `json:"id"`
	P5     float64  `json:"p5"`  // share of right documents in the first five places
	P10    float64  `json:"p10"` // in the first ten
	RR     float64  `json:"rr"`  // 1 / place of the first right one; 0 after ten places
	NDCG   float64  `json:"ndcg"`
	Recall float64  `json:"recall"` // share of the expected units in the first ten
	List   float64  `json:"list"`   // 1 / place of the first right one among results of all kinds
	Top    []string `json:"top"`    // the first three
}

// metrics returns a row's figures, in the order of a Score.
func (r Row) metrics() [6]float64 {
	return [6]float64{r.P5, r.P10, r.RR, r.NDCG, r.Recall, r.List}
}

// A placed is the unit in one place of a ranking.
type placed struct {
	unit   string
	wanted bool // whether its kind is one that the truth wants
}

// mixed scores a ranking of all kinds. The places count among the wanted kinds only, like those of
// a uniform draw. List has the place among all kinds.
func mixed(c Case, ranking []placed) Row {
	var all, wanted []string
	for _, p := range ranking {
		all = append(all, p.unit)
		if p.wanted {
			wanted = append(wanted, p.unit)
		}
	}
	r := judge(c, wanted)
	r.List = judge(c, all).RR
	return r
}

// judge compares a ranking of units with the units that a case expects. A unit counts at its first
// place. If the ranking is short, the empty places are wrong.
func judge(c Case, ranking []string) Row {
	seen := map[string]bool{}
	for _, x := range c.Exclude {
		seen[x] = true
	}
	var units []string
	for _, u := range ranking {
		if !seen[u] && len(units) < places {
			units = append(units, u)
		}
		seen[u] = true
	}
	r := Row{ID: c.ID, Top: append([]string{}, units[:min(3, len(units))]...)}
	found, gain, ideal := 0, 0.0, 0.0
	for i, u := range units {
		if !slices.Contains(c.Expect, u) {
			continue
		}
		if found == 0 {
			r.RR = 1 / float64(i+1)
		}
		found++
		gain += discount(i)
		if i < 5 {
			r.P5 += 1.0 / 5
		}
	}
	for i := range min(places, len(c.Expect)) {
		ideal += discount(i)
	}
	r.P10 = float64(found) / places
	if len(c.Expect) > 0 {
		r.NDCG, r.Recall = gain/ideal, float64(found)/float64(len(c.Expect))
	}
	r.List = r.RR
	return r
}

// discount returns the weight of a place. Places begin at 0.
func discount(i int) float64 { return 1 / math.Log2(float64(i)+2) }

// attainable returns the row of a ranking that begins with everything expected.
func attainable(c Case) Row { return judge(c, c.Expect) }
