package describe

import (
	"context"
	"slices"

	"patina/store"
	"patina/store/doc"
	"patina/store/excerpt"
	"patina/store/text"
)

// A Page is a file that is read once for a question and then rated and described.
type Page struct {
	file   *store.KeptFile
	lines  text.Lines
	found  []excerpt.Found // the chunks from which choice was made
	choice excerpt.Choice
	chosen bool
}

// OpenPage reads a file and chooses the part of its chunks that answers best. words must not be
// nil. The error wraps sql.ErrNoRows if this generation has no such file.
func OpenPage(
	ctx context.Context, r *store.Reader, path string, words *excerpt.Words, found []excerpt.Found,
) (*Page, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	p, err := wholePage(ctx, r, snap, path)
	if err != nil {
		return nil, err
	}
	p.found = found
	p.choice, p.chosen = words.Choose(p.excerptText(), found, 1)
	return p, nil
}

// wholePage reads a file and its lines.
func wholePage(ctx context.Context, r *store.Reader, snap *store.Snapshot, path string) (*Page, error) {
	f, err := r.KeptFile(ctx, snap, path)
	if err != nil {
		return nil, err
	}
	p := &Page{file: f}
	p.lines, err = linesOf(ctx, r, f.File.Key)
	return p, err
}

// readLines returns the file's lines. It reads them if they were not read before.
func (p *Page) readLines(ctx context.Context, r *store.Reader) (lines text.Lines, err error) {
	if p.lines.Len() == 0 {
		return linesOf(ctx, r, p.file.File.Key)
	}
	return p.lines, nil
}

// Answer returns how well the best part answers the question, from 0 to about 2.
func (p *Page) Answer() float64 { return p.choice.Answer }

func sameChunks(a, b excerpt.Found) bool {
	return slices.Equal(a.Chunks, b.Chunks) && slices.Equal(a.Near, b.Near)
}

func (p *Page) excerptText() *excerpt.Text {
	return &excerpt.Text{
		Lines: p.lines, Entries: p.file.Entries, Chunks: p.file.Chunks, Test: doc.IsTest(p.file.File.Class),
	}
}

// choose returns the best part of the wanted chunks. It reuses the page's choice if that was made
// from the same chunks.
func (p *Page) choose(w Want) (excerpt.Choice, bool) {
	if p.found != nil && w.Places <= 1 && slices.EqualFunc(p.found, w.Found, sameChunks) {
		return p.choice, p.chosen
	}
	return w.Words.Choose(p.excerptText(), w.Found, w.Places)
}
