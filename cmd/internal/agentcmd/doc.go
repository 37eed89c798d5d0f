// Package agentcmd is the commands that put patina into coding agents and take it out again.
//
// It plans first: a Plan says which files change and how, and Apply writes it. A file is edited as
// bytes: its comments, order, indentation and line endings stay. A file that does not parse is
// refused. An entry of ours that somebody has changed is reported and left alone. Taking ours out
// restores the file. Each client is one descriptor (clients.go) with its source.
//
// The package starts no program. The hooks that agents call are answered by hookcmd.
package agentcmd

import "patina/cmd/internal/cli"

// An app is one run of the command, for the commands of this package.
type app struct{ *cli.App }
