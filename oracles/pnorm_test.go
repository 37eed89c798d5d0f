package oracles

import (
	"math"
	"math/rand"
	"slices"
	"testing"
)

func TestPNormIsThatOfTheBestChunks(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 200 {
		scores := make([]float32, r.Intn(100)+1)
		for i := range scores {
			scores[i] = max(0, r.Float32()-0.2)
		}
		sorted := slices.Clone(scores)
		slices.Sort(sorted)
		for _, p := range []int{shortNorm, longNorm} {
			sum := 0.0
			for _, s := range sorted[max(0, len(sorted)-16):] {
				sum += math.Pow(float64(s), float64(p))
			}
			if got, want := joinPNorm(scores, p), math.Pow(sum, 1/float64(p)); math.Abs(got-want) > 1e-6 {
				t.Fatalf("%d scores: %v, want %v", len(scores), got, want)
			}
		}
	}
}

// A floor may only drop scores below it.
func TestFileScoreAboveAFloor(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for range 500 {
		scores := make([]float32, r.Intn(60)+1)
		for i := range scores {
			scores[i] = max(0, r.Float32()-0.4)
		}
		best := float64(slices.Max(scores))
		for _, p := range []int{shortNorm, longNorm} {
			want := fileScore(scores, best, p, 0)
			if most := mostScore(best, len(scores), p); most < want {
				t.Fatalf("%d scores: %v, at most %v", len(scores), want, most)
			}
			for _, floor := range []float64{want / 2, want, math.Nextafter(want, 0), best} {
				if got := fileScore(scores, best, p, min(floor, want)); got != want {
					t.Fatalf("%d scores with a floor of %v: %v, want %v", len(scores), floor, got, want)
				}
			}
			if got := fileScore(scores, best, p, 2*want+1); got >= 2*want+1 {
				t.Fatalf("%d scores: %v is not below the floor", len(scores), got)
			}
		}
	}
}
