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
var readersOf = map[store.Kind]Reader{store.Belief: readBelief, store.Session: readSession}

// brokenOf says why a text breaks the format of a kind, or returns "".
var brokenOf = map[store.Kind]func(body []byte) string{store.Belief: brokenBelief}

// AddReader makes the reader of a kind known, and returns what makes it unknown again. It is called
// before any scrape.
func AddReader(k store.Kind, read Reader) (remove func()) {
	before := maps.Clone(readersOf)
	readersOf[k] = read
	return func() { readersOf = before }
}

// kindOf returns the kind of the documents in a file by its path, and its reader if it has one. A
// Malformed file has sections.
func kindOf(path string, body []byte) (store.Kind, Reader, Trouble) {
	k, ok := store.KindOfFile(path)
	switch {
	case !ok:
		return store.Pattern, nil, Fine
	case Reason(path, body) != "":
		return store.Pattern, nil, Malformed
	}
	return k, readersOf[k], Fine
}

// Reason says why a file is Malformed, or returns "".
func Reason(path string, body []byte) string {
	if k, ok := store.KindOfFile(path); ok && brokenOf[k] != nil {
		return brokenOf[k](body)
	}
	return ""
}
