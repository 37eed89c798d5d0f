// Package layout makes lines of what a repository holds: harmless, within bounds, with styles for a
// terminal. It makes JSON of answers, too, in which nothing hidden reaches a terminal.
//
// It knows no answer: package deliver decides what is said.
package layout
