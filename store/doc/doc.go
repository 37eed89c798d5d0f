// Package doc defines the values that an index holds and answers carry: files, entries (symbols and
// sections), chunks, commits and their moves, kinds of documents with their traits, filters by
// place, time and author, ranked documents and descriptions, and the interfaces of embedders.
//
// It reads no file and no database and needs no cgo, so that code which only handles values builds
// without them. Package store keeps these values.
package doc
