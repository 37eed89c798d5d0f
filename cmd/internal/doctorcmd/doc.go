// Package doctorcmd is "patina doctor": it looks for faults of an index, and of its machine.
//
// Each check reports its finding and a command that mends it. A check only reads.
package doctorcmd

import "patina/cmd/internal/cli"

// An app is one run of the command, for the commands of this package.
type app struct{ *cli.App }
