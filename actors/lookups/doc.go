// Package lookups answers requests about one project that do not rank: a document, its commits, the
// symbols of a name, the findings about beliefs.
//
// A Desk is all that a look-up may use: a reader pinned to one generation, and a few functions of
// the engine. Packages under code and belief read the index. This package converts their results to
// answers of package api. Package actors handles slots, deadlines and panics.
package lookups
