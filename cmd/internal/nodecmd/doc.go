// Package nodecmd is "patina node": repositories on several machines, for whoever runs them and for
// those who join.
//
// folders.go says where a process keeps its configuration, its certificate and its data. The other
// files are one subcommand each.
package nodecmd

import "patina/cmd/internal/cli"

// An app is one run of the command, for the commands of this package.
type app struct{ *cli.App }
