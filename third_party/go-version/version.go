// Package version replaces the reader of version numbers that gitleaks links. It reads no version.
//
// gitleaks compares versions only for a file of rules that requires one. patina reads the rules
// itself (internal/secrets/rules.go), so the comparison is never made. The package is replaced
// because the real one compiles its expressions at every start.
package version

import "errors"

// ErrUnavailable is returned by NewSemver.
var ErrUnavailable = errors.New("this build compares no versions of gitleaks")

// A Version has the type of a version number, and is never made.
type Version struct{}

// NewSemver returns nil and ErrUnavailable.
func NewSemver(string) (*Version, error) { return nil, ErrUnavailable }

// LessThan returns false.
func (*Version) LessThan(*Version) bool { return false }
