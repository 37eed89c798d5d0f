package embed

import (
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"

	"patina/store/doc"
)

// cpuSeconds returns the processor time of this process, because a busy machine does not change it.
func cpuSeconds() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}

func BenchmarkPassage(b *testing.B) {
	m := New(standIn())
	passages := source().passages
	encoded := make([][]byte, len(passages))
	size, tokens := 0, 0
	for i, p := range passages {
		encoded[i] = m.Encode(nil, p)
		size += min(len(p.Doc)+len(p.Body), passageBytes)
		tokens += len(encoded[i])/2 - 2
	}
	vector, buffer := make([]int8, 256), make([]byte, 0, 1024)
	for name, step := range map[string]func(i int){
		"encode": func(i int) { buffer = m.Encode(buffer[:0], passages[i]) },
		"embed":  func(i int) { m.Embed(vector, encoded[i]) },
		"both":   func(i int) { buffer = m.Encode(buffer[:0], passages[i]); m.Embed(vector, buffer) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			i, before := 0, cpuSeconds()
			for b.Loop() {
				step(i % len(passages))
				i++
			}
			b.ReportMetric(float64(b.N)/(cpuSeconds()-before), "chunks/cpu-s")
			b.ReportMetric(float64(tokens)/float64(len(passages)), "tokens/chunk")
			b.ReportMetric(float64(size)/float64(len(passages)), "bytes/chunk")
		})
	}
}

func BenchmarkQuestion(b *testing.B) {
	m := New(fullSize(b))
	parts := []doc.QuestionPart{{Text: "where do the lists of all channels become one", Weight: 1}}
	before := cpuSeconds()
	for b.Loop() {
		m.Question(parts)
	}
	b.ReportMetric((cpuSeconds()-before)/float64(b.N)*1e6, "cpu-µs/op")
}

// BenchmarkStep measures a step of training (2048 pairs) and one of adaptation (384).
func BenchmarkStep(b *testing.B) {
	for _, n := range []int{384, 2048} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			random := rand.New(rand.NewPCG(1, 1))
			trainer := NewTrainer(MaxPieces, 256, 1)
			batch := randomBatch(random, n, MaxPieces, 100)
			keys := make([]uint64, n)
			for i := range keys {
				keys[i] = uint64(i / 2)
			}
			batch.Alike = [][]uint64{keys}
			before := cpuSeconds()
			for b.Loop() {
				trainer.Step(batch, 0.01)
			}
			b.ReportMetric((cpuSeconds()-before)/float64(b.N), "cpu-s/op")
		})
	}
}

func BenchmarkAdapt(b *testing.B) {
	base := New(standIn())
	c := adaptCorpus(base, len(source().passages))
	before := cpuSeconds()
	for b.Loop() {
		adapt(b, base, c)
	}
	b.ReportMetric((cpuSeconds()-before)/float64(b.N), "cpu-s/op")
	b.ReportMetric(float64(len(c.Passages)), "passages")
}

func BenchmarkReadTable(b *testing.B) {
	data := fullSize(b).Bytes()
	b.ReportAllocs()
	before := cpuSeconds()
	for b.Loop() {
		if _, err := ReadTable(data); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric((cpuSeconds()-before)/float64(b.N)*1e3, "cpu-ms/op")
}
