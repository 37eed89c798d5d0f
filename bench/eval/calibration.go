package eval

import (
	"fmt"
	"io"
	"math"
)

// binCount is the number of equal parts of the range of scores, 0 to 1.
const binCount = 10

// A Calibration compares the scores of first results with the share that is right. If scores are
// calibrated, the two are equal.
type Calibration struct {
	N int `json:"n"`
	// Error is the expected calibration error: the mean distance between score and share, weighted
	// by the answers in each bin.
	Error float64 `json:"error"`
	// Rising counts the results, over all answers, with a score above that of the result before
	// them.
	Rising int   `json:"rising"`
	Bins   []Bin `json:"bins"` // ten, some empty
}

// A Bin has the answers whose first result scores from From up to a tenth more.
type Bin struct {
	From  float64 `json:"from"`
	N     int     `json:"n"`
	Score float64 `json:"score"` // their mean
	Right float64 `json:"right"` // share whose first result is right
}

// Calibrate sorts answers into bins. The first result for an absurd question is never right. An
// answer without results has no score and is left out.
func Calibrate(rows []Row) Calibration {
	c := Calibration{Bins: make([]Bin, binCount)}
	for _, r := range rows {
		if len(r.Top) == 0 {
			continue
		}
		b := &c.Bins[min(binCount-1, max(0, int(r.Score*binCount)))]
		c.N++
		c.Rising += r.Rising
		b.N++
		b.Score += r.Score
		if r.First {
			b.Right++
		}
	}
	for i := range c.Bins {
		b := &c.Bins[i]
		b.From = float64(i) / binCount
		if b.N == 0 {
			continue
		}
		c.Error += math.Abs(b.Score-b.Right) / float64(c.N)
		b.Score, b.Right = b.Score/float64(b.N), b.Right/float64(b.N)
	}
	return c
}

// Pool calibrates the answers of the fused system in several reports together.
func Pool(reports []*Report) Calibration {
	var rows []Row
	for _, r := range reports {
		for _, s := range r.Systems {
			if s.Name == fused {
				rows = append(rows, s.Rows...)
			}
		}
	}
	return Calibrate(rows)
}

// Text writes the bins that have answers as a table.
func (c Calibration) Text(w io.Writer) error {
	t := table(w, "score\tn\tmean\tright\n")
	for _, b := range c.Bins {
		if b.N > 0 {
			fmt.Fprintf(t, "%.1f to %.1f\t%d\t%.3f\t%.3f\n", b.From, b.From+1.0/binCount, b.N, b.Score, b.Right)
		}
	}
	fmt.Fprintf(t, "all\t%d\terror\t%.3f\n", c.N, c.Error)
	fmt.Fprintf(t, "rising\t%d\n", c.Rising)
	return t.Flush()
}
