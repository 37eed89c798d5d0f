package embed

import (
	"encoding/binary"

	"patina/store"
)

// lessons makes batches of a corpus.
type lessons struct {
	corpus  store.Corpus
	spans   map[int32]span // by file
	docs    deck           // of passages with a doc
	files   deck           // of the first passages of files with enough chunks
	commits deck           // of places in changes
	changes []change
	bags    bagger
	rows    []lesson // of the batch last made
}

// A span is the passages of a file.
type span struct{ from, to int32 }

// A change is a commit with one of the files it touched.
type change struct{ commit, file int32 }

// A lesson is a pair of a batch with what it must not be told apart from: pairs of one question, file or commit. A file or commit
// of −1 is none.
type lesson struct {
	question     uint64 // hash
	file, commit int32
}

func newLessons(c store.Corpus, pieces int) *lessons {
	l := &lessons{
		corpus: c,
		spans:  map[int32]span{},
		bags:   bagger{counts: make([]uint16, pieces)},
	}
	for i, file := range c.Files {
		if file < 0 {
			continue
		}
		s, ok := l.spans[file]
		if !ok {
			s.from = int32(i)
		}
		s.to = int32(i + 1)
		l.spans[file] = s
		path, doc, body := parts(c.Passages[i])
		if len(doc) > 0 && len(body) > 0 {
			l.docs = append(l.docs, card{hash(path, doc), int32(i)})
		}
		if s.to-s.from == fewestChunks {
			l.files = append(l.files, card{hash(path), s.from})
		}
	}
	for i, commit := range c.Commits {
		l.readCommit(int32(i), commit)
	}
	return l
}

// readCommit notes the files of a commit, as long as there are fewer than newestPairs.
func (l *lessons) readCommit(i int32, commit store.Change) {
	_, subject, _ := parts(commit.Subject)
	if len(subject) == 0 || len(commit.Files) > mostFiles {
		return
	}
	for _, file := range commit.Files {
		if s, ok := l.spans[file]; ok && len(l.changes) < newestPairs {
			path, _, _ := parts(l.corpus.Passages[s.from])
			l.commits = append(l.commits, card{hash(path, subject), int32(len(l.changes))})
			l.changes = append(l.changes, change{i, file})
		}
	}
}

// batch makes the batch of a step. The next one overwrites it.
func (l *lessons) batch(step int) Batch {
	l.rows = l.rows[:0]
	l.bags.reset()
	batch := Batch{Masked: l.masked}
	deck, pair := l.docs, l.doc
	switch step % 3 {
	case 1:
		deck, pair = l.files, l.file
	case 2:
		deck, pair = l.commits, l.commit
	}
	for _, d := range deck.draw(adaptPairs, step) {
		question, passage, lesson := pair(d)
		batch.Questions, batch.Passages = append(batch.Questions, question), append(batch.Passages, passage)
		l.rows = append(l.rows, lesson)
	}
	return batch
}

// masked is the batch's Masked.
func (l *lessons) masked(i, j int) bool {
	a, b := l.rows[i], l.rows[j]
	return a.question == b.question || a.file >= 0 && a.file == b.file || a.commit >= 0 && a.commit == b.commit
}

// doc pairs a comment or heading with what stands below it.
func (l *lessons) doc(d drawn) (question, passage Bag, row lesson) {
	path, doc, body := parts(l.corpus.Passages[d.at])
	return l.bags.question(doc), l.bags.passage(path, body), lesson{hash(doc), -1, -1}
}

// file pairs two chunks of a file. The path, which both have, stands on one side only: it must not be the answer.
func (l *lessons) file(d drawn) (question, passage Bag, row lesson) {
	s := l.spans[l.corpus.Files[d.at]]
	a, n := d.below(s.to-s.from), s.to-s.from
	b := (a + 1 + d.again().below(n-1)) % n
	_, doc, body := parts(l.corpus.Passages[s.from+a])
	return l.bags.passage(doc, body), l.bags.passage(parts(l.corpus.Passages[s.from+b])), lesson{uint64(s.from + a), -1, -1}
}

// commit pairs the subject of a commit with some chunk of a file that it touched.
func (l *lessons) commit(d drawn) (question, passage Bag, row lesson) {
	c := l.changes[d.at]
	_, subject, _ := parts(l.corpus.Commits[c.commit].Subject)
	s := l.spans[c.file]
	chunk := l.corpus.Passages[s.from+d.below(s.to-s.from)]
	return l.bags.question(subject), l.bags.passage(parts(chunk)), lesson{hash(subject), c.file, c.commit}
}

// A bagger makes bags in memory that it reuses after reset.
type bagger struct {
	ids     []uint16
	weights []float32
	counts  []uint16 // by piece; zero between calls
}

func (b *bagger) reset() { b.ids, b.weights = b.ids[:0], b.weights[:0] }

// question is a bag as Model.Question weighs it: every piece once for each time it occurs.
func (b *bagger) question(encoded []byte) Bag {
	from := len(b.ids)
	for i := 0; i < len(encoded) && i < 2*questionTokens; i += 2 {
		if id := binary.LittleEndian.Uint16(encoded[i:]); int(id) < len(b.counts) {
			b.ids, b.weights = append(b.ids, id), append(b.weights, 1)
		}
	}
	return b.bag(from)
}

// passage is a bag as Model.Embed weighs it: every piece once, by the root of how often it occurs.
func (b *bagger) passage(parts ...[]byte) Bag {
	from := len(b.ids)
	for _, encoded := range parts {
		for i := 0; i < len(encoded); i += 2 {
			id := binary.LittleEndian.Uint16(encoded[i:])
			if int(id) >= len(b.counts) {
				continue
			}
			if b.counts[id] == 0 {
				b.ids = append(b.ids, id)
			}
			b.counts[id]++
		}
	}
	for _, id := range b.ids[from:] {
		b.weights = append(b.weights, roots[min(int(b.counts[id]), passageTokens)])
		b.counts[id] = 0
	}
	return b.bag(from)
}

func (b *bagger) bag(from int) Bag {
	to := len(b.ids)
	return Bag{IDs: b.ids[from:to:to], Weights: b.weights[from:to:to]}
}

// hash is FNV-1a, 64 bits, of texts one after the other.
func hash(texts ...[]byte) uint64 {
	h := uint64(14695981039346656037)
	for _, text := range texts {
		for _, b := range text {
			h = (h ^ uint64(b)) * 1099511628211
		}
	}
	return h
}
