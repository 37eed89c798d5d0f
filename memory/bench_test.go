package memory

import (
	"fmt"
	"math/rand"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const manyNotes = 100_000

// inventedNote returns a note of invented words. Like real words, few of them are frequent.
func inventedNote(r *rand.Rand, zipf *rand.Zipf) string {
	words := make([]string, 12+r.Intn(12))
	for i := range words {
		words[i] = invented(zipf.Uint64())
	}
	return strings.Join(words, " ")
}

// invented returns the n-th word of an invented language.
func invented(n uint64) string {
	const syllables = "bacodufagehijokelumanepiqorusatevowuxiyoza"
	var b strings.Builder
	for n += 21; n > 0; n /= 21 {
		b.WriteString(syllables[n%21*2 : n%21*2+2])
	}
	return b.String() + "k"
}

func filled(b *testing.B) *Store {
	b.Helper()
	ctx := b.Context()
	s, err := Open(ctx, filepath.Join(b.TempDir(), "memory.db"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	r := rand.New(rand.NewSource(1))
	zipf := rand.NewZipf(r, 1.1, 8, 30_000)
	for from := 0; from < manyNotes; from += 5000 {
		var lines strings.Builder
		for i := range 5000 {
			fmt.Fprintf(&lines, "{\"content\":%q,\"tags\":[\"t%d\"]}\n", inventedNote(r, zipf), i%50)
		}
		if _, err := s.Import(ctx, strings.NewReader(lines.String()), false, true, nil); err != nil {
			b.Fatal(err)
		}
	}
	if err := s.Embed(ctx, NoteModel()); err != nil {
		b.Fatal(err)
	}
	return s
}

// BenchmarkStore measures a store with 100,000 notes.
func BenchmarkStore(b *testing.B) {
	s := filled(b)
	r := rand.New(rand.NewSource(2))
	zipf := rand.NewZipf(r, 1.1, 8, 30_000)
	b.Run("add", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Add(b.Context(), Memory{Content: inventedNote(r, zipf)}, false); err != nil {
				b.Fatal(err)
			}
			if err := s.Embed(b.Context(), NoteModel()); err != nil {
				b.Fatal(err)
			}
		}
	})
	questions := make([]string, 200)
	for i := range questions {
		words := strings.Fields(inventedNote(r, zipf))
		questions[i] = strings.Join(words[:3+r.Intn(6)], " ")
	}
	recall := func(b *testing.B, q Query) {
		var times []time.Duration
		for i := 0; b.Loop(); i++ {
			q.Text = questions[i%len(questions)]
			begin := time.Now()
			if _, err := s.Recall(b.Context(), q); err != nil {
				b.Fatal(err)
			}
			times = append(times, time.Since(begin))
		}
		slices.Sort(times)
		b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
	}
	b.Run("recall", func(b *testing.B) { recall(b, Query{Model: NoteModel()}) })
	b.Run("recall by words", func(b *testing.B) { recall(b, Query{}) })
	b.Run("recall with a tag",
		func(b *testing.B) { recall(b, Query{Model: NoteModel(), Filter: Filter{Tags: []string{"t7"}}}) })
}
