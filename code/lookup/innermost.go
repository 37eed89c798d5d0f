package lookup

import (
	"patina/store/doc"
)

// InnermostEntry returns the index of the shortest entry that contains a line, or -1. Of equal ones
// it is the last, because inner entries come after outer ones.
func InnermostEntry(es []doc.Entry, line int) int {
	best := -1
	for i, e := range es {
		if e.First <= line && line <= e.Last && (best < 0 || e.Last-e.First <= es[best].Last-es[best].First) {
			best = i
		}
	}
	return best
}
