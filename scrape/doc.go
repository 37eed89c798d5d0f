// Package scrape reads a folder into a store: its files, and its repository's history.
//
// It coordinates. Package walk lists the files, jobs.go compares them with the store, and workers
// (files.go) read the changed ones through packages content and parse. Package history reads the
// commits meanwhile (history.go). At the end everything is published as one generation. A fresh
// index for a linked working tree begins with the main one (basis.go).
//
// It promises that an updated store holds what a fresh one holds, and that a failed scrape leaves
// the store as it was. The vectors of an updated store keep the model that they were first made
// with; bench/history/updates.md says how far answers differ. Everything read here was written by
// others. A file that cannot be read or parsed costs itself, never the scrape. It is left out or
// indexed as plain text, and counted by reason.
//
// How rows are kept is left to the store.
package scrape
