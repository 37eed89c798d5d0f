// Package cli is what the commands of patina share: their streams, the flags of all, the project
// that is meant, errors with hints, exit codes, and progress on a terminal.
//
// It promises that nothing but an answer reaches standard output, and that the text of a repository
// reaches a terminal in one harmless line.
package cli

// MaxQuestion bounds a question on standard input, in bytes: far more than the 64 words that count.
const MaxQuestion = 64 << 10

// GraphFormats are the forms of a graph.
var GraphFormats = []string{"mermaid", "dot", "svg", "json"}
