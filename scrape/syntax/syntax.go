// Package syntax reads the outline of a program's text: definitions, calls, imports and comments.
// Tree-sitter parses; code/lang says what the nodes of each language mean (docs/indexing.md).
//
// Texts are foreign. Of a broken one the recovered part is returned; one that costs too much is
// refused. Everything here may be called concurrently.
package syntax

import (
	"errors"
	"slices"

	"patina/scrape/markup"
	"patina/store/doc"
)

// ErrTooCostly says that a text is too large, or took the parser more work than any real text.
var ErrTooCostly = errors.New("too costly to parse")

// An Outline holds the parts of a text. Places are bytes.
type Outline struct {
	Symbols  []Symbol      // an enclosing one before those inside
	Labels   []Label       // names that are no symbols, as of fields, in the order of the text
	Calls    []Call        // in the order of the text
	Imports  []string      // each once, in the order of the text
	Bindings []doc.Binding // each once, in the order of the text
	Typed    []Typed       // variables with declared types, in the order of the text
	Comments []Range       // comments and docstrings, in the order of the text
	Errors   []Range       // of several lines, in which the parser knew no way on
	Broken   bool          // the text has syntax errors
	Wrong    int           // bytes that the parser left out
}

// A Symbol is a named part of the text.
type Symbol struct {
	Range         // with decorators, "export", "template <…>"; not the comment above
	Name   string // "f", or "Type.method" with the nearest type around it
	Sort   doc.Sort
	At     int    // where its name stands
	Title  string // its signature, white space folded
	Doc    string // the docstring inside with its quotes; mostly empty
	Parent int    // index of the symbol around it, or -1
	Local  bool   // inside a function
	// Declares says that it is a prototype: a function of C or C++ without its body.
	Declares bool
}

// A Range is a part of the text.
type Range struct{ Start, End int }

// A Label is a name that something around it owns.
type Label struct {
	At   int
	Name string
}

// A Call is one call site. Name is as written, without arguments: "f", "x.f", "A::b". It is "_.f"
// after an expression that is no name.
type Call struct {
	Name   string
	At     int
	Symbol int // index of the innermost symbol around it, or -1
}

// Knows reports whether Read reads a language: there is a table for it, or for the scripts in it.
func Knows(language string) bool {
	_, ok := grammars[language]
	return ok || markup.Knows(language)
}

// Languages lists the languages that the package Knows.
func Languages() []string {
	names := markup.Languages()
	for name := range grammars {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Read returns the outline of a text in a language that the package Knows. Its only error is
// ErrTooCostly.
func Read(language string, text []byte) (*Outline, error) {
	if markup.Knows(language) {
		return readMarkup(language, text)
	}
	t, err := parseText(grammars[language], text)
	if err != nil {
		return nil, err
	}
	defer t.free()
	r := reader{tree: t, at: -1}
	r.readTree()
	return &r.out, nil
}
