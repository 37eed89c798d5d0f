// Package text turns writing into words, and words into posting lists.
//
// It is pure code: no I/O, no clock, no goroutines. Any bytes are legal input: nothing here panics
// on them, and nothing is slower than linear. A text and a question pass through the same Runs and
// Words, because a question must find every word in a text.
//
// tokenizer.go, cjk.go, camelcase.go and stem.go make words. question.go and filename.go compare a
// question with file names. longtext.go reads pasted issues, with zones.go, traceback.go and
// mentions.go. inverter.go, runcache.go, arena.go and merge.go collect postings. postinglist.go is
// their form on disk, and bm25.go the arithmetic of BM25F.
//
// Posting lists depend on Version, Weights, K1, B and TextB. Whoever changes one of them must raise
// Version, because every store must then be rebuilt.
package text

// Version is the tokenizer's version. A store built with another one must be rebuilt.
const Version = 3

// NumFields is the number of fields in a chunk: path, names, doc comments and body, in this order.
const NumFields = 4
