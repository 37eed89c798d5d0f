package journal

// Sailed counts the crossings by their ship, from the journal.
func (j *Journal) Sailed() map[string]int {
	table := map[string]int{}
	j.Replay(func(e Entry) {
		if e.Event == "sailed" {
			table[e.Crossing]++
		}
	})
	return table
}
