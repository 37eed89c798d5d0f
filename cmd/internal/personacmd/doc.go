// Package personacmd is the commands about what holds for a user across projects.
//
// Package persona keeps the notes; here are flags, words and hints.
package personacmd

import "patina/cmd/internal/cli"

// An app is one run of the command, for the commands of this package.
type app struct{ *cli.App }
