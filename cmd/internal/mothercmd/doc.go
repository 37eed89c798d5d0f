// Package mothercmd is the commands about other repositories and the graph that joins them.
//
// Packages registry and mother keep them; here are flags, words and hints.
package mothercmd

import "patina/cmd/internal/cli"

// An app is one run of the command, for the commands of this package.
type app struct{ *cli.App }
