// Package notes reads and writes the beliefs of the project.
package notes

import "strings"

// A Belief is a statement with its evidence.
type Belief struct{ ID, Statement string }

// Parse reads the file of a belief.
func Parse(text string) (b Belief) {
	for line := range strings.Lines(text) {
		if id, ok := strings.CutPrefix(line, "id: "); ok {
			b.ID = strings.TrimSpace(id)
		}
	}
	return b
}

// Write returns the file of a belief.
func Write(b Belief) string { return "---\ntype: belief\nid: " + b.ID + "\n---\n" + b.Statement + "\n" }
