package embed

import (
	"encoding/binary"

	"patina/store"
)

// A batcher makes batches from a corpus.
type batcher struct {
	corpus  store.Corpus
	spans   map[int32]span // by file
	docs    sampler        // passages with a doc
	files   sampler        // first passages of files with enough chunks
	commits sampler        // indexes into changes
	changes []change
	bags    bagger
	rows    []maskKey // pairs in the last batch
}

// A span is the range of a file's passages.
type span struct{ from, to int32 }

// A change is a commit and one file changed in it.
type change struct{ commit, file int32 }

// A maskKey says which pairs in a batch are no wrong answers to each other: pairs with an equal
// question, file or commit. −1 is no file or commit.
type maskKey struct {
	question     uint64 // hash
	file, commit int32
}

func newBatcher(c store.Corpus, pieces int) *batcher {
	b := &batcher{
		corpus: c,
		spans:  map[int32]span{},
		bags:   bagger{counts: make([]uint16, pieces)},
	}
	for i, file := range c.Files {
		if file < 0 {
			continue
		}
		s, ok := b.spans[file]
		if !ok {
			s.from = int32(i)
		}
		s.to = int32(i + 1)
		b.spans[file] = s
		path, doc, body := parts(c.Passages[i])
		if len(doc) > 0 && len(body) > 0 {
			b.docs = append(b.docs, item{hash(path, doc), int32(i)})
		}
		if s.to-s.from == fewestChunks {
			b.files = append(b.files, item{hash(path), s.from})
		}
	}
	for i, commit := range c.Commits {
		b.readCommit(int32(i), commit)
	}
	return b
}

// readCommit adds the files in a commit, up to newestPairs in all.
func (b *batcher) readCommit(i int32, commit store.Change) {
	_, subject, _ := parts(commit.Subject)
	if len(subject) == 0 || len(commit.Files) > mostFiles {
		return
	}
	for _, file := range commit.Files {
		if s, ok := b.spans[file]; ok && len(b.changes) < newestPairs {
			path, _, _ := parts(b.corpus.Passages[s.from])
			b.commits = append(b.commits, item{hash(path, subject), int32(len(b.changes))})
			b.changes = append(b.changes, change{i, file})
		}
	}
}

// batch makes the batch for a step. It overwrites the last one.
func (b *batcher) batch(step int) Batch {
	b.rows = b.rows[:0]
	b.bags.reset()
	batch := Batch{Masked: b.masked}
	from, pair := b.docs, b.doc
	switch step % 3 {
	case 1:
		from, pair = b.files, b.file
	case 2:
		from, pair = b.commits, b.commit
	}
	for _, d := range from.draw(adaptPairs, step) {
		question, passage, key := pair(d)
		batch.Questions, batch.Passages = append(batch.Questions, question), append(batch.Passages, passage)
		b.rows = append(b.rows, key)
	}
	return batch
}

// masked is the batch's Masked.
func (b *batcher) masked(i, j int) bool {
	x, y := b.rows[i], b.rows[j]
	return x.question == y.question || x.file >= 0 && x.file == y.file || x.commit >= 0 && x.commit == y.commit
}

// doc pairs a comment or heading with the text below it.
func (b *batcher) doc(d sample) (question, passage Bag, row maskKey) {
	path, doc, body := parts(b.corpus.Passages[d.at])
	return b.bags.question(doc), b.bags.passage(path, body), maskKey{hash(doc), -1, -1}
}

// file pairs two chunks from a file. Only one gets the path they share: it must not be the answer.
func (b *batcher) file(d sample) (question, passage Bag, row maskKey) {
	s := b.spans[b.corpus.Files[d.at]]
	n := s.to - s.from
	first := d.below(n)
	second := (first + 1 + d.again().below(n-1)) % n
	_, doc, body := parts(b.corpus.Passages[s.from+first])
	return b.bags.passage(doc, body), b.bags.passage(parts(b.corpus.Passages[s.from+second])), maskKey{uint64(s.from + first), -1, -1}
}

// commit pairs a commit's subject with some chunk from a changed file.
func (b *batcher) commit(d sample) (question, passage Bag, row maskKey) {
	c := b.changes[d.at]
	_, subject, _ := parts(b.corpus.Commits[c.commit].Subject)
	s := b.spans[c.file]
	chunk := b.corpus.Passages[s.from+d.below(s.to-s.from)]
	return b.bags.question(subject), b.bags.passage(parts(chunk)), maskKey{hash(subject), c.file, c.commit}
}

// A bagger makes bags in memory, which reset frees for reuse.
type bagger struct {
	ids     []uint16
	weights []float32
	counts  []uint16 // by piece; zero between calls
}

func (b *bagger) reset() { b.ids, b.weights = b.ids[:0], b.weights[:0] }

// question returns a bag as Model.Question weighs it: each occurrence counts.
func (b *bagger) question(encoded []byte) Bag {
	from := len(b.ids)
	for i := 0; i < len(encoded) && i < 2*questionTokens; i += 2 {
		if id := binary.LittleEndian.Uint16(encoded[i:]); int(id) < len(b.counts) {
			b.ids, b.weights = append(b.ids, id), append(b.weights, 1)
		}
	}
	return b.bag(from)
}

// passage returns a bag as Model.Embed weighs it: each piece once, by the root of its occurrences.
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

// hash is 64-bit FNV-1a over the texts in order.
func hash(texts ...[]byte) uint64 {
	h := uint64(14695981039346656037)
	for _, text := range texts {
		for _, b := range text {
			h = (h ^ uint64(b)) * 1099511628211
		}
	}
	return h
}
