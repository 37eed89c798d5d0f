// Package workspace finds the project around a folder, opens it and scrapes it.
//
// A Place is where a command works: a working tree, the store of its index, the home of the user.
// locate.go finds it, trust.go says whether its index is believed, open.go opens an engine on it,
// freshness.go compares its index with HEAD, scrape.go fills it, names.go reads what a user types
// as names of the index, and inspect.go looks at all of an index.
//
// It prints nothing and asks nobody. Words, flags and hints are left to the front-ends, which tell
// its errors by errors.Is and errors.As.
package workspace
