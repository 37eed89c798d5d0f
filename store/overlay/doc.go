// Package overlay keeps vectors by a model of the user's beside those of an index.
//
// The built-in vectors are always made. An overlay has a second set, for chosen kinds of documents,
// by a doc.BatchEmbedder. Its rows of a segment lie in the order of the segment's own rows, so a
// search needs no other code for them, only another file and another first row.
//
// Update embeds missing texts. A text that the model has embedded before is never embedded again:
// not for another generation, not after a merge of segments or a full scrape, and not after an
// interruption. Readers use a kind once all its segments have rows.
//
// A model has three files, named by a hash of its id: the state, which is replaced as a whole and
// names the two others; the rows, a file of package vector; and the keys, which say whose text each
// row is. store/DESIGN.md ("Vectors of other models") has the rules.
package overlay
