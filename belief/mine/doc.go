// Package mine proposes beliefs: sentences of commits and comments in which somebody says why. They
// are never answers by themselves.
//
// proposal.go finds and ranks the sentences, and fits.go says which of them can stand alone.
// dismissed.go keeps the ones that somebody does not want. That is authored data of one project, in
// a file of its own in the home folder, which no scrape and no removed index touches. The file has
// one JSON object a line and is only ever appended to, so many processes may write at once. A line
// that cannot be read is counted and kept.
package mine
