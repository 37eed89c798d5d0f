// Package embed turns text into vectors without a download. It has a table of word-piece vectors,
// trained on documentation and the code below it. Each scrape fits the table to its repository.
//
// A text becomes a vector in four steps, one file each. tokenizer.go cuts text into lower-case
// words, vocabulary.go cuts words into known pieces, table.go holds a vector for every piece, and
// vector.go adds them up. Model joins these steps in a doc.Adapter.
//
// trainer.go is one contrastive step. It is repeated to train the built-in table and to adapt it to
// a repository. adapt.go adapts, with pairs that batches.go makes and sampler.go draws.
//
// It is arithmetic: no I/O, no clock. Equal input gives equal output on any number of cores.
package embed
