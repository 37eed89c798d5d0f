// Package cli is shared by the commands of patina: their streams, the common flags, the choice of
// the project, errors with hints, exit codes, and progress on a terminal.
//
// It promises that only an answer reaches standard output, and that a repository's text reaches a
// terminal in one harmless line.
package cli

// MaxQuestion bounds a question on standard input, in bytes. It is far more than the 64 words that
// count.
const MaxQuestion = 64 << 10

// GraphFormats are the forms of a graph.
var GraphFormats = []string{"mermaid", "dot", "svg", "json"}
