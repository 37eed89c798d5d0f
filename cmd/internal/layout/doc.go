// Package layout makes lines of the texts in a repository: harmless, within bounds, with styles for
// a terminal. It also writes answers as JSON, with hidden characters escaped.
//
// It knows no answers: package deliver decides their content.
package layout
