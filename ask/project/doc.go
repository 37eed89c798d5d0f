// Package project finds the project around a folder, opens it and scrapes it.
//
// A Place is where a command works: a working tree, its index's store, and the user's home.
// locate.go finds it, and trust.go decides whether its index is trusted. open.go opens an engine on
// it, freshness.go compares its index with HEAD, and scrape.go fills it. names.go reads typed words
// as names in the index, and inspect.go reads a whole index.
//
// It prints nothing and asks no questions. Words, flags and hints belong to the front ends, which
// should recognise its errors with errors.Is and errors.As.
package project
