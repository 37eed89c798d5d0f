// Package embed turns text into vectors without a download. It has a table of word-piece vectors,
// trained on documentation and the code below it. Each scrape fits the table to its repository.
//
// Four steps lead from text to vector, one file each. tokenizer.go cuts text into lower-case words,
// vocabulary.go cuts words into known pieces, table.go holds a vector for every piece, and
// vector.go adds them up. Model joins them to a doc.Adapter.
//
// trainer.go is one contrastive step. Training of the built-in table and adaptation to a repository
// repeat it. adapt.go does so over pairs from batches.go, drawn by sampler.go.
//
// It is arithmetic: no I/O, no clock. Equal input gives equal output on any number of cores.
package embed
