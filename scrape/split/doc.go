// Package split cuts source code of languages without a parser at its definitions.
//
// A definition is a line that matches a pattern of its language (lang.Definitions). It ends before
// the next definition that is not deeper indented, or before another line that follows a blank line
// and is not deeper indented. The names come from patterns and not from a parser. So a pattern can
// miss a definition, and can mistake a line of a string for one. Callers that store the names
// should say so (doc.Definition).
//
// The package computes on the lines of one text. It reads no files and keeps no state. The text may
// contain any bytes.
package split
