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
			if got, want := pnorm(scores, p, 0), math.Pow(sum, 1/float64(p)); math.Abs(got-want) > 1e-6 {
				t.Fatalf("%d scores: %v, want %v", len(scores), got, want)
			}
			if got := pnorm(scores, p, 1e9); got < pnorm(scores, p, 0)-1e-9 {
				t.Fatalf("below the floor a score may be too high, not too low: %v", got)
			}
		}
	}
}
