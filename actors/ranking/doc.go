// Package ranking interprets a question and makes one answer from the lists that projects found for
// it.
//
// It knows no actors, deadlines or goroutines. Equal lists give equal answers. Package oracles
// makes the lists, and package fusion does the arithmetic of merging them.
package ranking
