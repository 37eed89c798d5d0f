package rankings

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"patina/bench/eval"
	"patina/store/doc"
)

// A vectorIndex has a tree's chunks and cards, embedded by one model.
type vectorIndex struct {
	model doc.Embedder
	files []int // per row
	rows  []int8
}

// encoded returns a tree's passages, then its cards, in a model's own form.
func (t *Tree) encoded(e doc.Embedder) [][]byte {
	list := make([][]byte, 0, len(t.Passages)+len(t.Cards))
	for _, p := range slices.Concat(t.Passages, t.Cards) {
		p.Body = upTo(p.Body, passageText)
		list = append(list, e.Encode(nil, p.Passage))
	}
	return list
}

// vectors embeds every chunk and card, on all cores.
func (t *Tree) vectors(e doc.Embedder, encoded [][]byte) *vectorIndex {
	dim := e.Dimension()
	v := &vectorIndex{e, fileOf(slices.Concat(t.Passages, t.Cards)), make([]int8, dim*len(encoded))}
	var working sync.WaitGroup
	cores := runtime.GOMAXPROCS(0)
	for core := range cores {
		working.Go(func() {
			for i := core; i < len(encoded); i += cores {
				e.Embed(v.rows[i*dim:(i+1)*dim], encoded[i])
			}
		})
	}
	working.Wait()
	return v
}

// scores returns the cosine of each row and a question, up to rounding.
func (v *vectorIndex) scores(query string) []float64 {
	question := v.model.Question([]doc.QuestionPart{{Text: query, Weight: 1}})
	scores := make([]float64, len(v.files))
	for i := range scores {
		row, sum := v.rows[i*len(question):], float32(0)
		for k, q := range question {
			sum += q * float32(row[k])
		}
		scores[i] = float64(sum) / doc.VectorScale
	}
	return scores
}

// adapt fits a model to a tree and its history, as a scrape does, and returns it with the time that
// took.
func (t *Tree) adapt(ctx context.Context, base doc.Adapter, encoded [][]byte,
	history []eval.Commit,
) (doc.Adapter, time.Duration, error) {
	c := doc.Corpus{Passages: encoded[:len(t.Passages)]}
	for _, f := range fileOf(t.Passages) {
		c.Files = append(c.Files, int32(f))
	}
	for _, x := range history {
		files := t.targets(x.Files)
		if len(files) == 0 || len(files) > mostFiles {
			continue
		}
		change := doc.Change{Subject: base.Encode(nil, doc.Passage{Doc: x.Subject})}
		for _, f := range files {
			change.Files = append(change.Files, int32(f))
		}
		c.Commits = append(c.Commits, change)
	}
	started := time.Now()
	adapted, err := base.Adapt(ctx, c)
	if err != nil {
		return nil, 0, fmt.Errorf("adapt %s: %w", base.Model(), err)
	}
	return adapted, time.Since(started), nil
}
