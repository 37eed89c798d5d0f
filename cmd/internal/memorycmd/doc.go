// Package memorycmd is the commands about memories, the notes that a scrape never touches.
//
// Package memory keeps them; here are flags, words and hints.
package memorycmd

import "patina/cmd/internal/cli"

// An app is one run of the command, for the commands of this package.
type app struct{ *cli.App }
