// Package lookups answers requests about one project that rank nothing: a document, its commits,
// the symbols of a name, the findings about beliefs.
//
// A Desk is all that a look-up may use: a reader pinned to one generation of the index, and a few
// functions of the engine. Reading the index is left to the packages under code and belief; this
// one puts their answers into those of package api. Slots, deadlines and panics are left to package
// actors.
package lookups
