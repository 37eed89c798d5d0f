// Package syntax reads the outline of a program's text: definitions, calls, imports and comments.
// Tree-sitter parses, and code/lang gives the meaning of each language's nodes (docs/indexing.md).
//
// Of a broken text the recovered part is returned. A text that costs too much is refused, because
// it may come from a stranger. All functions may be called concurrently.
package syntax

import (
	"errors"
	"slices"

	"patina/scrape/markup"
	"patina/store/doc"
)

// ErrTooCostly is returned for a text that is too large, or takes the parser more work than any
// real text.
var ErrTooCostly = errors.New("too costly to parse")

// An Outline has the parts of a text. Places are bytes.
type Outline struct {
	Symbols  []Symbol      // an enclosing one before those inside
	Labels   []Label       // names that are no symbols, such as fields, in the order of the text
	Calls    []Call        // in the order of the text
	Imports  []string      // each once, in the order of the text
	Bindings []doc.Binding // each once, in the order of the text
	Typed    []Typed       // variables with declared types, in the order of the text
	Comments []Range       // comments and docstrings, in the order of the text
	Errors   []Range       // of several lines, which the parser could not read
	Broken   bool          // the text has syntax errors
	Wrong    int           // bytes that the parser left out
}

// A Symbol is a named part of the text.
type Symbol struct {
	Range         // with decorators, "export", "template <…>"; not the comment above
	Name   string // "f", or "Type.method" with the nearest type around it
	Sort   doc.Sort
	At     int    // place of its name
	Title  string // its signature, white space folded
	Doc    string // the docstring inside with its quotes; mostly empty
	Parent int    // index of the symbol around it, or -1
	Local  bool   // inside a function
	// Declares is true for a prototype: a function of C or C++ without its body.
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

// Knows reports whether Read reads a language: there is a parser for it, or for the scripts in it.
func Knows(language string) bool {
	_, ok := grammars()[language]
	return ok || markup.Knows(language)
}

// Languages returns the names of the languages that Read reads, sorted.
func Languages() []string {
	names := markup.Languages()
	for name := range grammars() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Read returns the outline of a text. Knows must report true for the language. The only error is
// ErrTooCostly, and the outline is nil then.
func Read(language string, text []byte) (*Outline, error) {
	if markup.Knows(language) {
		return readMarkup(language, text)
	}
	t, err := parseText(grammars()[language], text)
	if err != nil {
		return nil, err
	}
	defer t.free()
	r := reader{tree: t, at: -1}
	r.readTree()
	return &r.out, nil
}
