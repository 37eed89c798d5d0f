// Package mine proposes beliefs: sentences of commits and comments that give a reason. A proposal
// is never an answer by itself.
//
// proposal.go finds and ranks the sentences, and fits.go decides which of them can stand alone.
// dismissed.go stores the sentences that the user does not want, in a file in the home folder. No
// scrape and no removal of an index touches that file. It has one JSON object a line and is only
// appended to, so many processes may write at the same time. A broken line is counted and kept.
package mine
