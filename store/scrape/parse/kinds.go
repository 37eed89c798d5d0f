package parse

import (
	"maps"

	"patina/store"
)

// A Reader fills in the entries and chunks of a file from its body. It may panic on foreign bytes:
// the file is then read as plain text.
type Reader func(*store.File)

// readersOf holds the readers of kinds whose documents are not sections of Markdown or
// reStructuredText.
var readersOf = map[store.Kind]Reader{}

// AddReader makes the reader of a kind known, and returns what makes it unknown again. It is called
// before any scrape.
func AddReader(k store.Kind, read Reader) (remove func()) {
	before := maps.Clone(readersOf)
	readersOf[k] = read
	return func() { readersOf = before }
}

// kindOf returns the kind of the documents in a file by its path, and its reader if it has one.
func kindOf(path string) (store.Kind, Reader) {
	if k, ok := store.KindOfFile(path); ok {
		return k, readersOf[k]
	}
	return store.Pattern, nil
}
