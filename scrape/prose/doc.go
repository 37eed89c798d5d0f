// Package prose reads the blocks of a document: headings, paragraphs, list items and table rows,
// each with its lines, and the sentences in them.
//
// It knows Markdown, reStructuredText and AsciiDoc as far as people write decisions and rules in
// them. It leaves out code, comments and directives. Reading never fails, because texts may come
// from strangers, and its work is limited by the constants below.
//
// Three kinds of documents are read further, each quoted with its lines. Decision records: the
// forms of Nygard and adr-tools, MADR, log4brains, the RFCs of Rust and similar projects,
// Kubernetes Enhancement Proposals and Python's PEPs (decisionpath.go, record.go, status.go,
// edge.go, names.go). Rules for agents and contributors: AGENTS.md and similar files, contribution
// guides and style guides (path.go, rule.go, verbs.go). Sessions of work (session.go).
//
// It also finds the sentences that give reasons, in comments and in the bodies of commits. Such a
// sentence names an alternative or a constraint, and a cause. It is quoted unchanged, on one line.
//
// It is pure: bytes in, blocks out. Any bytes give a result in bounded time. All functions may be
// called concurrently.
package prose

import (
	"path"
	"strings"
)

// The limits of one document. The text after them is not read, and Document.Cut is set.
const (
	maxBytes  = 1 << 20 // longer than any decision record or rule file in public use
	maxBlocks = 20_000
	maxBlock  = 16 << 10 // bytes of one block's text
)

// A Format is the markup of a document.
type Format int8

// The formats.
const (
	Markdown Format = iota
	Restructured
	AsciiDoc
)

// FormatOf returns the format of a file, and whether it is a document.
func FormatOf(name string) (Format, bool) {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown", ".mdx", ".mdc":
		return Markdown, true
	case ".rst":
		return Restructured, true
	case ".adoc", ".asciidoc":
		return AsciiDoc, true
	}
	return Markdown, false
}

// A Document is the outline of one text.
type Document struct {
	Front  []Field // the front matter, in its order
	Blocks []Block
	Cut    bool // the text continues after the limits
}

// A Field is a name with a value, and its line.
type Field struct {
	Name  string // in lower case, words joined by "-"
	Value string
	Line  int
}

// A Kind is the role of a block.
type Kind int8

// The kinds of blocks.
const (
	Paragraph Kind = iota
	Heading
	Item
	Row   // of a table
	Quote // a paragraph that is set apart
)

// A Block is one piece of writing. Its text has the lines of the source, without the marks of its
// kind, and with its inline marks.
type Block struct {
	Kind    Kind
	Level   int  // of a heading, from 1; the columns before an item
	Ordered bool // an item with a number
	First   int
	Last    int
	Text    string
}
