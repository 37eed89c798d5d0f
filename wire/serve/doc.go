// Package serve answers calls from other machines for the repositories of a Backend.
//
// server.go has the calls and the end of a server, query.go the stream of a question, watch.go the
// beats, gate.go who may ask, limits.go what grpc is told, and backend.go what is served. A stream
// of a question holds the generation that is asked: however it ends, the hold ends.
package serve
