// Package front answers for the repositories of all nodes, and has none of its own.
//
// server.go is a front as a whole. pass.go passes questions and look-ups on to a replica, as frames
// (frame.go) of which only the first is read, for the name of the repository and the time. hosts.go
// joins what the nodes host, which watch.go and list.go tell to those who may see it. counts.go
// sums up words over all nodes, and sketches.go fetches sketches. Package enrol signs certificates.
//
// A front keeps nothing that another front has not: two fronts of one cluster are alike, and either
// may be asked. It does not decide alone who may see what: it names the user to the nodes, which
// look again.
package front
