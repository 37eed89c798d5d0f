package embed

import (
	"slices"
	"testing"

	"patina/store"
)

// lessonCorpus is 12 files of four documented chunks, one of two, and commits: every pair of
// commits shares a subject or a file.
func lessonCorpus(m *Model) store.Corpus {
	var c store.Corpus
	words := []string{"rank", "store", "files", "query", "index", "commit", "chunk", "symbol", "token", "list", "path", "name", "test"}
	for file, word := range words {
		for chunk := range 4 {
			if file == 12 && chunk > 1 {
				break
			}
			c.Passages = append(c.Passages, m.Encode(nil, store.Passage{Path: "dir", Doc: word, Body: words[chunk] + " " + word}))
			c.Files = append(c.Files, int32(file))
		}
	}
	c.Passages, c.Files = append(c.Passages, m.Encode(nil, store.Passage{Doc: "a", Body: "b"})), append(c.Files, -1)
	for i := range 10 {
		c.Commits = append(c.Commits, store.Change{
			Subject: m.Encode(nil, store.Passage{Doc: words[i/2]}),
			Files:   []int32{int32(i % 3), int32(5 + i%7), 77},
		})
	}
	c.Commits = append(c.Commits, store.Change{Subject: c.Commits[0].Subject, Files: make([]int32, 21)})
	return c
}

func TestLessons(t *testing.T) {
	m := New(flat())
	c := lessonCorpus(m)
	l := newBatcher(c, m.table.words.Len())
	if d, f, n := len(l.docs), len(l.files), len(l.commits); d != 50 || f != 12 || n != 20 {
		t.Fatalf("%d docs, %d files and %d commits with a file; want 50, 12 and 20", d, f, n)
	}
	path := m.Encode(nil, store.Passage{Path: "dir"})[encodedHeader:]
	inPath := uint16(path[0]) | uint16(path[1])<<8
	for step := range 9 {
		batch := l.batch(step)
		if want := []int{50, 12, 20}[step%3]; len(batch.Questions) != want || len(batch.Passages) != want {
			t.Fatalf("step %d has %d pairs, want %d", step, len(batch.Questions), want)
		}
		for i, q := range batch.Questions {
			p := batch.Passages[i]
			if len(q.IDs) == 0 || len(q.IDs) != len(q.Weights) || len(p.IDs) == 0 || len(p.IDs) != len(p.Weights) {
				t.Fatalf("step %d, pair %d: bags of %d and %d pieces", step, i, len(q.IDs), len(p.IDs))
			}
			if slices.Contains(q.IDs, inPath) || !slices.Contains(p.IDs, inPath) {
				t.Errorf("step %d, pair %d: the path stands with the question, or not with the passage", step, i)
			}
			for j := range batch.Questions {
				if i != j && l.masked(i, j) != mustMask(l.rows[i], l.rows[j]) {
					t.Errorf("step %d: pairs %+v and %+v, masked %t", step, l.rows[i], l.rows[j], l.masked(i, j))
				}
				if same := slices.Equal(q.IDs, batch.Questions[j].IDs); step%3 != 1 && same && i != j && !l.masked(i, j) {
					t.Errorf("step %d: two pairs of one question count as wrong answers of each other", step)
				}
			}
		}
	}
}

func mustMask(a, b maskKey) bool {
	return a.question == b.question || a.commit == b.commit && a.commit != -1 || a.file == b.file && a.file != -1
}
