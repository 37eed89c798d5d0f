package scrape

import (
	"patina/store"
	"patina/store/scrape/syntax"
)

// A trouble is what went wrong with a file that is indexed all the same.
type trouble string

const (
	fine        trouble = ""
	syntaxError trouble = "with syntax errors: what the parser recovered is indexed"
	tooCostly   trouble = "too large or too costly to parse: indexed as plain text"
	parserPanic trouble = "that broke their parser: indexed as plain text"
)

// An input is one text, with what is known of it from elsewhere.
type input struct {
	path  string
	text  []byte // UTF-8
	stat  store.Stat
	hash  string
	class store.Class // the bits that other files decide
	marks marks
}

// extract turns a file's content into what the store keeps. extra are the bits of its class that other files decide.
// It never fails: a file that its parser cannot read is plain text.
func extract(in input) (*store.File, trouble) {
	file, t := parsed(in)
	if file.Kind == store.Code && file.Class&store.OtherText == 0 {
		file.Messages = messagesOf(file)
	}
	return file, t
}

// parsed is a file by its parser, without messages.
func parsed(in input) (*store.File, trouble) {
	src := newSource(in.text)
	lang := languageOf(in.path, in.text)
	file := &store.File{
		Path: in.path, Language: lang.name, Kind: store.Code, Stat: in.stat, Hash: in.hash,
		Class: in.marks.apply(pathClass(in.path) | in.class), Lines: src.lines(), Body: in.text,
	}
	switch {
	case file.Class&store.PathOnly != 0:
		file.Class |= store.OtherText
		file.Body, file.Chunks = nil, []store.Chunk{wholeFile(src)}
		return file, fine
	case lang.name == "Markdown":
		file.Kind = store.Pattern
		return file, guarded(file, src, func() bool { readMarkdown(file, src); return false })
	case lang.name == "reStructuredText":
		file.Kind = store.Pattern
		return file, guarded(file, src, func() bool { readRestructured(file, src); return false })
	case !lang.code:
		file.Class |= store.OtherText
	case holdsTests(lang.name, in.text):
		file.Class |= store.TestCode
	}
	comment := lang.comment.comments(src)
	marked, noticed := generated(src, comment)
	if noticed && in.marks.generated != no {
		file.Class |= store.Generated
	}
	switch {
	case in.marks.generated == yes || marked && in.marks.generated != no:
		readNames(file, src)
		return file, fine
	case lang.name == "Go":
		t := guarded(file, src, func() bool { return readGo(file, src) })
		if t != syntaxError {
			return file, t
		}
		return file, outlined(file, src, func() {}) // keeps what go/parser recovered if it is too costly
	case syntax.Knows(lang.name):
		return file, outlined(file, src, func() { readText(file, src, comment) })
	}
	readText(file, src, comment)
	return file, fine
}

// outlined reads a file by tree-sitter. What is too costly to parse is read otherwise.
func outlined(file *store.File, src *source, otherwise func()) trouble {
	costly := false
	t := guarded(file, src, func() bool {
		broken, ok := readOutline(file, src)
		if costly = !ok; costly {
			otherwise()
		}
		return broken
	})
	if costly {
		return tooCostly
	}
	return t
}

// guarded runs a parser over foreign bytes. If it panics, the file is plain text. The parser reports broken syntax.
func guarded(file *store.File, src *source, parse func() (broken bool)) (t trouble) {
	before := *file
	defer func() {
		if recover() != nil {
			*file = before
			readText(file, src, make([]bool, src.lines()))
			t = parserPanic
		}
	}()
	if parse() {
		return syntaxError
	}
	return fine
}
