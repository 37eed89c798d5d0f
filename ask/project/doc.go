// Package project finds the project around a folder, opens it and scrapes it.
//
// A Place is where a command works: a working tree, its index's store, the user's home. locate.go
// finds it, and trust.go decides whether its index is believed. open.go opens an engine on it,
// freshness.go compares its index with HEAD, and scrape.go fills it. names.go reads typed words as
// names in the index, and inspect.go reads a whole index.
//
// It prints nothing and asks nobody. Words, flags and hints are left to the front ends, which
// recognise its errors by errors.Is and errors.As.
package project
