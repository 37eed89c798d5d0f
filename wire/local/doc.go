// Package local lends the engines that one process keeps open to the other processes of the same
// user, so that a command need not open an index.
//
// A Server listens on a socket in the user's home (socket.go). Engines is the ask.Engines of its
// clients: it lends an engine of the server (lent.go), and opens one of the process where no server
// answers, refuses, or stops in the middle of an answer. Both ends are the same build in the same
// environment (identity.go), so that the answers are the same. What they send each other is plain
// data, which comes out as it went in (plain.go).
//
// For "patina ui" the server also serves the pages of a project, while that command runs
// (pages.go).
//
// The server decides for itself what is trusted: it reads the user's records like any command, and
// refuses a client whose records say something else.
package local
