// Package mother is the client of a user's fronts: it reaches repositories that other machines
// answer for.
//
// client.go owns the connections, which are made when something is asked for the first time.
// target.go is a repository for an engine to ask, counts.go what other machines say about words,
// sketches.go and offered.go what is kept in the user's home of sketches and of the list of
// repositories.
package mother
