// Package persona is the log of what a user notes for all projects: preferences, habits, lessons.
//
// It is a folder with a file a day and a JSON object a line. It is the user's own work: it is only
// ever appended to, by any number of processes at once, and never rewritten. A line that cannot be
// read costs itself alone, and a Fault names it.
//
// Package memory keeps the notes that follow from it, searches them, and makes its store again
// where that is missing, old or damaged.
package persona

import "path/filepath"

// Name is the only persona there is.
const Name = "default"

// The modes for files and folders: notes are nobody else's business.
const (
	folderMode = 0o700
	fileMode   = 0o600
)

// A Log is a folder of events.
type Log struct{ Dir string }

// LogIn returns the log in a home folder.
func LogIn(home string) Log { return Log{filepath.Join(home, "personas", Name)} }

// Events is the folder of the log's files.
func (l Log) Events() string { return filepath.Join(l.Dir, "events") }
