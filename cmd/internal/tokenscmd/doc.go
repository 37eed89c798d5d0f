// Package tokenscmd is "patina tokens": what the answers of a session have cost.
//
// It reads the query log and compares each answer with reading the files that it names.
package tokenscmd

import "patina/cmd/internal/cli"

// An app is one run of the command, for the commands of this package.
type app struct{ *cli.App }
