// Package journal keeps the journal of crossings, an append-only log.
package journal

// A Journal appends entries to a file and reads them back in order.
type Journal struct{ entries []Entry }

// An Entry is what happened to a crossing.
type Entry struct {
	Crossing string
	Event    string
}

// Append writes an entry at the end of the journal.
func (j *Journal) Append(e Entry) { j.entries = append(j.entries, e) }

// Replay calls do with each entry, the oldest first.
func (j *Journal) Replay(do func(Entry)) {
	for _, e := range j.entries {
		do(e)
	}
}
