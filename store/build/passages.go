package build

import (
	"strings"
	"unicode/utf8"

	"patina/store/doc"
)

// passages are encoded passages, packed into one slice.
type passages struct {
	bytes []byte
	ends  []uint32
}

func (p *passages) addPassage(e doc.Embedder, x doc.Passage) {
	p.bytes = e.Encode(p.bytes, x)
	p.ends = append(p.ends, uint32(len(p.bytes)))
}

// push adds an encoded passage.
func (p *passages) push(encoded []byte) {
	p.bytes = append(p.bytes, encoded...)
	p.ends = append(p.ends, uint32(len(p.bytes)))
}

func (p *passages) len() int { return len(p.ends) }

func (p *passages) passageAt(i int) []byte {
	from := uint32(0)
	if i > 0 {
		from = p.ends[i-1]
	}
	return p.bytes[from:p.ends[i]:p.ends[i]]
}

// A file's card holds its path, its names and its first characters (docs/ranking.md, "Meaning").
const (
	cardText  = 700  // characters
	cardNames = 2048 // bytes: more names than a model reads
)

// PassageOf returns a chunk as an embedder's passage. A chunk with names only, from a generated
// file, uses them as its body.
func PassageOf(f *doc.File, c doc.Chunk) doc.Passage {
	p := doc.Passage{Path: f.Path, Doc: c.Doc, Body: c.Body}
	if f.Kind != doc.Code && c.Entry >= 0 {
		p.Doc, p.Body = f.Entries[c.Entry].Title, strings.TrimPrefix(c.Doc+"\n"+c.Body, "\n")
	}
	if p.Body == "" {
		p.Body = c.Names
	}
	return p
}

// CardOf returns the passage for a whole file.
func CardOf(f *doc.File) doc.Passage {
	var names strings.Builder
	for _, e := range f.Entries {
		if names.Len() > cardNames {
			break
		}
		names.WriteString(e.Name + " ")
	}
	return doc.Passage{Path: f.Path, Doc: names.String(), Body: firstRunes(f.Body, cardText)}
}

// firstRunes returns the first n characters.
func firstRunes(b []byte, n int) string {
	at := 0
	for range n {
		_, size := utf8.DecodeRune(b[at:])
		at += size
	}
	return string(b[:at])
}
