// Package peer asks repositories that other nodes host.
//
// state.go says in which condition a node is, choice.go which replica is asked and when another one
// is. Both are pure: events and times go in, actions come out. node.go and race.go are the thin
// shell around them that owns connections, streams and timers. set.go holds all nodes, and
// target.go makes of a repository an api.Target, which the engine asks as if the repository were
// here. pass.go serves fronts, which pass calls on.
package peer
