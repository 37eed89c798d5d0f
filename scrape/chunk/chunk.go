// Package chunk cuts a text into lines, and lines into the chunks that the store searches.
//
// A parser says which lines belong to which symbol, as Spans. A Cutter makes chunks of these, and
// of the lines between them. Every line that is not blank is in exactly one chunk.
//
// The package knows no language. A Source may be read concurrently. A Cutter must be used by one
// caller.
package chunk

import (
	"strconv"
	"strings"

	"patina/store/doc"
)

// The limits of a chunk.
const (
	MaxLines = 60       // of a chunk; 40 to 80 measured alike
	MaxBytes = 64 << 10 // of each text field of a chunk; the body of the file keeps the rest
)

// A Span is a range of lines that belong to one symbol, or to a block of symbols. Lines count from
// 1.
type Span struct {
	Entry       int // index in Cutter.Entries of the owner, or -1
	First, Last int
}

// A Label is a name and the line on which it starts. It belongs to an entry, a field, or a method
// of an interface.
type Label struct {
	Line int
	Name string
}

// A Cutter makes the chunks of one file. Src must not be nil.
type Cutter struct {
	Src     *Source
	Comment []bool // must have an element for each line, from 0
	Entries []doc.Entry
	Labels  []Label                // must be sorted by line
	Owner   func(doc.Entry) string // returns an entry's name in its chunks; nil: Words of the name
	made    []doc.Chunk
	texts   *Texts
}

// Cut makes the chunks of spans, which must be sorted by first line. It must be called once. If two
// spans share a line, the earlier one keeps it. The lines between spans become chunks of the file
// itself. Each gap is cut on its own, without the blank lines at its edges. A file of blank lines
// has one empty chunk, because its path must be found.
func (c *Cutter) Cut(spans []Span) []doc.Chunk {
	c.texts = TextsOf(c.Src, c.Comment)
	next := 1
	for _, s := range spans {
		first, last := max(s.First, next), min(s.Last, c.Src.Lines())
		if first > last {
			continue // its lines belong to earlier spans
		}
		c.gap(next, first-1)
		c.runs(s.Entry, first, last)
		next = last + 1
	}
	c.gap(next, c.Src.Lines())
	if len(c.made) == 0 {
		c.made = []doc.Chunk{WholeFile(c.Src)}
	}
	return c.made
}

// WholeFile returns the only chunk of a file that is found by its path or its names alone.
func WholeFile(src *Source) doc.Chunk {
	return doc.Chunk{Entry: -1, First: 1, Last: max(1, src.Lines())}
}

func (c *Cutter) gap(first, last int) {
	for first <= last && c.Src.Blank(first) {
		first++
	}
	for first <= last && c.Src.Blank(last) {
		last--
	}
	c.runs(-1, first, last)
}

func (c *Cutter) runs(entry, first, last int) {
	for ; first <= last; first += MaxLines {
		end := min(last, first+MaxLines-1)
		run := doc.Chunk{Entry: entry, First: first, Last: end, Names: c.Names(entry, first, end)}
		run.Doc, run.Body = c.texts.Between(first, end)
		c.made = append(c.made, run)
	}
}

// Names joins the owner's words and all labels that start between two lines, without duplicates.
// Calls must be in the order of lines, because labels before first are dropped.
func (c *Cutter) Names(entry, first, last int) string {
	var names []string
	switch {
	case entry >= 0 && c.Owner != nil:
		names = append(names, c.Owner(c.Entries[entry]))
	case entry >= 0:
		names = append(names, Words(c.Entries[entry].Name))
	}
	for len(c.Labels) > 0 && c.Labels[0].Line < first {
		c.Labels = c.Labels[1:]
	}
	for _, l := range c.Labels {
		if l.Line > last {
			break
		}
		names = append(names, l.Name)
	}
	seen := make(map[string]bool, len(names))
	var b strings.Builder
	for _, n := range names {
		if seen[n] || b.Len() > MaxBytes {
			continue
		}
		seen[n] = true
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(n)
	}
	return Truncate(b.String(), MaxBytes)
}

// Words returns the words of an entry's name. The "#2" of a second name is dropped, and a method
// comes before its type.
func Words(name string) string {
	name, _, _ = strings.Cut(name, "#")
	if scope, method, ok := strings.Cut(name, "."); ok {
		return method + " " + scope
	}
	return name
}

// A Namer makes names unique in a file: the second "init" is "init#2". It must not be nil.
type Namer map[string]int

// Unique returns a name that it has not returned before.
func (n Namer) Unique(name string) string {
	n[name]++
	if n[name] == 1 {
		return name
	}
	return name + "#" + strconv.Itoa(n[name])
}
