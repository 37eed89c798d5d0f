package ask

import (
	"fmt"
	"strconv"
	"time"

	"patina/store/doc"
)

// A LateError means that a look-up was not answered within the time of its call.
type LateError struct {
	Read, Project string
	Within        time.Duration
	Why           string // may be empty
}

// Error implements error.
func (e *LateError) Error() string {
	text := fmt.Sprintf("%s of %q: no answer within %s", e.Read, e.Project, e.Within)
	if e.Why != "" {
		text += ": " + e.Why
	}
	return text
}

// A MendError means that an index could not be made.
type MendError struct{ Cause error }

// Error implements error.
func (e *MendError) Error() string { return e.Cause.Error() }

// Unwrap returns the cause.
func (e *MendError) Unwrap() error { return e.Cause }

// A NotFoundError is about a typed name that no single document has.
type NotFoundError struct {
	Form   Form
	What   string   // such as "document"
	Typed  string   // the name
	Places []string // that define it, if there are several; the first of them
	Count  int      // number of places
	Near   []string // names close to it
}

// Error implements error.
func (e *NotFoundError) Error() string {
	if e.Count > 1 {
		return fmt.Sprintf("%q names no single %s", e.Typed, e.What)
	}
	return fmt.Sprintf("no %s %q in the index", e.What, e.Typed)
}

// An UnknownQueryError means that an earlier answer cannot be shown.
type UnknownQueryError struct{ Cause error }

// Error implements error.
func (e *UnknownQueryError) Error() string { return e.Cause.Error() }

// Unwrap returns the cause.
func (e *UnknownQueryError) Unwrap() error { return e.Cause }

// A RankError means that an earlier answer has fewer results.
type RankError struct {
	QueryID, Question string
	Results           int
}

// Error implements error.
func (e *RankError) Error() string {
	return fmt.Sprintf("query %s has %s", e.QueryID, plural(e.Results, "result"))
}

// A FolderError means that a name is a folder, but must be a file.
type FolderError struct{ Typed, Folder string }

// Error implements error.
func (e *FolderError) Error() string { return fmt.Sprintf("%q is a folder", e.Typed) }

// An UndatedKindError means that a time or an author is asked of a kind without dates.
type UndatedKindError struct {
	Argument string // since, until or author
	Kind     doc.Kind
}

// Error implements error.
func (e *UndatedKindError) Error() string {
	return fmt.Sprintf("%s with content type %s", e.Argument, e.Kind.Label())
}

// A NoBeliefError means that no belief has an id.
type NoBeliefError struct{ ID string }

// Error implements error.
func (e *NoBeliefError) Error() string { return fmt.Sprintf("no belief %q in the index", e.ID) }

// The default number of days of Recent, and the maximum.
const (
	UsualDays = 7
	MaxDays   = 100 * 365
)

// A DaysError means that a number of days is not from 1 to MaxDays.
type DaysError struct{ Days int }

// Error implements error.
func (e *DaysError) Error() string { return "days " + strconv.Itoa(e.Days) + " is out of range" }

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
