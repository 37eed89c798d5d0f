package scrape

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"patina/store"
)

const (
	chunkLines = 60       // lines of a chunk at most (ranking.md A1; 40 to 80 measured alike)
	chunkBytes = 64 << 10 // bytes of each text field of a chunk at most; what a file of endless lines loses stays in its body
)

// A source is a text cut into lines, counted from 1. A newline at the end starts no line.
type source struct {
	text   []byte
	starts []int // where each line starts, and the end of the text
}

func newSource(text []byte) *source {
	starts := make([]int, 1, 2+bytes.Count(text, []byte{'\n'}))
	for i := 0; i < len(text); {
		n := bytes.IndexByte(text[i:], '\n')
		if n < 0 {
			break
		}
		i += n + 1
		starts = append(starts, i)
	}
	if starts[len(starts)-1] < len(text) {
		starts = append(starts, len(text))
	}
	return &source{text: text, starts: starts}
}

func (s *source) lines() int { return len(s.starts) - 1 }

// line returns a line without its end.
func (s *source) line(n int) []byte {
	return bytes.TrimRight(s.text[s.starts[n-1]:s.starts[n]], "\r\n")
}

func (s *source) blank(n int) bool { return len(bytes.TrimSpace(s.line(n))) == 0 }

// lineAt returns the line that a byte is on, kept within the text.
func (s *source) lineAt(at int) int {
	n, found := slices.BinarySearch(s.starts, at)
	if found {
		n++
	}
	return max(1, min(n, s.lines()))
}

// beginsLine reports whether nothing but space stands before a byte on its line.
func (s *source) beginsLine(at int) bool {
	return len(bytes.TrimSpace(s.text[s.starts[s.lineAt(at)-1]:at])) == 0
}

// markComment marks the lines of one comment, its first and last only if nothing else stands on them.
func (s *source) markComment(marked []bool, from, to int) {
	first, _ := slices.BinarySearch(s.starts, from+1)
	for n := first; n <= s.lines() && s.starts[n-1] < to; n++ {
		before := s.text[s.starts[n-1]:max(from, s.starts[n-1])]
		behind := s.text[min(to, s.starts[n]):s.starts[n]]
		marked[n-1] = len(bytes.TrimSpace(before)) == 0 && len(bytes.TrimSpace(behind)) == 0
	}
}

// A span is the lines that a symbol, or a block of symbols, has to itself.
type span struct {
	entry       int // that owns it, or -1
	first, last int
}

// A label is a name and the line on which it starts: of an entry, a field or a method of an interface.
type label struct {
	line int
	name string
}

// A cutter makes the chunks of one file.
type cutter struct {
	src     *source
	comment []bool // for each line, from 0
	entries []store.Entry
	labels  []label                  // by line
	owner   func(store.Entry) string // the words by which a chunk knows its entry; nil: those of its name
	made    []store.Chunk
}

// cut makes the chunks of spans, which come by first line. Where two share a line, the earlier one keeps it. The lines in
// between are cut into chunks of the file itself, each gap by itself and without the blank lines at its edges: so every
// line that is not blank lies in exactly one chunk. A file without any such line has one empty chunk, for its path.
func (c *cutter) cut(spans []span) []store.Chunk {
	next := 1
	for _, s := range spans {
		first, last := max(s.first, next), min(s.last, c.src.lines())
		if first > last {
			continue // lies on lines of others
		}
		c.gap(next, first-1)
		c.runs(s.entry, first, last)
		next = last + 1
	}
	c.gap(next, c.src.lines())
	if len(c.made) == 0 {
		c.made = []store.Chunk{wholeFile(c.src)}
	}
	return c.made
}

// wholeFile is the chunk of a file that is found by its path, or by names given later.
func wholeFile(src *source) store.Chunk {
	return store.Chunk{Entry: -1, First: 1, Last: max(1, src.lines())}
}

func (c *cutter) gap(first, last int) {
	for first <= last && c.src.blank(first) {
		first++
	}
	for first <= last && c.src.blank(last) {
		last--
	}
	c.runs(-1, first, last)
}

func (c *cutter) runs(entry, first, last int) {
	for ; first <= last; first += chunkLines {
		end := min(last, first+chunkLines-1)
		run := store.Chunk{Entry: entry, First: first, Last: end, Names: c.names(entry, first, end)}
		run.Doc, run.Body = c.texts(first, end)
		c.made = append(c.made, run)
	}
}

// names joins the owner's name and scope with all that starts inside the run, each once.
func (c *cutter) names(entry, first, last int) string {
	var names []string
	switch {
	case entry >= 0 && c.owner != nil:
		names = append(names, c.owner(c.entries[entry]))
	case entry >= 0:
		names = append(names, bareName(c.entries[entry].Name))
	}
	for len(c.labels) > 0 && c.labels[0].line < first {
		c.labels = c.labels[1:]
	}
	for _, l := range c.labels {
		if l.line > last {
			break
		}
		names = append(names, l.name)
	}
	seen := make(map[string]bool, len(names))
	var b strings.Builder
	for _, n := range names {
		if seen[n] || b.Len() > chunkBytes {
			continue
		}
		seen[n] = true
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(n)
	}
	return cut(b.String(), chunkBytes)
}

// bareName drops the "#2" of a second name and puts a method before its type: both are words of the names field.
func bareName(name string) string {
	name, _, _ = strings.Cut(name, "#")
	if scope, method, ok := strings.Cut(name, "."); ok {
		return method + " " + scope
	}
	return name
}

// texts parts comment lines from the others.
func (c *cutter) texts(first, last int) (doc, body string) {
	var d, b strings.Builder
	for n := first; n <= last; n++ {
		to := &b
		if c.comment[n-1] {
			to = &d
		}
		if to.Len() < chunkBytes {
			to.Write(c.src.line(n))
			to.WriteByte('\n')
		}
	}
	return cut(d.String(), chunkBytes), cut(b.String(), chunkBytes)
}

// cut shortens a text to at most max bytes, at the start of a rune.
func cut(text string, max int) string {
	if len(text) <= max {
		return text
	}
	for max > 0 && !utf8.RuneStart(text[max]) {
		max--
	}
	return text[:max]
}

// A namer makes names unique in a file: the second "init" is "init#2".
type namer map[string]int

func (n namer) unique(name string) string {
	n[name]++
	if n[name] == 1 {
		return name
	}
	return name + "#" + strconv.Itoa(n[name])
}
