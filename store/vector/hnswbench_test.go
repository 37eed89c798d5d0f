package vector

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// An index over ROWS rows (100,000 by default) is built, then takes over from the scan while
// questions go on; it is also opened and searched. 600,000 rows take some four minutes of processor
// time and 1.5 GB while the synthetic vectors are floats.
func BenchmarkIndex(b *testing.B) {
	n := 100_000
	if s := os.Getenv("ROWS"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			b.Fatal(err)
		}
	}
	vectors, asked := topics(7, n, 200, 256)
	rows, questions := quantised(vectors), quantised(asked)
	vectors = nil
	f := open(b, create(b, Header{Dimension: 256}, rows))
	path := filepath.Join(b.TempDir(), "index.hnsw")
	b.Run("build", func(b *testing.B) {
		for b.Loop() {
			buildWhileAsked(b, f, path, questions)
		}
		if info, err := os.Stat(path); err == nil {
			b.ReportMetric(float64(info.Size())/float64(n), "bytes/row")
		}
	})
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			x, err := OpenIndex(path, f)
			if err != nil {
				b.Fatal(err)
			}
			_ = x.Close()
		}
	})
	x := openIndex(b, path, f)
	dots := make([]int32, n)
	searches := []struct {
		name   string
		k      int
		search func(q []int8, k int) ([]int64, error)
	}{
		{"scan", 10, func(q []int8, k int) ([]int64, error) { return bestByScan(dots, rows, q, k), nil }},
	}
	for _, k := range []int{10, 100, 400, 1600} { // 400: the store's
		searches = append(searches, struct {
			name   string
			k      int
			search func(q []int8, k int) ([]int64, error)
		}{fmt.Sprintf("search/k=%d", k), k, func(q []int8, k int) ([]int64, error) {
			found, _, err := x.Search(q, k)
			return found, err
		}})
	}
	for _, c := range searches {
		b.Run(c.name, func(b *testing.B) {
			var took []float64
			ten, all, cpu := 0.0, 0.0, 0.0
			for i := range asked {
				q := questions[i*256 : (i+1)*256]
				began, used := time.Now(), processorSeconds()
				found, err := c.search(q, c.k)
				took, cpu = append(took, millis(time.Since(began))), cpu+processorSeconds()-used
				if err != nil {
					b.Fatal(err)
				}
				want := bestByScan(dots, rows, q, c.k)
				ten += recall(want[:10], found[:10]) / float64(len(asked))
				all += recall(want, found) / float64(len(asked))
			}
			b.ReportMetric(ten, "recall@10")
			b.ReportMetric(all, "recall")
			b.ReportMetric(percentile(took, 0.5), "p50-ms")
			b.ReportMetric(percentile(took, 0.99), "p99-ms")
			b.ReportMetric(cpu/float64(len(asked))*1000, "cpu-ms")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// The phases of a switch. Rows are scanned until the index is open.
const (
	before = iota
	during
	after
	phases
)

const (
	askers    = 2
	pause     = 200 * time.Millisecond // between questions, which must not slow the build
	unbuilt   = 2 * time.Second        // duration of asking before the build, and after the switch
	wantedTen = 10
)

// buildWhileAsked builds an index while other goroutines ask questions. They scan until it is open,
// then search it. No question may fail. Their times and recall are reported before, during and
// after the build.
func buildWhileAsked(b *testing.B, f *File, path string, questions []int8) {
	b.Helper()
	rows := held(b, f)
	var index atomic.Pointer[Index]
	var phase atomic.Int32
	var mu sync.Mutex
	var took, found [phases][]float64
	var all sync.WaitGroup
	end := make(chan struct{})
	for a := range askers {
		all.Go(func() {
			dots, truth := make([]int32, f.Rows()), make([]int32, f.Rows())
			for i := a; ; i += askers {
				at := i * 256 % len(questions)
				q, p, began := questions[at:at+256], phase.Load(), time.Now()
				got, err := ask(index.Load(), dots, rows, q)
				spent := millis(time.Since(began))
				if err != nil || len(got) != wantedTen {
					b.Errorf("question %d: %d rows, %v", i, len(got), err)
				}
				right := recall(bestByScan(truth, rows, q, wantedTen), got)
				mu.Lock()
				took[p], found[p] = append(took[p], spent), append(found[p], right)
				mu.Unlock()
				select {
				case <-end:
					return
				case <-time.After(pause):
				}
			}
		})
	}
	time.Sleep(unbuilt)
	debug.FreeOSMemory()
	phase.Store(during)
	memory, most := residentMemory(), 0.0
	began, cpu := time.Now(), processorSeconds()
	if err := BuildIndex(context.Background(), f, f.Rows(), path, func(int64) {
		most = max(most, residentMemory())
	}); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(time.Since(began).Seconds(), "build-s")
	b.ReportMetric(processorSeconds()-cpu, "build-and-questions-cpu-s")
	b.ReportMetric(most-memory, "build-MB")
	index.Store(openIndex(b, path, f))
	phase.Store(after)
	time.Sleep(unbuilt)
	close(end)
	all.Wait()
	for p, name := range []string{"before", "during", "after"} {
		b.ReportMetric(percentile(took[p], 0.5), name+"-p50-ms")
		b.ReportMetric(percentile(took[p], 1), name+"-max-ms")
		sum := 0.0
		for _, r := range found[p] {
			sum += r
		}
		b.ReportMetric(sum/float64(len(found[p])), name+"-recall@10")
		b.ReportMetric(float64(len(took[p])), name+"-questions")
	}
}

// ask finds the ten nearest rows by the index. If x is nil, it scans.
func ask(x *Index, dots []int32, rows, q []int8) ([]int64, error) {
	if x == nil {
		return bestByScan(dots, rows, q, wantedTen), nil
	}
	found, _, err := x.Search(q, wantedTen)
	return found, err
}

// bestByScan returns the k best rows by the exact scan. dots must have room for the product of each
// row.
func bestByScan(dots []int32, rows, q []int8, k int) []int64 {
	Dots(dots, rows, q)
	return best(len(dots), k, func(i int) float64 { return float64(dots[i]) })
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// percentile returns the smallest value that is not exceeded by a share p of all values.
func percentile(values []float64, p float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[max(1, int(math.Ceil(p*float64(len(sorted)))))-1]
}

// processorSeconds returns the processor time of this process, user and system.
func processorSeconds() float64 {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano()).Seconds()
}

// residentMemory returns the memory of this process without mapped files, in MB. It returns 0 if
// the system does not report it.
func residentMemory() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, anonymous, _ := strings.Cut(string(status), "RssAnon:")
	var kilobytes float64
	if _, err := fmt.Sscan(anonymous, &kilobytes); err != nil {
		return 0
	}
	return kilobytes / 1000
}
