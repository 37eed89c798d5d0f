package eval

import (
	"math"
	"strings"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func scored(score float64, first bool) Row {
	return Row{Score: score, First: first, Top: []string{"a"}}
}

func TestCalibrate(t *testing.T) {
	c := Calibrate([]Row{
		// mean 0.76, right 0.75
		scored(0.72, true), scored(0.78, true), scored(0.75, false), scored(0.79, true),
		scored(0.1, false), // the edge of the second bin
		scored(1, true),
		{}, // no results: no score
	})
	if c.N != 6 || len(c.Bins) != 10 {
		t.Fatalf("%+v", c)
	}
	for i, want := range map[int]Bin{7: {0.7, 4, 0.76, 0.75}, 1: {0.1, 1, 0.1, 0}, 9: {0.9, 1, 1, 1}, 0: {}} {
		if got := c.Bins[i]; got.N != want.N || !near(got.From, want.From) || !near(got.Score, want.Score) ||
			!near(got.Right, want.Right) {
			t.Errorf("bin %d: %+v, want %+v", i, got, want)
		}
	}
	if want := (4*0.01 + 0.1 + 0) / 6; !near(c.Error, want) {
		t.Errorf("error %v, want %v", c.Error, want)
	}
	var out strings.Builder
	if err := c.Text(&out); err != nil || !strings.Contains(out.String(), "0.7 to 0.8") ||
		strings.Contains(out.String(), "0.0 to") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// Scores that are drawn as chances have a small error. Reversed, they have a large one.
func TestCalibrationTellsGoodFromBad(t *testing.T) {
	var good, bad []Row
	for i := range 1000 {
		s := float64(i) / 1000
		right := float64(i*7919%1000)/1000 < s
		good, bad = append(good, scored(s, right)), append(bad, scored(1-s, right))
	}
	if e := Calibrate(good).Error; e > 0.05 {
		t.Errorf("error %v of scores that are chances", e)
	}
	if e := Calibrate(bad).Error; e < 0.3 {
		t.Errorf("error %v of scores turned round", e)
	}
}

func TestPoolTakesTheFusedSystem(t *testing.T) {
	r := &Report{Systems: []System{
		{Name: fused, Rows: []Row{scored(0.5, true)}},
		{Name: "bm25", Rows: []Row{scored(0.5, false)}},
	}}
	if c := Pool([]*Report{r, r}); c.N != 2 || c.Bins[5].Right != 1 {
		t.Errorf("%+v", c)
	}
}
