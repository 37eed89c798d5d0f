// Package describe chooses the parts of a document or a folder that are shown: the lines of a file
// that answer a question, the reason behind a commit, links to callers and neighbours, the contents
// of a folder.
//
// It ranks no documents. Functions leave nothing open in the store.Reader. They may be called
// concurrently if each caller has a reader of its own. They return lookup.ErrNoDocument for a
// document that the generation does not have, and store.ErrDamaged for a corrupt store. Package
// excerpt decides which lines answer best, and the front ends print.
package describe
