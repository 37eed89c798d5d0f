// Package doc defines the values in an index and in answers: files, entries (symbols and sections),
// chunks, commits and their moves, kinds of documents with their traits, filters by place, time and
// author, ranked documents and descriptions, and the interfaces of embedders.
//
// It reads no file and no database and must not need cgo, because code that only handles values
// should build without them. Package store keeps these values.
package doc
