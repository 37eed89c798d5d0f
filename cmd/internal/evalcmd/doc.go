// Package evalcmd is "patina eval": questions whose answers are known, what a project answers by
// itself, what was measured before, questions across projects, and what answers cost: those that
// would be given, and those of earlier sessions, by the query log.
//
// It reads flags, opens indexes and prints. The measurements are in bench/eval and below it.
package evalcmd

import (
	"patina/cmd/internal/cli"
)

// An app is one run of the command, for the commands of this package.
type app struct{ *cli.App }
