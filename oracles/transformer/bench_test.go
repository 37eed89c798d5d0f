package transformer_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"patina/oracles/transformer"
	"patina/oracles/transformer/graphtest"
	"patina/store/doc"
)

// miniLM is the shape of MiniLM-L12 and of bge-small: 33 million weights.
var miniLM = graphtest.Config{Layers: 12, Hidden: 384, Heads: 12, Inner: 1536, Vocabulary: 30522, Positions: 512, Seed: 1}

// miniLMIn holds the folders of miniLM that this process has written. MINILM names a folder in
// which they stay for the next one.
var miniLMIn sync.Map

func writeMiniLM(b *testing.B, form graphtest.Form) string {
	base := os.Getenv("MINILM")
	if base == "" {
		b.Skip("MINILM names no folder for graphs of 133 MB")
	}
	dir := filepath.Join(base, string(form))
	if _, done := miniLMIn.LoadOrStore(dir, true); done {
		return dir
	}
	if _, err := os.Stat(filepath.Join(dir, "vocab.txt")); err == nil {
		return dir
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		b.Fatal(err)
	}
	c := miniLM
	c.Form = form
	graphtest.WriteModel(b, dir, c, words...)
	return dir
}

// rss returns a number of /proc/self/status in MB, such as VmRSS or VmHWM, or 0 where there is
// none.
func rss(name string) float64 {
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			kB, _ := strconv.Atoi(strings.Fields(rest)[0])
			return float64(kB) / 1000
		}
	}
	return 0
}

// processor returns the processor time of this process in milliseconds. Unlike the time of the
// clock it counts no waiting for others.
func processor(b *testing.B) float64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return float64(used.Utime.Nano()+used.Stime.Nano()) / 1e6
}

// BenchmarkQuestion is a question of 10 to 16 tokens, on one thread.
func BenchmarkQuestion(b *testing.B) {
	for _, form := range []graphtest.Form{graphtest.Float32, graphtest.Int8} {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/threads=%d", form, threads), func(b *testing.B) {
				m := open(b, transformer.Options{Dir: writeMiniLM(b, form), Threads: threads})
				r := rand.New(rand.NewPCG(1, 1))
				var questions []string
				for n := range 7 {
					question, _ := text(r, 8+n)
					questions = append(questions, question)
				}
				b.ResetTimer()
				before := processor(b)
				for i := range b.N {
					embedOne(b, m, questions[i%len(questions)])
				}
				b.ReportMetric((processor(b)-before)/float64(b.N), "cpu-ms/op")
			})
		}
	}
}

// BenchmarkPassages gives texts a second, by their number of tokens, and the memory of the process.
func BenchmarkPassages(b *testing.B) {
	for _, form := range []graphtest.Form{graphtest.Float32, graphtest.Int8} {
		for _, tokens := range []int{32, 128, 256} {
			for _, way := range []struct{ slots, threads int }{{1, 1}, {1, 2}, {2, 1}} {
				b.Run(fmt.Sprintf("%s/tokens=%d/slots=%d/threads=%d", form, tokens, way.slots, way.threads), func(b *testing.B) {
					m := open(b, transformer.Options{Dir: writeMiniLM(b, form), Slots: way.slots, Threads: way.threads})
					passages := make([]doc.Passage, 4096/tokens)
					r := rand.New(rand.NewPCG(1, 1))
					for i := range passages {
						passages[i].Body, _ = text(r, tokens-2)
					}
					dst := make([]int8, len(passages)*m.Dimension())
					b.ResetTimer()
					before := processor(b)
					for range b.N {
						if err := m.EmbedPassages(b.Context(), dst, passages); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.N*len(passages))/b.Elapsed().Seconds(), "texts/s")
					b.ReportMetric((processor(b)-before)/float64(b.N*len(passages)), "cpu-ms/text")
					b.ReportMetric(rss("VmRSS"), "MB")
				})
			}
		}
	}
}

// BenchmarkOpen is the time until a model may be asked.
func BenchmarkOpen(b *testing.B) {
	for _, form := range []graphtest.Form{graphtest.Float32, graphtest.Int8} {
		b.Run(string(form), func(b *testing.B) {
			o := transformer.Options{Dir: writeMiniLM(b, form), Runtime: graphtest.Library(b)}
			for range b.N {
				m, err := transformer.Open(o)
				if err != nil {
					b.Fatal(err)
				}
				if err := m.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkMemory gives the memory of the process in MB: before the model, with it, at most during
// 64 passages of 256 tokens, and after Close. Each form needs a process of its own.
func BenchmarkMemory(b *testing.B) {
	for _, form := range []graphtest.Form{graphtest.Float32, graphtest.Int8} {
		b.Run(string(form), func(b *testing.B) {
			dir := writeMiniLM(b, form)
			runtime.GC()
			debug.FreeOSMemory()
			b.ReportMetric(rss("VmRSS"), "MB-before")
			m, err := transformer.Open(transformer.Options{Dir: dir, Runtime: graphtest.Library(b), Slots: 1, Threads: 1})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(rss("VmRSS"), "MB-open")
			passages := make([]doc.Passage, 64)
			r := rand.New(rand.NewPCG(1, 1))
			for i := range passages {
				passages[i].Body, _ = text(r, 254)
			}
			if err := m.EmbedPassages(b.Context(), make([]int8, 64*m.Dimension()), passages); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(rss("VmHWM"), "MB-most")
			if err := m.Close(); err != nil {
				b.Fatal(err)
			}
			debug.FreeOSMemory()
			b.ReportMetric(rss("VmRSS"), "MB-closed")
		})
	}
}
