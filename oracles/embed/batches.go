package embed

import (
	"encoding/binary"

	"patina/store/doc"
)

// A batcher makes batches from a corpus, which must not change.
type batcher struct {
	corpus  doc.Corpus
	spans   map[int32]span // by file
	docs    sampler        // passages with a doc
	files   sampler        // first passages of files with enough chunks
	commits sampler        // indexes into changes
	changes []change
	numbers numbering
	made    [2]madeBatch // the last ones
}

// A madeBatch is a batch and the memory that it uses.
type madeBatch struct {
	Batch
	bags  bagger
	alike [3][]uint64 // by question, file and commit
}

// A span is the range of a file's passages: from from up to, but not including, to.
type span struct{ from, to int32 }

// A change is a commit and one file that it changed.
type change struct{ commit, file int32 }

// A maskKey says which pairs of a batch are not wrong answers to each other: those with an equal
// question, file or commit. −1 means no file or commit.
type maskKey struct {
	question     uint64 // hash
	file, commit int32
}

// A numbering gives the pieces of a corpus numbers from 1, in the order of their ids, so that the
// fit needs no memory for other pieces. The number of Unknown and of all other pieces is 0.
type numbering struct {
	numbers []uint16 // by piece
	pieces  []uint16 // by number
}

func newNumbering(c doc.Corpus, pieces int) numbering {
	n := numbering{numbers: make([]uint16, pieces), pieces: []uint16{0}}
	for _, p := range c.Passages {
		n.mark(p)
	}
	for _, commit := range c.Commits {
		n.mark(commit.Subject)
	}
	for id, used := range n.numbers {
		if n.numbers[id] = 0; used > 0 && id > 0 {
			n.numbers[id] = uint16(len(n.pieces))
			n.pieces = append(n.pieces, uint16(id))
		}
	}
	return n
}

// mark records the pieces of a passage.
func (n *numbering) mark(encoded []byte) {
	for i := encodedHeader; i+1 < len(encoded); i += 2 {
		if id := binary.LittleEndian.Uint16(encoded[i:]); int(id) < len(n.numbers) {
			n.numbers[id] = 1
		}
	}
}

// numberOf returns the number of a piece, or 0.
func (n *numbering) numberOf(id uint16) uint16 {
	if int(id) < len(n.numbers) {
		return n.numbers[id]
	}
	return 0
}

func newBatcher(c doc.Corpus, pieces int) *batcher {
	b := &batcher{corpus: c, spans: map[int32]span{}, numbers: newNumbering(c, pieces)}
	for i := range b.made {
		b.made[i].bags = bagger{numbers: &b.numbers, counts: make([]uint16, len(b.numbers.pieces))}
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
		path, doc, body := splitEncoded(c.Passages[i])
		if len(doc) > 0 && len(body) > 0 {
			b.docs = append(b.docs, item{hashTexts(path, doc), int32(i)})
		}
		if s.to-s.from == fewestChunks {
			b.files = append(b.files, item{hashTexts(path), s.from})
		}
	}
	for i, commit := range c.Commits {
		b.readCommit(int32(i), commit)
	}
	return b
}

// readCommit adds the files of a commit, up to newestPairs in all.
func (b *batcher) readCommit(i int32, commit doc.Change) {
	_, subject, _ := splitEncoded(commit.Subject)
	if len(subject) == 0 || len(commit.Files) > mostFiles {
		return
	}
	for _, file := range commit.Files {
		if s, ok := b.spans[file]; ok && len(b.changes) < newestPairs {
			path, _, _ := splitEncoded(b.corpus.Passages[s.from])
			b.commits = append(b.commits, item{hashTexts(path, subject), int32(len(b.changes))})
			b.changes = append(b.changes, change{i, file})
		}
	}
}

// batch returns the batch for a step. It overwrites the batch before the last one, so that one
// batch can be made while another is in use.
func (b *batcher) batch(step int) Batch {
	m := &b.made[step%len(b.made)]
	m.clearBatch()
	from, pair := b.docs, b.doc
	switch step % 3 {
	case 1:
		from, pair = b.files, b.pairChunks
	case 2:
		from, pair = b.commits, b.commit
	}
	for _, d := range from.draw(adaptPairs, step) {
		question, passage, key := pair(&m.bags, d)
		m.Questions, m.Passages = append(m.Questions, question), append(m.Passages, passage)
		for i, k := range [...]uint64{key.question, uint64(key.file + 1), uint64(key.commit + 1)} {
			m.alike[i] = append(m.alike[i], k)
		}
	}
	m.Alike = m.alike[:]
	return m.Batch
}

func (m *madeBatch) clearBatch() {
	m.Questions, m.Passages = m.Questions[:0], m.Passages[:0]
	for i := range m.alike {
		m.alike[i] = m.alike[i][:0]
	}
	m.bags.clearBag()
}

// doc pairs a comment or heading with the text below it.
func (b *batcher) doc(bags *bagger, d sample) (question, passage Bag, row maskKey) {
	path, doc, body := splitEncoded(b.corpus.Passages[d.at])
	return bags.question(doc), bags.passage(path, body), maskKey{hashTexts(doc), -1, -1}
}

// pairChunks pairs two chunks of a file. Only one gets the path, because a shared path would be the
// answer.
func (b *batcher) pairChunks(bags *bagger, d sample) (question, passage Bag, row maskKey) {
	s := b.spans[b.corpus.Files[d.at]]
	n := s.to - s.from
	first := d.numberBelow(n)
	second := (first + 1 + d.redraw().numberBelow(n-1)) % n
	_, doc, body := splitEncoded(b.corpus.Passages[s.from+first])
	return bags.passage(doc, body),
		bags.passage(splitEncoded(b.corpus.Passages[s.from+second])),
		maskKey{uint64(s.from + first), -1, -1}
}

// commit pairs a commit's subject with a random chunk of a changed file.
func (b *batcher) commit(bags *bagger, d sample) (question, passage Bag, row maskKey) {
	c := b.changes[d.at]
	_, subject, _ := splitEncoded(b.corpus.Commits[c.commit].Subject)
	s := b.spans[c.file]
	chunk := b.corpus.Passages[s.from+d.numberBelow(s.to-s.from)]
	return bags.question(subject), bags.passage(splitEncoded(chunk)), maskKey{hashTexts(subject), c.file, c.commit}
}

// A bagger makes bags in memory that clearBag makes free again.
type bagger struct {
	numbers *numbering
	ids     []uint16 // numbers of pieces
	weights []float32
	counts  []uint16 // by number; zero between calls
}

func (b *bagger) clearBag() { b.ids, b.weights = b.ids[:0], b.weights[:0] }

// question returns a bag with the weights of Model.Question: each occurrence counts.
func (b *bagger) question(encoded []byte) Bag {
	from := len(b.ids)
	for i := 0; i < len(encoded) && i < 2*questionTokens; i += 2 {
		if id := b.numbers.numberOf(binary.LittleEndian.Uint16(encoded[i:])); id > 0 {
			b.ids, b.weights = append(b.ids, id), append(b.weights, 1)
		}
	}
	return b.bag(from)
}

// passage returns a bag with the weights of Model.Embed: each piece once, by the root of its
// occurrences.
func (b *bagger) passage(parts ...[]byte) Bag {
	from := len(b.ids)
	for _, encoded := range parts {
		for i := 0; i < len(encoded); i += 2 {
			id := b.numbers.numberOf(binary.LittleEndian.Uint16(encoded[i:]))
			if id == 0 {
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

// hashTexts returns the 64-bit FNV-1a hash of the texts in order.
func hashTexts(texts ...[]byte) uint64 {
	h := uint64(14695981039346656037)
	for _, text := range texts {
		for _, b := range text {
			h = (h ^ uint64(b)) * 1099511628211
		}
	}
	return h
}
