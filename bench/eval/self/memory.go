package self

import (
	"context"
	"math/rand/v2"
	"strings"

	"patina/code/lookup"
	"patina/memory"
	"patina/memory/transcript"
	"patina/store/doc"
)

// mostAround bounds the part of a transcript's message that is a question, in words.
const mostAround = 60

// recollection takes questions from transcripts. Each asks for the memory that a note became, by
// the words around that note. The note itself is not asked, and messages that repeat it are left
// out.
func recollection(x *set, memories []memory.Memory, said []transcript.Note, seed uint64, most int) {
	of := map[string]transcript.Note{}
	for _, n := range said {
		if key := strings.Join(wordsOf(n.Text), " "); of[key].Around == "" {
			of[key] = n
		}
	}
	for _, m := range memories {
		if !m.Current() {
			continue
		}
		x.pool++
		own := strings.Join(wordsOf(m.Content), " ")
		n, ok := of[own]
		if !ok {
			continue
		}
		asked := firstWords(n.Around, mostAround)
		switch words := strings.Join(wordsOf(asked), " "); {
		case len(wordsOf(asked)) < fewestWords:
			x.leave("nothing was said around the note")
		case strings.Contains(" "+words+" ", " "+own+" "):
			x.leave("the note was said twice")
		default:
			x.cases = append(x.cases, Case{ID: m.ID, Query: asked, Expect: []string{memoryID(m)}})
		}
	}
	draw := rand.New(rand.NewPCG(seed, seed))
	draw.Shuffle(len(x.cases), func(i, j int) { x.cases[i], x.cases[j] = x.cases[j], x.cases[i] })
	x.cases = x.cases[:min(most, len(x.cases))]
	switch {
	case x.pool == 0:
		x.why = "no memories"
	case len(x.cases) == 0:
		x.why = "no memory is a note of a transcript (patina memory ingest)"
	}
}

func memoryID(m memory.Memory) string { return "memory:" + m.ID }

// A recalled is an index with memories beside it, for the baseline.
type recalled struct {
	Index
	memories []memory.Memory
}

// Chunks implements Index.
func (r recalled) Chunks(ctx context.Context, f func(lookup.ChunkText) error) error {
	if err := r.Index.Chunks(ctx, f); err != nil {
		return err
	}
	for _, m := range r.memories {
		if !m.Current() {
			continue
		}
		if err := f(lookup.ChunkText{DocID: memoryID(m), Kind: doc.Memory, Text: m.Content}); err != nil {
			return err
		}
	}
	return nil
}
