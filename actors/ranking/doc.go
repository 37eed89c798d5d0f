// Package ranking reads a question, and makes one answer of the lists that projects have found for
// it.
//
// It knows no actors, no deadlines and no goroutines. Equal lists give equal answers. What a list
// holds is left to package oracles, the arithmetic of joining them to package fusion.
package ranking
