// Package hint adds hints to errors: a call to type, an argument to give, a setting to change.
package hint

import "slices"

// An Error is an error with hints.
type Error struct {
	error
	hints []string
}

// Hints returns the hints, the best first.
func (e Error) Hints() []string { return e.hints }

// Unwrap returns the error without its hints.
func (e Error) Unwrap() error { return e.error }

// Add adds hints to an error, which must not be nil. Empty hints are dropped.
func Add(err error, hints ...string) error {
	return Error{err, slices.DeleteFunc(hints, func(h string) bool { return h == "" })}
}
