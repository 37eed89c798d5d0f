package embed

import (
	"encoding/binary"
	"math"
	"reflect"
	"slices"
	"testing"

	"patina/store/doc"
)

// lessonCorpus returns 12 files of four documented chunks, one file of two, and commits of which
// every pair shares a subject or a file.
func lessonCorpus(m *Model) doc.Corpus {
	var c doc.Corpus
	words := []string{
		"rank", "store", "files", "query", "index", "commit", "chunk", "symbol", "token", "list", "path", "name",
		"test",
	}
	for file, word := range words {
		for chunk := range 4 {
			if file == 12 && chunk > 1 {
				break
			}
			passage := doc.Passage{Path: "dir", Doc: word, Body: words[chunk] + " " + word}
			c.Passages = append(c.Passages, m.Encode(nil, passage))
			c.Files = append(c.Files, int32(file))
		}
	}
	c.Passages, c.Files = append(c.Passages, m.Encode(nil, doc.Passage{Doc: "a", Body: "b"})), append(c.Files, -1)
	for i := range 10 {
		c.Commits = append(c.Commits, doc.Change{
			Subject: m.Encode(nil, doc.Passage{Doc: words[i/2]}),
			Files:   []int32{int32(i % 3), int32(5 + i%7), 77},
		})
	}
	c.Commits = append(c.Commits, doc.Change{Subject: c.Commits[0].Subject, Files: make([]int32, 21)})
	return c
}

func TestLessons(t *testing.T) {
	m := New(flat())
	c := lessonCorpus(m)
	l := newBatcher(c, m.table.words.Len())
	if d, f, n := len(l.docs), len(l.files), len(l.commits); d != 50 || f != 12 || n != 20 {
		t.Fatalf("%d docs, %d files and %d commits with a file; want 50, 12 and 20", d, f, n)
	}
	path := m.Encode(nil, doc.Passage{Path: "dir"})[encodedHeader:]
	inPath := l.numbers.numberOf(uint16(path[0]) | uint16(path[1])<<8)
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
				same := slices.Equal(q.IDs, batch.Questions[j].IDs)
				if step%3 != 1 && same && i != j && !batch.Masked(i, j) {
					t.Errorf("step %d: two pairs of one question count as wrong answers of each other", step)
				}
				same = slices.Equal(p.IDs, batch.Passages[j].IDs)
				if step%3 == 2 && same && i != j && !batch.Masked(i, j) {
					t.Errorf("step %d: two pairs of one file count as wrong answers of each other", step)
				}
			}
		}
	}
}

// A batch must stay unchanged until the one after the next is made.
func TestBatchesDoNotShareMemory(t *testing.T) {
	m := New(flat())
	c := lessonCorpus(m)
	b := newBatcher(c, m.table.words.Len())
	alone := newBatcher(c, m.table.words.Len())
	for step := range 6 {
		batch := b.batch(step)
		b.batch(step + 1)
		if want := alone.batch(step); !reflect.DeepEqual(batch, want) {
			t.Errorf("step %d: the next batch has changed it", step)
		}
	}
}

// The fit has rows only for the pieces that occur.
func TestNumbering(t *testing.T) {
	m := New(flat())
	c := lessonCorpus(m)
	n := newNumbering(c, m.table.words.Len())
	used := map[uint16]bool{}
	for _, encoded := range append([][]byte{c.Commits[9].Subject, {9}, nil}, c.Passages...) {
		for i := encodedHeader; i < len(encoded); i += 2 {
			used[binary.LittleEndian.Uint16(encoded[i:])] = true
		}
	}
	if len(n.pieces) != len(used)+1 || !slices.IsSorted(n.pieces) {
		t.Fatalf("pieces %v of %d used", n.pieces, len(used))
	}
	for number, id := range n.pieces {
		if n.numberOf(id) != uint16(number) || id != 0 && !used[id] {
			t.Errorf("piece %d has number %d, want %d", id, n.numberOf(id), number)
		}
	}
	if n.numberOf(math.MaxUint16) != 0 {
		t.Error("a piece that the vocabulary does not have has a number")
	}
}
