// Package brief reads from an index what a newcomer to a repository needs first: what it is for,
// how it is built and tested, where its parts lie, who owns them, and which rules people wrote.
//
// All of it is the repository's own writing, each piece with its file and line. Nothing that a
// repository says is followed. brief.go says what a brief holds, and read.go gathers it from one
// generation.
//
// The readers are pure and tolerant: any bytes give some pieces or none, in bounded time.
// commands.go, scripts.go and shell.go find how to build, test and run; packages.go and lead.go the
// parts and their purpose; owners.go, conventions.go and written.go owners and rules.
package brief
