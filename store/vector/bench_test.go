package vector

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// mapped writes n random rows to a file and returns the file as a reader sees it: mapped, and in
// the page cache.
func mapped(b *testing.B, n int) *File {
	r := rand.New(rand.NewPCG(1, 1))
	rows := make([]int8, n*256)
	for i := 0; i < len(rows); i += 8 {
		v := r.Uint64()
		for j := range 8 {
			rows[i+j] = int8(v >> (8 * j))
		}
	}
	return open(b, create(b, Header{Dimension: 256}, rows))
}

// The exact scan, on one and two processors, compared with USearch's own and with plain Go.
func BenchmarkScan(b *testing.B) {
	f := mapped(b, 1_000_000)
	all := held(b, f)
	q := all[:256]
	for _, n := range []int{1000, 10_000, 100_000, 250_000, 1_000_000} {
		rows, dst := all[:n*256], make([]int32, n)
		for _, c := range []struct {
			name string
			scan func()
		}{
			{"one", func() { dotProducts(dst, rows, q) }},
			{"two", func() { dotsParallel(dst, rows, q, 2) }},
			{"usearch", func() { _, _, _ = exactSearch(rows, q, 10) }},
			{"go", func() { slowDots(dst, rows, q) }},
		} {
			b.Run(fmt.Sprintf("rows=%d/%s", n, c.name), func(b *testing.B) {
				b.SetBytes(int64(len(rows)))
				for b.Loop() {
					c.scan()
				}
			})
		}
	}
}

// The nearest rows by signs, among as many rows as an index of Go's standard library has.
func BenchmarkNear(b *testing.B) {
	const n = 128_000
	rows := held(b, mapped(b, n))
	signs, found := SignsOf(rows, 256), new(Found)
	i := 0
	for b.Loop() {
		i = (i + 997) % n
		signs.Near(found, rows, rows[i*256:(i+1)*256])
	}
}

// A file is opened after every update, with a table as large as the built-in model's.
func BenchmarkOpen(b *testing.B) {
	path := create(b, Header{Model: "m", Dimension: 256, Table: make([]byte, 4<<20)}, make([]int8, 256))
	for b.Loop() {
		f, err := Open(path)
		if err != nil {
			b.Fatal(err)
		}
		_ = f.Close()
	}
}

// The cost for a process that opens the file and asks once. Pages are in the cache, but not yet
// mapped.
func BenchmarkFirstScan(b *testing.B) {
	path := mapped(b, 250_000).file.Name()
	for _, n := range []int64{100_000, 250_000} {
		b.Run(fmt.Sprintf("rows=%d", n), func(b *testing.B) {
			dst := make([]int32, n)
			for b.Loop() {
				f, err := Open(path)
				if err != nil {
					b.Fatal(err)
				}
				if err := f.Hold(n); err != nil {
					b.Fatal(err)
				}
				Dots(dst, f.Slice(0, n), f.Slice(0, 1))
				f.Release()
				_ = f.Close()
			}
		})
		b.Run(fmt.Sprintf("rows=%d/sum", n), func(b *testing.B) {
			dst := make([]int32, n)
			for b.Loop() {
				f, err := Open(path)
				if err != nil {
					b.Fatal(err)
				}
				if err := f.Hold(n); err != nil {
					b.Fatal(err)
				}
				if _, err := f.DotsSum(dst, 0, f.Slice(0, 1)); err != nil {
					b.Fatal(err)
				}
				f.Release()
				_ = f.Close()
			}
		})
	}
}

// The share of the ten best rows by float that are found by bytes: among the ten best by scan,
// among the ten best of the first hundred rescored with the question in float, and among the first
// hundred.
func BenchmarkRecallOfBytes(b *testing.B) {
	const k, rescored = 10, 100
	vectors, asked := topics(7, 100_000, 100, 256)
	rows, questions := quantised(vectors), quantised(asked)
	for b.Loop() {
		var scanned, again, among float64
		for i, v := range asked {
			want := best(len(vectors), k, func(j int) float64 { return product(vectors[j], v) })
			got := bestByDots(rows, questions[i*256:(i+1)*256], rescored)
			slices.Sort(got)
			among += recall(want, got)
			again += recall(want, bestOf(got, k, func(j int64) float64 {
				return mixedProduct(rows[j*256:(j+1)*256], v)
			}))
			scanned += recall(want, bestByDots(rows, questions[i*256:(i+1)*256], k))
		}
		n := float64(len(asked))
		b.ReportMetric(scanned/n, "recall@10")
		b.ReportMetric(again/n, "rescored@10")
		b.ReportMetric(among/n, "among100")
	}
}

// bestOf returns the k of the given rows with the greatest score.
func bestOf(rows []int64, k int, score func(row int64) float64) []int64 {
	top := best(len(rows), k, func(i int) float64 { return score(rows[i]) })
	for i, at := range top {
		top[i] = rows[at]
	}
	return top
}

func mixedProduct(row []int8, v []float32) float64 {
	var sum float64
	for i, b := range row {
		sum += float64(b) * float64(v[i])
	}
	return sum
}
