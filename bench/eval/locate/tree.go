package locate

import (
	"context"
	"slices"

	"patina/store"
	"patina/store/lookup"
	"patina/store/scrape"
)

// A Library is an index that gives its files; *store.Reader is one.
type Library interface {
	Chunks(ctx context.Context, f func(store.ChunkText) error) error
	Body(ctx context.Context, docID string) (store.Description, string, error)
}

// An Index is the Library of a reader.
type Index struct{ *store.Reader }

// Body implements Library.
func (x Index) Body(ctx context.Context, docID string) (store.Description, string, error) {
	return lookup.Body(ctx, x.Reader, docID)
}

// A Tree is the files of an index with all their chunks: each of them is a candidate.
type Tree struct {
	Paths    []string       // of files, sorted
	Kinds    []store.Kind   // of each file
	Passages []Passage      // those of one file stand together, in the order of Paths
	Cards    []Passage      // one a file: its path, the names of its symbols and its first lines
	numbers  map[string]int // of files, by path
}

// A Passage is one chunk.
type Passage struct {
	File int // index into Paths
	store.Passage
}

const (
	passageText = 2500 // bytes of code that a passage shows an embedder (embedder.md, Vectors)
	cardText    = 700  // bytes of a file that its card shows
)

// ReadTree reads the files of some kinds. The store keeps lines, not fields: each file is extracted again.
func ReadTree(ctx context.Context, l Library, kinds []store.Kind) (*Tree, error) {
	found := map[string]store.Kind{}
	err := l.Chunks(ctx, func(t store.ChunkText) error {
		if t.Path != "" && slices.Contains(kinds, t.Kind) {
			found[t.Path] = t.Kind
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	t := &Tree{numbers: map[string]int{}}
	for p := range found {
		t.Paths = append(t.Paths, p)
	}
	slices.Sort(t.Paths)
	for i, p := range t.Paths {
		_, body, err := l.Body(ctx, p)
		if err != nil {
			return nil, err
		}
		t.numbers[p] = i
		t.Kinds = append(t.Kinds, found[p])
		t.read(i, scrape.Extract(p, []byte(body)), body)
	}
	return t, nil
}

func (t *Tree) read(number int, f *store.File, body string) {
	p := t.Paths[number]
	names := ""
	for _, e := range f.Entries {
		names += e.Name + "\n"
	}
	for _, c := range f.Chunks {
		doc := c.Doc
		if c.Entry >= 0 && f.Entries[c.Entry].Sort == store.Section {
			doc = f.Entries[c.Entry].Title
		}
		t.Passages = append(t.Passages, Passage{number, store.Passage{Path: p, Doc: doc, Body: c.Body}})
	}
	t.Cards = append(t.Cards, Passage{number, store.Passage{Path: p, Doc: names, Body: upTo(body, cardText)}})
}

// upTo cuts a text to a number of bytes; half a rune at the end is nobody's word.
func upTo(s string, n int) string { return s[:min(n, len(s))] }

// targets are the numbers of the files of a commit that are in the tree and count.
func (t *Tree) targets(files []string) []int {
	var list []int
	for _, f := range files {
		if n, ok := t.numbers[f]; ok && counts(f) {
			list = append(list, n)
		}
	}
	return list
}
