// Package scrape reads a folder into a store: its files, and the history of its repository.
//
// It decides what counts (walk.go, ignore.go, read.go), what a file is (language.go, class.go) and which parts of it can
// be found (golang.go, outline.go, markdown.go, text.go, cut into chunks by chunk.go). How rows are kept is the store's affair.
//
// A fresh index of a linked working tree begins with the main one (basis.go).
//
// Everything read here was written by others. A file that cannot be read or parsed costs itself, never the scrape: it
// is left out or indexed as plain text, and counted by reason.
package scrape
