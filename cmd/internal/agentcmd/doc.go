// Package agentcmd is the commands that put patina into coding agents, and the hooks these call.
//
// Package agent knows the clients and edits their files; here are flags, the plan and its question.
package agentcmd

import "patina/cmd/internal/cli"

// An app is one run of the command, for the commands of this package.
type app struct{ *cli.App }
