// Package version stands in for the reader of version numbers that gitleaks links, and reads none.
//
// gitleaks compares the version that a file of rules asks for. patina reads the rules by itself
// (internal/secrets/rules.go), so nobody asks. The real package compiles its expressions at every
// start.
package version

import "errors"

// ErrUnavailable is the error of NewSemver.
var ErrUnavailable = errors.New("this build compares no versions of gitleaks")

// A Version would be a version number. There is none.
type Version struct{}

// NewSemver fails.
func NewSemver(string) (*Version, error) { return nil, ErrUnavailable }

// LessThan returns false.
func (*Version) LessThan(*Version) bool { return false }
