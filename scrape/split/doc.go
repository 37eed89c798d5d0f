// Package split cuts source code of languages without a parser at its definitions.
//
// A definition is a line that a pattern of its language's table matches (table.go). It reaches to
// the next definition that is not deeper indented, or to the first other line that stands as far
// left behind a blank one. So the names are read, not parsed: a pattern can miss a definition, and
// can take a line of a string for one. Whoever keeps them says so (doc.Definition).
//
// It is arithmetic on the lines of one text: no files, no state. Any bytes may be given.
package split
