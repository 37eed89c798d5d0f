// Package parse turns the text of a file into what the store keeps.
//
// Each reader fills in a doc.File: Go by go/parser (golang.go), other languages by tree-sitter
// (outline.go), code without a parser by the keywords of its definitions (split.go), Markdown,
// reStructuredText, configuration (settings.go), the names in generated code (generated.go), other
// text.
//
// Texts are foreign. A reader that fails or panics costs its own file, which is then plain text.
// Everything here may be called concurrently.
package parse

import (
	"cmp"
	"sync"

	"patina/code/lang"
	"patina/scrape/chunk"
	"patina/scrape/class"
	"patina/scrape/markup"
	"patina/scrape/syntax"
	"patina/store/doc"
)

// A Trouble is a failure to read a file that is indexed all the same.
type Trouble string

const (
	Fine        Trouble = ""
	SyntaxError Trouble = "with syntax errors: what the parser recovered is indexed"
	TooCostly   Trouble = "too large or too costly to parse: indexed as plain text"
	ParserPanic Trouble = "that broke their parser: indexed as plain text"
	Malformed   Trouble = "not in the format of beliefs: indexed as plain Markdown"
)

// An Input is one text, and what else is known about it.
type Input struct {
	Path       string
	Text       []byte // UTF-8
	Stat       doc.Stat
	Hash       string
	Class      doc.Class // bits that other files decide
	Attributes class.Attributes
	Head       []byte // of a decision record: the kep.yaml beside it, or nil
}

// Parse reads one text. It never fails: a file that its parser cannot read is plain text.
func Parse(in Input) (*doc.File, Trouble) {
	file, t := parseInput(in)
	if file.Kind == doc.Code && file.Class&doc.OtherText == 0 {
		file.Messages = messagesOf(file)
	}
	return file, t
}

// parseInput is a file by its parser, without messages.
func parseInput(in Input) (*doc.File, Trouble) {
	l := lang.Of(in.Path, in.Text)
	unread := false // a notebook of which nothing can be read
	if l.Notebook {
		l, unread = readNotebook(&in)
	}
	src := chunk.NewSource(in.Text)
	file := &doc.File{
		Path: in.Path, Language: l.Name, Kind: doc.Code, Stat: in.Stat, Hash: in.Hash,
		Class: in.Attributes.Apply(class.OfPath(in.Path) | in.Class), Lines: src.Lines(), Body: in.Text,
	}
	f := formOf(in)
	if f.decision != nil {
		file.Class &^= doc.Example // it says what holds, wherever it lies
	}
	if unread {
		file.Class |= doc.PathOnly
	}
	switch {
	case file.Class&doc.PathOnly != 0:
		file.Class |= doc.OtherText
		file.Body, file.Chunks = nil, []doc.Chunk{chunk.WholeFile(src)}
		return file, Fine
	case f.read != nil:
		file.Kind = f.kind
		return file, recoverParser(file, src, func() bool { f.read(file); return false })
	case l.Prose == lang.Markdown:
		return filed(file, src, f, func() { readMarkdown(file, src) })
	case l.Prose == lang.Restructured:
		return filed(file, src, f, func() { readRestructured(file, src) })
	case f.decision != nil:
		return filed(file, src, f, func() { readDecision(file, src, f.decision) })
	case !l.Code:
		file.Class |= doc.OtherText
		if class.IsData(l, in.Text) && !isSchema(file.Path, in.Text) {
			file.Class |= doc.Data
		}
	case l.HoldsTests(in.Text):
		file.Class |= doc.TestCode
	}
	comments := sync.OnceValue(func() []bool { return src.CommentLines(&l.Comments) })
	marked, noticed := class.Generated(src, comments)
	if noticed && in.Attributes.Generated != class.No {
		file.Class |= doc.Generated
	}
	switch {
	case in.Attributes.Generated == class.Yes || marked && in.Attributes.Generated != class.No:
		readNames(file, src)
		return file, Fine
	case l.ReadByCompiler:
		t := recoverParser(file, src, func() bool { return readGo(file, src) })
		if t != SyntaxError {
			return file, t
		}
		// What go/parser recovered stays if that is too costly.
		return file, outlineFile(file, src, func() {})
	case syntax.Knows(l.Name):
		return file, outlineFile(file, src, func() { readText(file, src, comments()) })
	}
	return file, recoverParser(file, src, func() bool {
		switch {
		case readSettings(file, src, comments()):
		case l.Code || l.Definitions != nil:
			readSplit(file, src, comments())
		default:
			readText(file, src, comments())
		}
		return false
	})
}

// readNotebook replaces the text of a notebook by that of its cells, and returns their language. It
// reports whether the text is no notebook.
func readNotebook(in *Input) (l *lang.Language, unread bool) {
	find := func(name string) *lang.Language {
		if l, ok := lang.Find(cmp.Or(name, markup.UsualKernel)); ok {
			return l
		}
		return lang.Of(in.Path, nil)
	}
	s, ok := markup.ReadNotebook(in.Text, func(name string) string { return find(name).Comments.Mark() })
	if !ok {
		return lang.Of(in.Path, nil), true
	}
	in.Text = s.Text
	return find(s.Language), false
}

// outlineFile reads a file by tree-sitter. What is too costly to parse is read otherwise.
func outlineFile(file *doc.File, src *chunk.Source, otherwise func()) Trouble {
	costly := false
	t := recoverParser(file, src, func() bool {
		broken, ok := readOutline(file, src)
		if costly = !ok; costly {
			otherwise()
		}
		return broken
	})
	if costly {
		return TooCostly
	}
	return t
}

// recoverParser runs a parser over foreign bytes. If it panics, the file is plain text.
func recoverParser(file *doc.File, src *chunk.Source, parse func() (broken bool)) (t Trouble) {
	before := *file
	defer func() {
		if recover() != nil {
			*file = before
			readText(file, src, make([]bool, src.Lines()))
			t = ParserPanic
		}
	}()
	if parse() {
		return SyntaxError
	}
	return Fine
}
