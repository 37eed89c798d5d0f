// Package persona keeps what a user notes for all projects: preferences, habits, lessons.
//
// The notes are a log of events, a file a day and a JSON object a line. It is the user's own work:
// it is only ever appended to, by any number of processes at once, and never rewritten. A line that
// cannot be read costs itself alone, and Status names it.
//
// Everything else is derived from the log by Materialize: one SQLite database with the notes that
// hold, their words and their vectors. It is replaced as a whole, so a reader sees an old one or a
// new one. A missing, old or damaged one is made again.
//
// Ranking among code is left to package oracles, and printing to the front end.
package persona

import (
	"path/filepath"
)

// Name is the only persona there is.
const Name = "default"

// The modes for files and folders: notes are nobody else's business.
const (
	folderMode = 0o700
	fileMode   = 0o600
)

// A Persona is a folder with a log of events and the database made from it.
type Persona struct{ Dir string }

// In returns the persona in a home folder.
func In(home string) Persona { return Persona{filepath.Join(home, "personas", Name)} }

// Events is the folder of the log.
func (p Persona) Events() string { return filepath.Join(p.Dir, "events") }

// Database is the file made from the log.
func (p Persona) Database() string { return filepath.Join(p.derived(), "persona.db") }

func (p Persona) derived() string { return filepath.Join(p.Dir, "materialized") }
