// Package scrape reads a folder into a store: its files, and the history of its repository.
//
// It conducts. Package walk lists the files, jobs.go compares them with the store, and workers
// (files.go) read the changed ones by packages content and parse. Package history reads the commits
// meanwhile (history.go). At the end everything is published as one generation. How rows are kept
// is left to the store.
//
// A fresh index of a linked working tree begins with the main one (basis.go).
//
// Everything read here was written by others. A file that cannot be read or parsed costs itself,
// never the scrape. It is left out or indexed as plain text, and counted by reason.
package scrape
