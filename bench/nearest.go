package main

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"patina/code/lookup"
	"patina/oracles/embed"
	"patina/store"
	"patina/store/doc"
	"patina/store/vector"
)

const (
	nearest = 10 // rows by which a search is judged
	// kept is the number of exact neighbours that are stored for each question: the nearest ten,
	// and rows tied with the tenth.
	kept = 100
	// fewQuestions is the number of questions if there are many chunks. Comparing a million in
	// floats takes some 0.2 s for each question.
	fewQuestions = 50
	blockRows    = 8192 // passages that are embedded and written at once, as in the store
	partRows     = 256  // rows in the share of one goroutine
	// graphLimit is the greatest number of rows for which a graph is built here: one CPU minute.
	graphLimit = 250000
	// ties is a difference in cosine that counts as zero. It is needed because code bases have the
	// same chunk many times.
	ties = 1e-6
)

// A flat has the vectors of all indexed chunks, embedded again into a file of their own, with the
// questions and their nearest rows by exact floats.
type flat struct {
	model     *embed.Model
	questions [][]float32
	best      [][]near // by question, in exact float vectors, best first
	rows      int64
	// took is the cost of encoding, embedding, writing and syncing, without reading the texts.
	took usage
}

// A near is a row with its cosine.
type near struct {
	row    int64
	cosine float32
}

// nearestRows measures the vectors by themselves: making them, the exact scan, the graph, and the
// recall of both against exact floats.
func (b *bench) nearestRows(ctx context.Context, qs []question) error {
	b.say("vectors of all chunks")
	if !b.times.beside {
		qs = qs[:min(len(qs), fewQuestions)]
	}
	path := filepath.Join(b.work, "flat.vec")
	x, err := b.flatFile(ctx, qs, path)
	if err != nil {
		return err
	}
	f, err := vector.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	if err := f.Hold(x.rows); err != nil {
		return err
	}
	defer f.Release()
	b.report.add(
		figure{"vectors of all chunks: encode, embed, write", "s", []float64{x.took.wall.Seconds()}},
		figure{"— CPU time", "s", []float64{x.took.cpu.Seconds()}},
		figure{"— rows", "thousand", []float64{float64(x.rows) / 1000}},
	)
	b.report.note("Recall: share of the ten rows found that are among the ten nearest by exact floats, or as near as the tenth to %g; %d questions over all chunks.",
		ties, len(x.questions))
	b.exactScan(x, f)
	if !b.times.beside || x.rows > graphLimit {
		b.report.note("No graph (HNSW) was made of these %d vectors for the sake of the figure alone.", x.rows)
		return nil
	}
	return b.graphFigures(ctx, x, f)
}

// flatFile embeds all indexed chunks, with the index's model, into a file and as floats.
func (b *bench) flatFile(ctx context.Context, qs []question, path string) (*flat, error) {
	reader, done, err := b.reader(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	x := &flat{}
	if x.model, err = fitted(ctx, reader); err != nil {
		return nil, err
	}
	for _, q := range qs {
		x.questions = append(x.questions, x.model.Question([]doc.QuestionPart{{Text: q.text, Weight: 1}}))
	}
	x.best = make([][]near, len(x.questions))
	w, err := vector.Create(path, vector.Header{Model: x.model.Model(), Dimension: x.model.Dimension()})
	if err != nil {
		return nil, err
	}
	defer func() { _ = w.Close() }() // synced earlier
	block := make([]doc.Passage, 0, blockRows)
	err = lookup.Chunks(ctx, reader, func(c lookup.ChunkText) error {
		if block = append(block, doc.Passage{Path: c.Path, Body: c.Text}); len(block) < blockRows {
			return nil
		}
		defer func() { block = block[:0] }()
		return x.add(w, block)
	})
	if err == nil {
		err = x.add(w, block)
	}
	if err != nil {
		return nil, err
	}
	return x, x.measured(w.Sync)
}

// fitted returns the model that made an index's vectors.
func fitted(ctx context.Context, r *store.Reader) (*embed.Model, error) {
	table, err := r.Table(ctx)
	if err != nil || len(table) == 0 {
		return embed.Base(), err
	}
	t, err := embed.ReadTable(table)
	if err != nil {
		return nil, err
	}
	return embed.New(t), nil
}

// measured runs f and adds its cost to x.took.
func (x *flat) measured(f func() error) error {
	began, cpu := time.Now(), processorTime()
	err := f()
	x.took.wall += time.Since(began)
	x.took.cpu += processorTime() - cpu
	return err
}

// add writes a block's vectors, and updates the nearest rows of each question by exact floats.
func (x *flat) add(w *vector.Writer, block []doc.Passage) error {
	if len(block) == 0 {
		return nil
	}
	dim := x.model.Dimension()
	encoded, rows := make([][]byte, len(block)), make([]int8, len(block)*dim)
	err := x.measured(func() error {
		err := inParts(len(block), func(i int) {
			encoded[i] = x.model.Encode(nil, block[i])
			x.model.Embed(rows[i*dim:(i+1)*dim], encoded[i])
		})
		if err != nil {
			return err
		}
		return w.Write(rows)
	})
	if err != nil {
		return err
	}
	exact := make([]float32, len(block)*dim)
	if err := inParts(len(block), func(i int) { x.model.Exact(exact[i*dim:(i+1)*dim], encoded[i]) }); err != nil {
		return err
	}
	first := x.rows
	x.rows += int64(len(block))
	return inParts(len(x.questions), func(q int) {
		for i := range block {
			if c := cosine(x.questions[q], exact[i*dim:(i+1)*dim]); len(x.best[q]) < kept ||
				c > x.best[q][kept-1].cosine {
				x.best[q] = keep(x.best[q], near{first + int64(i), c})
			}
		}
	})
}

// inParts calls f with every number below n, on all processors.
func inParts(n int, f func(i int)) error {
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for from := 0; from < n; from += partRows {
		group.Go(func() error {
			for i := from; i < min(from+partRows, n); i++ {
				f(i)
			}
			return nil
		})
	}
	return group.Wait()
}

// keep inserts a row into a list of nearest rows, which must be sorted, best first. Of equal rows,
// the earlier one stays first.
func keep(best []near, n near) []near {
	at := len(best)
	for at > 0 && best[at-1].cosine < n.cosine {
		at--
	}
	return slices.Insert(best, at, n)[:min(len(best)+1, kept)]
}

// cosine returns the cosine of two unit vectors. They must have the same length, a multiple of 4.
func cosine(x, y []float32) float32 {
	var a, b, c, d float32
	y = y[:len(x)]
	for i := 0; i < len(x); i += 4 {
		a += x[i] * y[i]
		b += x[i+1] * y[i+1]
		c += x[i+2] * y[i+2]
		d += x[i+3] * y[i+3]
	}
	return a + b + c + d
}
