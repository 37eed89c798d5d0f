// Package text turns writing into words, and words into posting lists.
//
// It is pure code: no I/O, no clock, no goroutines, and no import from this module. Any bytes are
// legal input: nothing here panics, and nothing is slower than linear. A text and a question pass
// through the same Runs and Words, so a question finds every word in a text.
//
// tokenizer.go, cjk.go, camelcase.go and stem.go make words. question.go and filename.go compare a
// question with file names. longtext.go reads pasted issues, with zones.go, traceback.go and
// mentions.go. inverter.go, runcache.go, arena.go and merge.go collect postings. postinglist.go is
// their form on disk, and bm25.go the arithmetic of BM25F.
//
// Posting lists depend on Version, Weights, K1 and B: changing one rebuilds every store.
package text

// Version is the tokenizer's version. A store built with another one must be rebuilt.
const Version = 3

// NumFields is the number of fields in a chunk: path, names, doc comments and body, in this order.
const NumFields = 4
