// Package hookcmd is the command that coding agents run by themselves when something happens in a
// session: "patina hook EVENT".
//
// A client writes one JSON object to the command and reads one, or nothing, back. ReadEvent
// (read.go) turns the objects of all clients into an Event, FormatContext (format.go) writes the
// answer in the form that the client's own reference gives for that event. Between the two is one
// file for each event: start.go for the beginning of a session, act.go for a tool.
//
// It promises that an answer only adds context: it never blocks, decides or changes anything. Input
// that is broken, too large, or of an unknown client has no answer. The exit code is always 0,
// because some clients take another one as a veto.
//
// The files in which clients name this command are agentcmd's.
package hookcmd
