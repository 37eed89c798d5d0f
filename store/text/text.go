// Package text turns writing into words, and words into posting lists.
//
// It is pure code: no I/O, no clock, no goroutines, and it imports nothing of ours. Any bytes are legal input: nothing here
// panics or is slower than linear for a text that nobody meant as text. A text and a question pass through the same Runs and
// Words, so whatever is found in the one can be asked for in the other.
//
// runs.go, cjk.go, words.go and stem.go make words; question.go and names.go compare a question with the names of files;
// long.go reads pasted issues, by zones.go, trace.go and mentions.go; invert.go,
// recent.go, arena.go and merge.go collect postings; list.go is their form on disk; score.go is the arithmetic of BM25F.
// What a posting list holds follows from Version, Weights, K1 and B: whoever changes one of them rebuilds every store.
package text

// Version is the version of the tokenizer. A store that was built with another one must be rebuilt.
const Version = 2

// NumFields is how many fields a chunk has: its path, its names, its doc comments and its body, in this order.
const NumFields = 4
