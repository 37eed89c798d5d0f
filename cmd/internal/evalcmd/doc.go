// Package evalcmd is "patina eval". It measures questions with known answers, questions made from
// the project itself, questions across projects, configurations of answers, and the tokens that
// answers cost or have cost. It also shows earlier measurements.
//
// It reads flags, opens indexes and prints. The measurements are in bench/eval and below it.
package evalcmd

import (
	"patina/cmd/internal/cli"
)

// An app is one run of the command, for the commands of this package.
type app struct{ *cli.App }
