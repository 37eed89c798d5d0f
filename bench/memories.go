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
)

const (
	manyMemories = 100_000
	fewMemories  = 2000 // in a trial
	addedAlone   = 200  // additions that are timed
	notesAtOnce  = 5000
)

// memoriesAlone measures notes with questions about the tree, and nothing else.
func (b *bench) memoriesAlone(ctx context.Context) error {
	qs, err := makeQuestions(b.tree, maxQuestions)
	if err != nil {
		return err
	}
	return b.memories(ctx, qs)
}

// memories measures notes: adding one to very many, recalling, choosing a set to inject, and
// proposing a consolidation. The notes are made of the questions' words. SQLite's own full-text
// search over the same texts takes turns with them.
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
	peer, err := openPlain(ctx, filepath.Join(b.work, "memory", "plain.db"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, peer.db.Close()) }()
	w := newWriter(qs)
	for left := n; left > 0; left -= notesAtOnce {
		texts := w.notes(min(left, notesAtOnce))
		if _, err := s.Import(ctx, strings.NewReader(lines(texts)), false, true, nil); err != nil {
			return err
		}
		if err := peer.add(ctx, texts...); err != nil {
			return err
		}
	}
	if err := s.Embed(ctx, notes.NoteModel()); err != nil {
		return err
	}
	if err := b.adds(ctx, s, peer, w, n); err != nil {
		return err
	}
	if err := b.recalls(ctx, s, peer, qs); err != nil {
		return err
	}
	took, err := timesOf(1, func(int) error {
		_, err := s.Propose(ctx, nil)
		return err
	})
	b.report.add(figure{"what consolidate proposes among them", "ms", []float64{millis(took[0])}})
	return err
}

// adds measures adding one note, in turns with the peer. Each addition is on disk at its end.
func (b *bench) adds(ctx context.Context, s *notes.Store, peer plain, w *writer, n int) error {
	var theirs []time.Duration
	ours, err := timesOf(addedAlone, func(int) error {
		_, err := s.Add(ctx, notes.Memory{Content: w.note()}, true)
		return errors.Join(err, s.Embed(ctx, notes.NoteModel()))
	})
	if err == nil {
		theirs, err = timesOf(addedAlone, func(int) error { return peer.add(ctx, w.note()) })
	}
	if err != nil {
		return err
	}
	b.report.add(latencies(fmt.Sprintf("add to %d memories, with its vector", n), [][]time.Duration{ours},
		warmPercentiles[:2])...)
	b.report.add(latencies("add to SQLite's FTS5 alone", [][]time.Duration{theirs}, warmPercentiles[:2])...)
	return nil
}

func (b *bench) recalls(ctx context.Context, s *notes.Store, peer plain, qs []question) error {
	for _, way := range []struct {
		name string
		ask  func(text string) error
	}{
		{"recall from them, ten best", func(text string) error {
			_, err := s.Recall(ctx, notes.Query{Text: text, Model: notes.NoteModel()})
			return err
		}},
		{"a set to inject, 500 tokens of the 50 best", func(text string) error {
			found, err := s.Recall(ctx, notes.Query{Text: text, Model: notes.NoteModel(), Filter: notes.Filter{Limit: 50}})
			var lines []string
			for _, f := range found {
				lines = append(lines, "- ["+f.Type+"] "+f.Content)
			}
			recall.Fit(lines, 2000, 0)
			return err
		}},
		{"SQLite's FTS5 alone, ten best", func(text string) error { return peer.ask(ctx, text, 10) }},
	} {
		var rounds [][]time.Duration
		for range b.times.rounds {
			took, err := timesOf(len(qs), func(i int) error { return way.ask(qs[i].text) })
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

// vocabulary is the number of different words in notes. The words of the questions come first.
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

func (w *writer) notes(n int) (out []string) {
	for range n {
		out = append(out, w.note())
	}
	return out
}

// lines returns notes in the form for an import.
func lines(texts []string) string {
	var b strings.Builder
	for _, t := range texts {
		fmt.Fprintf(&b, "{\"content\":%q}\n", t)
	}
	return b.String()
}
