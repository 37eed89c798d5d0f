// Package describe says what is shown of a document or a folder of one generation: the lines of a
// file that answer a question, the reason behind a commit, the links to callers and neighbours, the
// contents of a folder.
//
// It chooses among what an index holds and ranks no documents. Each function reads through a
// store.Reader, of which it leaves nothing open, and may be called concurrently with a reader for
// each caller. A document that the generation does not have is lookup.ErrNoDocument; a store that
// contradicts itself is store.ErrDamaged. Which lines answer best is left to package excerpt,
// printing to the front ends.
package describe
