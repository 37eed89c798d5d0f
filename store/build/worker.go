package build

import (
	"patina/belief"
	"patina/store/doc"
	"patina/store/format"
	"patina/store/text"
)

// segmentChunks is where a worker cuts a segment. It bounds a scrape's memory, whatever the
// repository's size.
const segmentChunks = 1 << 17

// A Worker reads files into a Writer. Each goroutine has its own: the slow steps, inverting and
// compressing, run outside the writer's lock.
type Worker struct {
	w      *Writer
	texts  format.Compressor
	spaces map[string]*inversion
}

// An inversion is one worker's inverted and unwritten part of a space.
type inversion struct {
	text   *text.Inverter
	groups []format.Group
	chunks passages // for every chunk, if there is an embedder
	cards  passages // for every group in a pooled kind
}

// clearInversion empties v, once it is written.
func (v *inversion) clearInversion() {
	v.text.Reset()
	v.groups, v.chunks, v.cards = nil, passages{}, passages{}
}

// Worker returns a new worker.
func (w *Writer) Worker() *Worker {
	k := newWorker(w)
	w.mu.Lock()
	w.workers = append(w.workers, k)
	w.mu.Unlock()
	return k
}

func newWorker(w *Writer) *Worker { return &Worker{w: w, spaces: make(map[string]*inversion)} }

// freeMemory frees tens of megabytes kept between files. Everything must be written already.
func (k *Worker) freeMemory() {
	k.texts = format.Compressor{}
	clear(k.spaces)
}

// Put writes a file in place of the one with the same path.
func (k *Worker) Put(f *doc.File) error {
	return k.PutInTurn(f, func() error { return nil }, func() {})
}

// PutInTurn is Put for workers that keep an order: keys are given in it. It waits before it takes
// the file's key, and calls end once it has.
func (k *Worker) PutInTurn(f *doc.File, wait func() error, end func()) error {
	entries, chunks := format.EncodeEntries(f.Entries), format.EncodeChunks(f.Chunks)
	facts := format.EncodeFacts(format.FileFacts{Imports: f.Imports, Bindings: f.Bindings, Calls: f.Calls, Typed: f.Typed})
	samples := shinglesOf(f)
	var frame []byte
	if f.Class&doc.PathOnly == 0 {
		frame = k.texts.Compress(f.Body)
	}
	key := int64(0)
	if err := wait(); err != nil {
		return err
	}
	err := k.w.do(func() error {
		var err error
		key, err = k.w.insertFile(f, entries, chunks, facts, frame, samples)
		return err
	})
	end()
	if err != nil {
		return err
	}
	return k.invert(f, key)
}

func (w *contents) insertFile(f *doc.File, entries, chunks, facts, frame []byte, samples []uint32) (int64, error) {
	if err := w.remove(f.Path); err != nil {
		return 0, err
	}
	key := w.takeKeys(f)
	err := w.exec(`INSERT INTO file(key, path, kind, language, package, class, functions, lines, hash, entries, chunks, facts)
		VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		key, f.Path, f.Kind, f.Language, f.Package, f.Class, f.Functions, f.Lines, f.Hash, entries, chunks, facts)
	if err != nil {
		return 0, err
	}
	if frame != nil {
		if err := w.exec(`INSERT INTO body(key, frame) VALUES(?, ?)`, key, frame); err != nil {
			return 0, err
		}
	}
	if f.Kind == doc.Code {
		values := make([]any, 0, 3*len(f.Entries))
		for i, e := range f.Entries {
			values = append(values, doc.SymbolName(e), key, i)
		}
		if err := w.insertRows(&symbolRows, values); err != nil {
			return 0, err
		}
	}
	if err := w.insertMessages(f, key); err != nil {
		return 0, err
	}
	if err := w.insertShingles(key, samples); err != nil {
		return 0, err
	}
	if f.Rows != nil {
		if err := belief.Insert(w.exec, key, f.Rows); err != nil {
			return 0, err
		}
	}
	values := make([]any, 0, 2*len(f.Imports))
	for _, t := range f.Imports {
		values = append(values, t, key)
	}
	if err := w.insertRows(&importRows, values); err != nil {
		return 0, err
	}
	w.changed = true
	w.sorts[sort{f.Kind, f.Class}]++
	return key, w.noteFile(f.Path, key, doc.FileState{Stat: f.Stat, Hash: f.Hash})
}

// takeKeys assigns a file its key, and one more for each section that is a document.
func (w *contents) takeKeys(f *doc.File) int64 {
	key := w.nextKey
	w.nextKey++
	if f.Kind.Traits().Shape == doc.OfSections {
		w.nextKey += int64(len(f.Entries))
	}
	for k := key; k < w.nextKey; k++ {
		w.members.Set(k)
	}
	return key
}

func (k *Worker) invert(f *doc.File, key int64) error {
	v, shape := k.space(string(f.Kind)), f.Kind.Traits().Shape
	for i, c := range f.Chunks {
		owner := key
		if shape == doc.OfSections {
			owner += int64(c.Entry) + 1 // a chunk outside every section belongs to the file
		}
		v.addChunk(owner, &[text.NumFields]string{f.Path, c.Names, c.Doc, c.Body}, i > 0)
		if e := k.w.o.Embedder; e != nil {
			v.chunks.addPassage(e, PassageOf(f, c))
		}
	}
	if e := k.w.o.Embedder; e != nil && f.Kind.Traits().Pooled && len(f.Chunks) > 0 {
		v.cards.addPassage(e, CardOf(f))
	}
	return k.cutSegment(string(f.Kind))
}

// addChunk inverts one chunk. more is true if the previous group may be of the same document.
func (v *inversion) addChunk(key int64, fields *[text.NumFields]string, more bool) {
	v.text.Add(fields)
	if n := len(v.groups); more && n > 0 && v.groups[n-1].Key == key {
		v.groups[n-1].Chunks++
		return
	}
	v.groups = append(v.groups, format.Group{Key: key, Chunks: 1})
}

func (k *Worker) space(name string) *inversion {
	v := k.spaces[name]
	if v == nil {
		v = &inversion{text: text.NewInverter()}
		k.spaces[name] = v
	}
	return v
}

// cutSegment writes a segment once the space is large enough.
func (k *Worker) cutSegment(space string) error {
	v := k.spaces[space]
	if v == nil || v.text.Chunks() < segmentChunks {
		return nil
	}
	return k.w.do(func() error { return k.w.flush(space, []*inversion{v}) })
}

// insertMessages stores the messages a file prints. It skips tests.
func (w *contents) insertMessages(f *doc.File, key int64) error {
	if f.Class&(doc.TestFolder|doc.TestName) != 0 {
		return nil
	}
	for _, m := range f.Messages {
		const statement = `INSERT OR IGNORE INTO message(head, whole, file) VALUES(?, ?, ?)`
		if err := w.exec(statement, m.Head, m.Whole, key); err != nil {
			return err
		}
	}
	return nil
}
