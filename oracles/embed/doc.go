// Package embed turns text into vectors without a download: a table of word-piece vectors, trained on documentation and the
// code it describes, and fitted to each repository while it is scraped.
//
// From text to vector there are four steps, a file each: words.go cuts text into lower-case words, vocabulary.go cuts words into
// known pieces, table.go holds a vector for every piece, and vector.go adds them up. Model joins them to a store.Adapter.
// trainer.go is the one contrastive step that both the training of the built-in table and adaptation to a repository repeat.
// adapt.go repeats it over pairs that lessons.go makes of a repository and deck.go draws.
//
// It is arithmetic: no I/O, no clock. Equal input gives equal output on however many cores.
package embed
