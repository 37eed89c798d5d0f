// This file adds hints to errors: a command to run, an argument to give, a setting to change.

package project

import "slices"

// A HintedError is an error with hints.
type HintedError struct {
	error
	hints []string
}

// Hints returns the hints, the best first.
func (e HintedError) Hints() []string { return e.hints }

// Unwrap returns the error without its hints.
func (e HintedError) Unwrap() error { return e.error }

// AddHint adds hints to an error, which must not be nil. Empty hints are dropped.
func AddHint(err error, hints ...string) error {
	return HintedError{err, slices.DeleteFunc(hints, func(h string) bool { return h == "" })}
}
