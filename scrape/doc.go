// Package scrape reads a folder into a store: its files, and its repository's history.
//
// It coordinates. Package walk lists the files, jobs.go compares them with the store, and workers
// (files.go) read the changed ones through packages content and parse. Package git reads the
// commits meanwhile (history.go). At the end everything is published as one generation. A fresh
// index for a linked working tree begins with the main one (basis.go).
//
// It promises that an updated store has the same contents as a fresh one, and that a failed scrape
// leaves the store as it was. The vectors of an updated store keep the model that they were first
// made with; bench/history/updates.md says how far answers differ. A file that cannot be read or
// parsed never fails the scrape, because everything read here may come from strangers. It is left
// out or indexed as plain text, and counted by reason.
//
// The store decides how rows are stored.
package scrape
