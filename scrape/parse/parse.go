// Package parse turns the text of a file into rows of the store.
//
// Each reader fills in a doc.File: Go by go/parser (golang.go), other languages by tree-sitter
// (outline.go), code without a parser by the keywords of its definitions (split.go), Markdown,
// reStructuredText, configuration (settings.go), the names in generated code (generated.go), other
// text.
//
// If a reader fails or panics, only its own file becomes plain text, because texts may come from
// strangers. All functions but AddReader may be called concurrently.
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

// A Trouble says how the reading of a file failed. The file is indexed all the same.
type Trouble string

const (
	Fine        Trouble = ""
	SyntaxError Trouble = "with syntax errors: what the parser recovered is indexed"
	TooCostly   Trouble = "too large or too costly to parse: indexed as plain text"
	ParserPanic Trouble = "that broke their parser: indexed as plain text"
	Malformed   Trouble = "not in the format of beliefs: indexed as plain Markdown"
)

// An Input is one text, with everything else that is known about it. Stat, Hash, Class, Attributes
// and Head may be zero.
type Input struct {
	Path       string
	Text       []byte // must be UTF-8
	Stat       doc.Stat
	Hash       string
	Class      doc.Class // bits that depend on other files
	Attributes class.Attributes
	Head       []byte // of a decision record: the kep.yaml next to it, or nil
}

// Parse reads one text. It never fails and never returns nil, because a file that its parser cannot
// read becomes plain text.
func Parse(in Input) (*doc.File, Trouble) {
	file, t := parseInput(in)
	if file.Kind == doc.Code && file.Class&doc.OtherText == 0 {
		file.Messages = messagesOf(file)
	}
	return file, t
}

// parseInput reads a file with its parser, without messages.
func parseInput(in Input) (*doc.File, Trouble) {
	l := lang.Of(in.Path, in.Text)
	unread := false // a notebook that cannot be read
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
		file.Class &^= doc.Example // it states a fact, wherever it is
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
		// If that is too costly, the symbols that go/parser recovered stay.
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

// readNotebook replaces the text of a notebook by that of its cells, and returns their language.
// unread is true if the text is no notebook.
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

// outlineFile reads a file with tree-sitter. It calls otherwise if that is too costly.
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

// recoverParser runs a parser over the file's bytes. If it panics, the file becomes plain text.
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
