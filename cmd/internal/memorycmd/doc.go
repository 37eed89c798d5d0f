// Package memorycmd is the commands about notes, which a scrape never touches: memories of a
// project, and notes of the user for all projects.
//
// Package memory stores them. This package has the flags, texts and hints.
package memorycmd

import "patina/cmd/internal/cli"

// An app is one run of the command, for the commands of this package.
type app struct{ *cli.App }
