// Package mothercmd is the commands about other repositories and the graph of links between them.
//
// Packages registry and mother store them. This package has the flags, texts and hints.
package mothercmd

import "patina/cmd/internal/cli"

// An app is one run of the command, for the commands of this package.
type app struct{ *cli.App }
