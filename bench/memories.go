package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"time"

	notes "patina/memory"
	"patina/memory/recall"
	"patina/oracles/embed"
)

const (
	manyMemories = 100_000
	fewMemories  = 2000 // in a trial
	addedAlone   = 200  // adds whose time is taken
	notesAtOnce  = 5000
)

// memories measures notes: adding one to very many, recalling, and choosing a set to inject. The
// notes are made of the words of the questions.
func (b *bench) memories(ctx context.Context, qs []question) (err error) {
	n := manyMemories
	if b.times.runs == trial.runs {
		n = fewMemories
	}
	b.say("%d memories", n)
	s, err := notes.Open(ctx, filepath.Join(b.work, "memory", "memory.db"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	w := newWriter(qs)
	for n > 0 {
		some := min(n, notesAtOnce)
		if _, err := s.Import(ctx, strings.NewReader(w.lines(some)), false, true, nil); err != nil {
			return err
		}
		n -= some
	}
	if err := s.Embed(ctx, embed.Base()); err != nil {
		return err
	}
	adds, err := timesOf(addedAlone, func(int) error {
		if _, err := s.Add(ctx, notes.Memory{Content: w.note()}, true); err != nil {
			return err
		}
		return s.Embed(ctx, embed.Base())
	})
	if err != nil {
		return err
	}
	b.report.add(latencies(fmt.Sprintf("add to %d memories, with its vector", manyMemories), [][]time.Duration{adds}, warmPercentiles[:2])...)
	return b.recalls(ctx, s, qs)
}

func (b *bench) recalls(ctx context.Context, s *notes.Store, qs []question) error {
	for _, way := range []struct {
		name  string
		limit int
	}{{"recall from them, ten best", 10}, {"a set to inject, 500 tokens of the 50 best", 50}} {
		var rounds [][]time.Duration
		for range b.times.rounds {
			took, err := timesOf(len(qs), func(i int) error {
				found, err := s.Recall(ctx, notes.Query{Text: qs[i].text, Model: embed.Base(), Filter: notes.Filter{Limit: way.limit}})
				var lines []string
				for _, f := range found {
					lines = append(lines, "- ["+f.Type+"] "+f.Content)
				}
				recall.Fit(lines, 2000, 0)
				return err
			})
			if err != nil {
				return err
			}
			rounds = append(rounds, took)
		}
		b.report.add(latencies(way.name, rounds, warmPercentiles[:2])...)
	}
	return nil
}

func timesOf(n int, do func(i int) error) ([]time.Duration, error) {
	took := make([]time.Duration, n)
	for i := range took {
		began := time.Now()
		if err := do(i); err != nil {
			return nil, err
		}
		took[i] = time.Since(began)
	}
	return took, nil
}

// vocabulary is the number of different words in notes, those of the questions first.
const vocabulary = 30_000

// A writer invents notes.
type writer struct {
	words []string
	rnd   *rand.Rand
	zipf  *rand.Zipf
}

func newWriter(qs []question) *writer {
	w := &writer{rnd: rand.New(rand.NewPCG(1, 1))}
	seen := map[string]bool{}
	for _, q := range qs {
		for word := range strings.FieldsSeq(q.text) {
			if !seen[word] {
				seen[word] = true
				w.words = append(w.words, word)
			}
		}
	}
	w.rnd.Shuffle(len(w.words), func(i, j int) { w.words[i], w.words[j] = w.words[j], w.words[i] })
	w.zipf = rand.NewZipf(w.rnd, 1.1, 8, vocabulary)
	return w
}

func (w *writer) note() string {
	words := make([]string, 12+w.rnd.IntN(12))
	for i := range words {
		n := w.zipf.Uint64()
		if words[i] = fmt.Sprint("w", n); n < uint64(len(w.words)) {
			words[i] = w.words[n]
		}
	}
	return strings.Join(words, " ")
}

// lines are notes for an import.
func (w *writer) lines(n int) string {
	var b strings.Builder
	for range n {
		fmt.Fprintf(&b, "{\"content\":%q}\n", w.note())
	}
	return b.String()
}
