// Package persona is the log of a user's notes for all projects: preferences, habits, lessons.
//
// It is a folder with one file a day and one JSON object a line. It is authored data: any number of
// processes may append to it at the same time, and it is never rewritten. A line that cannot be
// read is skipped and reported as a Fault.
//
// Package memory derives a store from the log, searches it, and rebuilds it if it is missing, old
// or damaged.
package persona

import "path/filepath"

// Name is the name of the only persona.
const Name = "default"

// The modes of files and folders, which are private to the user.
const (
	folderMode = 0o700
	fileMode   = 0o600
)

// A Log is a folder of events.
type Log struct{ Dir string }

// LogIn returns the log in a home folder.
func LogIn(home string) Log { return Log{filepath.Join(home, "personas", Name)} }

// Events returns the folder of the log's files.
func (l Log) Events() string { return filepath.Join(l.Dir, "events") }
