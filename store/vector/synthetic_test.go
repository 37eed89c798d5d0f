package vector

import (
	"math"
	"math/rand/v2"
	"sync"
)

// topics returns n unit vectors that are distributed like a repository's chunks. They belong to
// topics whose sizes fall as 1/rank, each with its own spread, and a few are exact copies. asked
// are questions: each is near a topic, but equal to no row.
func topics(seed uint64, n, questions, dimension int) (rows, asked [][]float32) {
	r := rand.New(rand.NewPCG(seed, 9))
	centres := make([][]float32, max(n/200, 8))
	for i := range centres {
		centres[i] = unit(gauss(r, dimension))
	}
	zipf := rand.NewZipf(r, 1.1, 4, uint64(len(centres)-1))
	near := func() []float32 {
		v := gauss(r, dimension)
		spread := float32(0.6 + 0.9*r.Float64())
		for j, c := range centres[zipf.Uint64()] {
			v[j] = c + spread*v[j]
		}
		return unit(v)
	}
	rows = make([][]float32, n)
	for i := range rows {
		if i > 0 && r.IntN(50) == 0 {
			rows[i] = rows[r.IntN(i)]
			continue
		}
		rows[i] = near()
	}
	for range questions {
		asked = append(asked, near())
	}
	return rows, asked
}

// gauss returns a vector of length about 1.
func gauss(r *rand.Rand, dimension int) []float32 {
	v := make([]float32, dimension)
	for i := range v {
		v[i] = float32(r.NormFloat64() / math.Sqrt(float64(dimension)))
	}
	return v
}

func unit(v []float32) []float32 {
	length := math.Sqrt(product(v, v))
	for i := range v {
		v[i] = float32(float64(v[i]) / length)
	}
	return v
}

func product(a, b []float32) float64 {
	var sum float64
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func quantised(vectors [][]float32) []int8 {
	dimension := len(vectors[0])
	rows := make([]int8, len(vectors)*dimension)
	for i, v := range vectors {
		Quantise(rows[i*dimension:(i+1)*dimension], v)
	}
	return rows
}

// best returns the k rows with the greatest score, ties in their order. Every search is compared
// with it.
func best(n, k int, score func(i int) float64) []int64 {
	top := make([]int64, 0, k+1)
	scores := make([]float64, 0, k+1)
	for i := range n {
		s := score(i)
		at := len(top)
		for at > 0 && scores[at-1] < s {
			at--
		}
		if at == k {
			continue
		}
		top, scores = insert(top, at, int64(i), k), insert(scores, at, s, k)
	}
	return top
}

func insert[T any](list []T, at int, v T, k int) []T {
	list = append(list, v)
	copy(list[at+1:], list[at:])
	list[at] = v
	return list[:min(len(list), k)]
}

// bestByDots returns the k best rows by the exact scan.
func bestByDots(rows, q []int8, k int) []int64 {
	dst := make([]int32, len(rows)/len(q))
	Dots(dst, rows, q)
	return best(len(dst), k, func(i int) float64 { return float64(dst[i]) })
}

// recall returns the share of want that got contains.
func recall(want, got []int64) float64 {
	in := map[int64]bool{}
	for _, i := range got {
		in[i] = true
	}
	found := 0
	for _, i := range want {
		if in[i] {
			found++
		}
	}
	return float64(found) / float64(len(want))
}

// mean returns the mean of f over all questions. It runs them on all processors.
func mean(questions int, f func(i int) float64) float64 {
	var wg sync.WaitGroup
	var mu sync.Mutex
	sum := 0.0
	for i := range questions {
		wg.Go(func() {
			v := f(i)
			mu.Lock()
			sum += v
			mu.Unlock()
		})
	}
	wg.Wait()
	return sum / float64(questions)
}
