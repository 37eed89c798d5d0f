package lookup

import (
	"patina/store/doc"
)

// InnermostEntry returns the shortest entry that holds a line, or -1. Of equal ones it is the last,
// as inner entries come after the ones around them.
func InnermostEntry(es []doc.Entry, line int) int {
	best := -1
	for i, e := range es {
		if e.First <= line && line <= e.Last && (best < 0 || e.Last-e.First <= es[best].Last-es[best].First) {
			best = i
		}
	}
	return best
}
