// Package host keeps the repositories of one node: it clones and fetches them, makes their
// indexes and answers for them.
//
// Which repositories these are says the plan that every node computes from the same configuration
// (wire/placement). Each has a goroutine (repository.go) that fetches by a schedule (schedule.go),
// or when a signed hint says so (hints.go). What fails is tried again later, and the last good
// index goes on answering. A repository that has moved to other nodes stays until these show it
// (leaving.go).
package host
