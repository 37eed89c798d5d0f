package train

import (
	"math"
	"slices"
	"testing"
)

// plain returns n documented symbols, ten in each file, whose pieces encode their number.
func plain(n int) []encodedExample {
	out := make([]encodedExample, n)
	for i := range out {
		id := uint16(i%200) + 1
		out[i] = encodedExample{
			kind: symbol, file: int32(i / 10), path: []uint16{900, uint16(i/10%50) + 500}, name: []uint16{id, 301},
			about:     []uint16{id, 302, 303},
			body:      []uint16{id, 304, 304, 304, 304, id, 305, 306, 307},
			masked:    []uint16{304, 304, 304, 304, 305, 306, 307, 308},
			aboutHash: uint64(i) % 3000, documented: true,
		}
	}
	return out
}

const batchPairs = blocks * blockPairs

func TestBatches(t *testing.T) {
	examples := plain(3 * batchPairs)
	l := newLessons(examples, 1000, blocks, 1)
	per := l.perEpoch()
	if per < 3 {
		t.Fatalf("%d batches an epoch", per)
	}
	nameless, withPath, docs := 0, 0, 0
	l.epoch()
	for _, x := range slices.Clone(l.queue) {
		if len(x.links) != batchPairs {
			t.Fatalf("a batch of %d", len(x.links))
		}
		for at := 0; at < batchPairs; at += blockPairs {
			block := x.links[at : at+blockPairs]
			if far := block[blockPairs-1].asked - block[0].asked; far < blockPairs-1 || far > 2*blockPairs {
				t.Fatalf("a block reaches over %d examples", far)
			}
		}
		b := l.batch(x)
		for i, k := range x.links {
			if x.task == taskFile && (k.asked == k.there || examples[k.asked].file != examples[k.there].file) {
				t.Fatalf("%d is paired with %d", k.asked, k.there)
			}
			if x.task != taskFile && k.asked != k.there {
				t.Fatalf("%d is asked for by %d", k.there, k.asked)
			}
			p := b.Passages[i]
			if x.task == taskName && slices.Contains(p.IDs, examples[k.there].name[0]) {
				t.Fatal("a name is in the passage that it asks for")
			}
			if x.task == taskDoc {
				docs++
				nameless += count1(!slices.Contains(p.IDs, examples[k.there].name[0]))
				withPath += count1(slices.Contains(p.IDs, 900))
			}
			if at := slices.Index(p.IDs, 304); p.Weights[at] != 2 {
				t.Fatalf("a piece that stands there four times weighs %g", p.Weights[at])
			}
			for j := range 20 {
				same := examples[x.links[j].asked].aboutHash == examples[k.asked].aboutHash
				if x.task == taskDoc && i != j && b.Masked(i, j) != same {
					t.Fatalf("rows %d and %d are masked: %v", i, j, !same)
				}
			}
		}
	}
	if share := float64(nameless) / float64(docs); math.Abs(share-namelessShare) > 0.05 {
		t.Errorf("%.2f of passages have no name", share)
	}
	if share := float64(withPath) / float64(docs); math.Abs(share-pathShare) > 0.05 {
		t.Errorf("%.2f of passages have a path", share)
	}
}

func count1(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func TestRate(t *testing.T) {
	highest := float32(0)
	for step := range 600 {
		r := rateAt(step, 600)
		if r <= 0 || r > rate {
			t.Fatalf("rate %g at step %d", r, step)
		}
		highest = max(highest, r)
	}
	if highest != rate || rateAt(0, 600) != rate/warmUp ||
		math.Abs(float64(rateAt(599, 600))-rate*lastShare) > rate/400 {
		t.Errorf("rate begins with %g, reaches %g and ends with %g", rateAt(0, 600), highest, rateAt(599, 600))
	}
}

func TestReciprocal(t *testing.T) {
	for _, test := range []struct {
		scores []float64
		want   float64
	}{{[]float64{3, 2, 1}, 1}, {[]float64{1, 2, 3}, 1. / 3}, {[]float64{1, 1, 1}, 1. / 2}, {[]float64{0}, 1}} {
		if got := reciprocal(test.scores, 0); got != test.want {
			t.Errorf("%v: %g, want %g", test.scores, got, test.want)
		}
	}
}

func TestBM25(t *testing.T) {
	b := newBM25([][]string{{"read", "file", "file"}, {"read", "line"}, {"write", "line", "line", "line"}})
	s := b.scores([]string{"file", "read", "nothing"})
	if !(s[0] > s[1] && s[1] > s[2] && s[2] == 0) {
		t.Errorf("scores %v", s)
	}
}
