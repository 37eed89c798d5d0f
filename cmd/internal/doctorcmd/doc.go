// Package doctorcmd is "patina doctor": what could be wrong with an index, and with its machine.
//
// Each check says what it found and what mends it. A check reads and never changes anything.
package doctorcmd

import "patina/cmd/internal/cli"

// An app is one run of the command, for the commands of this package.
type app struct{ *cli.App }
