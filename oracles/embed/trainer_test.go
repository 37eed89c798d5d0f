package embed

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// randomBatch returns n pairs whose questions share pieces with their passages.
func randomBatch(random *rand.Rand, n, pieces, longest int) Batch {
	var batch Batch
	bag := func(common []uint16) Bag {
		var b Bag
		for range 1 + random.IntN(longest) {
			b.IDs = append(b.IDs, uint16(random.IntN(pieces)))
		}
		b.IDs = append(b.IDs, common...)
		for range b.IDs {
			b.Weights = append(b.Weights, 0.5+random.Float32())
		}
		return b
	}
	for range n {
		common := []uint16{uint16(1 + random.IntN(pieces-1))}
		batch.Questions = append(batch.Questions, bag(common))
		batch.Passages = append(batch.Passages, bag(common))
	}
	return batch
}

// slowLoss computes the loss by its definition, in float64.
func slowLoss(t *Trainer, batch Batch) float64 {
	vectors := func(bags []Bag) (out [][]float64) {
		for _, bag := range bags {
			v, sum := make([]float64, t.dim), 0.0
			for k, id := range bag.IDs {
				for i, x := range t.row(id) {
					if id != 0 {
						v[i] += float64(x) * float64(bag.Weights[k])
					}
				}
			}
			for _, x := range v {
				sum += x * x
			}
			for i := range v {
				v[i] /= max(math.Sqrt(sum), 1e-300)
			}
			out = append(out, v)
		}
		return out
	}
	q, p := vectors(batch.Questions), vectors(batch.Passages)
	e := func(i, j int) float64 {
		if batch.Masked(i, j) {
			return 0
		}
		sum := 0.0
		for k := range q[i] {
			sum += q[i][k] * p[j][k]
		}
		return math.Exp(sum / temperature)
	}
	loss := 0.0
	for i := range q {
		row, column := 0.0, 0.0
		for j := range q {
			row += e(i, j)
			column += e(j, i)
		}
		loss -= math.Log(e(i, i)/row) + math.Log(e(i, i)/column)
	}
	return loss / float64(2*len(q))
}

// gradientOf returns the gradient of a piece, from its uses.
func (w *workspace) gradientOf(slot, dim int) []float32 {
	sum, n := make([]float32, dim), len(w.questions.lengths)
	for k := w.starts[slot]; k < w.starts[slot+1]; k++ {
		side, bag := &w.questions, int(w.bags[k])
		if bag >= n {
			side, bag = &w.passages, bag-n
		}
		addScaled(sum, side.gradient[bag*dim:(bag+1)*dim], w.weights[k])
	}
	return sum
}

func TestGradientIsTheSlopeOfTheLoss(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const pieces, dim = 40, 64
	trainer := NewTrainer(pieces, dim, 7)
	batch := randomBatch(random, 11, pieces, 6)
	batch.Alike = [][]uint64{{1, 2, 3, 1, 0, 0, 2, 1, 4, 5, 6}, {0, 7, 0, 8, 7, 9, 9, 0, 0, 7, 0}}
	batch.Questions[3] = Bag{} // a text without words
	batch.Passages[4] = Bag{IDs: []uint16{0}, Weights: []float32{1}}
	loss := trainer.gradient(batch)
	if want := slowLoss(trainer, batch); math.Abs(loss-want) > 1e-4*want {
		t.Fatalf("loss %g, by definition %g", loss, want)
	}
	var worst, largest float64
	for slot, id := range trainer.work.ids {
		gradient := trainer.work.gradientOf(slot, dim)
		for range 8 {
			k := random.IntN(dim)
			x := &trainer.row(id)[k]
			const h = 1e-3
			was := *x
			*x = was + h
			up, above := slowLoss(trainer, batch), *x
			*x = was - h
			down, below := slowLoss(trainer, batch), *x
			*x = was
			want := (up - down) / float64(above-below)
			got := float64(gradient[k])
			worst, largest = max(worst, math.Abs(got-want)), max(largest, math.Abs(want))
		}
	}
	if largest < 0.01 || worst > 1e-3*largest {
		t.Errorf("gradient is off by %g, largest slope %g", worst, largest)
	}
}

func TestMaskedPairsCountForNothing(t *testing.T) {
	batch := Batch{Alike: [][]uint64{{5, 0, 5, 0, 7, 5, 0}, {0, 2, 0, 2, 2, 1, 0}}}
	n := len(batch.Alike[0])
	w := newWorkspace(1)
	w.cosines = make([]float32, n*n)
	w.exponentials(n, batch.Alike)
	for i := range n {
		row, column := 0.0, 0.0
		for j := range n {
			if (w.cosines[i*n+j] == 0) != batch.Masked(i, j) {
				t.Errorf("pairs %d and %d: %g, masked %t", i, j, w.cosines[i*n+j], batch.Masked(i, j))
			}
			row, column = row+float64(w.cosines[i*n+j]), column+float64(w.cosines[j*n+i])
		}
		if math.Abs(float64(w.byRow[i])-row) > 1e-6*row || math.Abs(float64(w.byColumn[i])-column) > 1e-6*column {
			t.Errorf("sums of %d are %g and %g, want %g and %g", i, w.byRow[i], w.byColumn[i], row, column)
		}
	}
}

func TestSameTableOnAnyNumberOfCores(t *testing.T) {
	run := func(cores int) []float32 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		random := rand.New(rand.NewPCG(3, 4))
		trainer := NewTrainer(300, 128, 9)
		for range 5 {
			trainer.Step(randomBatch(random, 150, 300, 20), 0.01)
		}
		return trainer.rows
	}
	one := run(1)
	for _, cores := range []int{2, 3, 8} {
		if !slices.Equal(one, run(cores)) {
			t.Errorf("one core and %d give different tables", cores)
		}
	}
}

// The dimension and the numbers of pairs leave remainders in registers of any width.
func TestSameTableOnAnyProcessor(t *testing.T) {
	defer limitWidth(16)
	run := func(width int) []float32 {
		limitWidth(width)
		random := rand.New(rand.NewPCG(3, 4))
		trainer := NewTrainer(300, 301, 9)
		for range 5 {
			trainer.Step(randomBatch(random, 115, 300, 20), 0.01)
		}
		return trainer.rows
	}
	wide := run(16)
	for _, width := range []int{8, 4} {
		if !slices.Equal(wide, run(width)) {
			t.Errorf("registers of 16 and of %d floats give different tables", width)
		}
	}
}

func TestStepsLearn(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	trainer := NewTrainer(500, 64, 1)
	batch := randomBatch(random, 100, 500, 10)
	first := trainer.Step(batch, 0.01)
	var last float64
	for range 30 {
		last = trainer.Step(batch, 0.01)
	}
	if last > first/10 {
		t.Errorf("loss went from %g to %g in 30 steps", first, last)
	}
}
