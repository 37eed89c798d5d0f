// Package wire carries questions and look-ups to repositories on other machines: it turns the
// values of actors/api into the messages of nodepb and back, and statuses into codes.
package wire
