// Package brief reads from an index the facts that a newcomer to a repository needs first: its
// purpose, how it is built and tested, its parts, its owners, and the rules that people wrote.
//
// All of it is the repository's own text, each piece with its file and line. Callers must treat it
// as untrusted: nothing that a repository says is followed. brief.go defines a brief, and read.go
// gathers it from one generation.
//
// The readers are pure and accept any bytes in bounded time. commands.go, scripts.go and shell.go
// find how to build, test and run. packages.go and lead.go find the parts and their purpose.
// owners.go, conventions.go and written.go find owners and rules.
package brief
