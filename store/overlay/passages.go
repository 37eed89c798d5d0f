package overlay

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"patina/code/lang"
	"patina/scrape/chunk"
	"patina/store"
	"patina/store/build"
	"patina/store/doc"
)

// A passageReader reads the passages of a segment back from the index, row by row. They are those
// that the built-in vectors were made of, but for lines that a parser and the rules of
// lang.Comments tell apart in another way: such a line is in Body instead of Doc, or the other way
// round.
type passageReader struct {
	r *store.Reader
	g *store.Segment

	file   store.FileRow // the last one
	doc    *doc.File     // the same with its entries, chunks and text; nil before the first
	runs   []run
	commit int64 // the key of the last commit
	parts  []doc.Passage
}

// A run is the chunks of one group in a file.
type run struct {
	key      int64
	passages []doc.Passage
}

// passage returns the passage of a row. ok is false if the document is in no working tree anymore,
// and its text is gone.
func (p *passageReader) passage(ctx context.Context, row int64) (x doc.Passage, ok bool, err error) {
	if card := int(row - int64(p.g.Chunks)); card >= 0 {
		_, ok, err := p.chunksOf(ctx, card)
		if !ok || err != nil {
			return x, false, err
		}
		return build.CardOf(p.doc), true, nil
	}
	group, exact := slices.BinarySearch(p.g.Starts, uint32(row))
	if !exact {
		group--
	}
	for p.g.Starts[group+1] == uint32(row) { // groups without chunks
		group++
	}
	parts, ok, err := p.chunksOf(ctx, group)
	if !ok || err != nil {
		return x, false, err
	}
	return parts[row-int64(p.g.Starts[group])], true, nil
}

// chunksOf returns the passages of a group's chunks.
func (p *passageReader) chunksOf(ctx context.Context, group int) (parts []doc.Passage, ok bool, err error) {
	k := p.g.Keys[group]
	if doc.Kind(p.g.Space).Traits().Shape == doc.OfRows {
		parts, err = p.message(ctx, k)
	} else {
		parts, err = p.section(ctx, group)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	if n := int(p.g.Starts[group+1] - p.g.Starts[group]); err == nil && len(parts) != n {
		err = fmt.Errorf("document %d has %d chunks, its segment %d: %w", k, len(parts), n, store.ErrDamaged)
	}
	return parts, err == nil, err
}

// message returns the passages of a commit.
func (p *passageReader) message(ctx context.Context, k int64) ([]doc.Passage, error) {
	if p.commit == k {
		return p.parts, nil
	}
	v, files, err := p.r.RevisionAt(ctx, k)
	if err != nil {
		return nil, err
	}
	v.Revision.Files = files
	p.commit, p.parts = k, build.MessagePassages(v.Revision)
	return p.parts, nil
}

// section returns the passages of a group in a file. A section may have several groups, which are
// in the order of the file.
func (p *passageReader) section(ctx context.Context, group int) ([]doc.Passage, error) {
	k := p.g.Keys[group]
	if err := p.openFile(ctx, k); err != nil {
		return nil, err
	}
	before := 0
	for i := group - 1; i >= 0 && p.hasKey(p.g.Keys[i]); i-- {
		if p.g.Keys[i] == k {
			before++
		}
	}
	for _, x := range p.runs {
		if x.key == k {
			if before == 0 {
				return x.passages, nil
			}
			before--
		}
	}
	return nil, sql.ErrNoRows
}

// hasKey reports whether a key is that of the last file or of a section in it.
func (p *passageReader) hasKey(k int64) bool {
	if p.doc == nil || k < p.file.Key {
		return false
	}
	last := p.file.Key
	if p.doc.Kind.Traits().Shape == doc.OfSections {
		last += int64(len(p.doc.Entries))
	}
	return k <= last
}

// openFile reads the file of a key. The error is sql.ErrNoRows if it does not exist.
func (p *passageReader) openFile(ctx context.Context, k int64) error {
	if p.hasKey(k) {
		return nil
	}
	f, err := p.r.FileAt(ctx, k)
	if err != nil {
		return err
	}
	parts, err := store.OpenParts(f)
	if err != nil {
		return err
	}
	p.file, p.doc = f, &doc.File{Path: f.Path, Kind: f.Kind, Language: f.Language, Class: f.Class, Entries: parts.Entries}
	if !p.hasKey(k) {
		p.doc = nil
		return sql.ErrNoRows
	}
	text := ""
	if f.Class&doc.PathOnly == 0 {
		if text, err = p.r.Text(ctx, f.Key); err != nil {
			p.doc = nil
			return err
		}
	}
	p.doc.Body = []byte(text)
	p.cut(parts.Chunks)
	return nil
}

// cut makes the passages of the file's chunks, given by their lines.
func (p *passageReader) cut(spans []doc.Span) {
	f := p.doc
	src := chunk.NewSource(f.Body)
	comment := make([]bool, src.Lines())
	if len(f.Kind.Traits().Files) == 0 && f.Kind.Traits().Shape == doc.OfFiles { // a file of code
		comment = src.CommentLines(&lang.Named(f.Language).Comments)
	}
	texts := chunk.TextsOf(src, comment)
	p.runs = p.runs[:0]
	for i, s := range spans {
		c := doc.Chunk{Entry: s.Entry, First: s.First, Last: s.Last}
		if first, last := max(1, s.First), min(s.Last, src.Lines()); first <= last && !namesAlone(f, spans) {
			c.Doc, c.Body = texts.Between(first, last)
		} else {
			c.Names = allNames(f.Entries)
		}
		owner := p.file.Key
		if f.Kind.Traits().Shape == doc.OfSections {
			owner += int64(s.Entry) + 1
		}
		if n := len(p.runs); i == 0 || p.runs[n-1].key != owner {
			p.runs = append(p.runs, run{key: owner})
		}
		last := &p.runs[len(p.runs)-1]
		last.passages = append(last.passages, build.PassageOf(f, c))
	}
}

// namesAlone reports whether a file is indexed by its names: a generated one with one chunk of its
// own.
func namesAlone(f *doc.File, spans []doc.Span) bool {
	return f.Class&doc.Generated != 0 && len(spans) == 1 && spans[0].Entry < 0 &&
		(len(f.Entries) > 0 || spans[0].Last > chunk.MaxLines)
}

// allNames returns the words of all entries' names, each once.
func allNames(es []doc.Entry) string {
	seen := make(map[string]bool, len(es))
	var names []string
	for _, e := range es {
		if n := chunk.Words(e.Name); !seen[n] {
			seen[n] = true
			names = append(names, n)
		}
	}
	return chunk.Truncate(strings.Join(names, " "), chunk.MaxBytes)
}
