package rankings

import (
	"context"
	"maps"
	"slices"

	"patina/bench/eval"
	"patina/code/describe"
	"patina/code/lookup"
	"patina/scrape"
	"patina/store"
	"patina/store/doc"
)

// A Reader returns the texts of an index.
type Reader struct{ *store.Reader }

// Chunks calls f with the text of every chunk.
func (x Reader) Chunks(ctx context.Context, f func(lookup.ChunkText) error) error {
	return lookup.Chunks(ctx, x.Reader, f)
}

// Body returns the text of a document.
func (x Reader) Body(ctx context.Context, docID string) (doc.Description, string, error) {
	return describe.Body(ctx, x.Reader, docID)
}

// An extracted is an indexed file that was extracted again.
type extracted struct {
	*doc.File
	path string
	body string
}

// eachFile calls f with the files of some kinds, in path order. It extracts each file again,
// because the store keeps lines, not fields.
func eachFile(ctx context.Context, l Reader, kinds []doc.Kind, f func(extracted) error) error {
	paths := map[string]bool{}
	err := l.Chunks(ctx, func(t lookup.ChunkText) error {
		if t.Path != "" && slices.Contains(kinds, t.Kind) {
			paths[t.Path] = true
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, p := range slices.Sorted(maps.Keys(paths)) {
		_, body, err := l.Body(ctx, p)
		if err != nil {
			return err
		}
		if err := f(extracted{scrape.Extract(p, []byte(body)), p, body}); err != nil {
			return err
		}
	}
	return nil
}

// A Tree has the files of an index with all their chunks. Each chunk is a candidate.
type Tree struct {
	Paths []string // sorted
	// Passages has the chunks of a file one after another, in the order of Paths.
	Passages []Passage
	// Cards has one entry for each file: its path, symbol names and first lines.
	Cards   []Passage
	numbers map[string]int // file numbers by path
}

// A Passage is one chunk.
type Passage struct {
	File int // index into Paths
	doc.Passage
}

const (
	passageText = 2500 // bytes of code in a passage for an embedder
	cardText    = 700  // bytes of the file in its card
)

// ReadTree reads the files of some kinds. kinds must not be empty.
func ReadTree(ctx context.Context, l Reader, kinds []doc.Kind) (*Tree, error) {
	t := &Tree{numbers: map[string]int{}}
	return t, eachFile(ctx, l, kinds, func(f extracted) error {
		t.add(f)
		return nil
	})
}

func (t *Tree) add(f extracted) {
	number, names := len(t.Paths), ""
	t.Paths = append(t.Paths, f.path)
	t.numbers[f.path] = number
	for _, e := range f.Entries {
		names += e.Name + "\n"
	}
	for _, c := range f.Chunks {
		comment := c.Doc
		if c.Entry >= 0 && f.Entries[c.Entry].Sort == doc.Section {
			comment = f.Entries[c.Entry].Title
		}
		t.Passages = append(t.Passages, Passage{number, doc.Passage{Path: f.path, Doc: comment, Body: c.Body}})
	}
	t.Cards = append(t.Cards, Passage{number, doc.Passage{Path: f.path, Doc: names, Body: upTo(f.body, cardText)}})
}

// fileOf returns the file of each passage.
func fileOf(passages []Passage) []int {
	list := make([]int, len(passages))
	for i, p := range passages {
		list[i] = p.File
	}
	return list
}

// upTo cuts a text to n bytes. It may cut within a character, because half a character matches no
// word.
func upTo(s string, n int) string { return s[:min(n, len(s))] }

// targets returns the numbers of a commit's relevant files in the tree.
func (t *Tree) targets(files []string) []int {
	var list []int
	for _, f := range files {
		if n, ok := t.numbers[f]; ok && eval.Counts(f) {
			list = append(list, n)
		}
	}
	return list
}
