// Package mother is the graph of a user's repositories: what each has to do with others, so that a
// question asked in one may find what another knows.
//
// Nodes are the projects of the registry (repository.go), edges are made by the user (edge.go).
// Nothing is linked unasked. What answers showed and people used moves an edge's weight (learn.go).
// All of it lies in mother.db, written in transactions by any number of processes.
//
// Which edges a question follows is left to package route.
package mother

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"patina/store/sqlite"
)

// Relations of edges, from a repository to another one.
const (
	Uses       = "USES"        // depends on it
	LearnsFrom = "LEARNS_FROM" // takes its ideas from it
	TestsWith  = "TESTS_WITH"  // needs it for tests alone
	Sibling    = "SIBLING"     // belongs together with it
	Domain     = "DOMAIN"      // is about the same matters
)

// Relations lists all relations.
func Relations() []string { return []string{Uses, LearnsFrom, TestsWith, Sibling, Domain} }

// Errors of calls that name what is not there, or cannot be.
var (
	ErrUnknown  = errors.New("is not registered")
	ErrNoEdge   = errors.New("there is no such edge")
	ErrRelation = errors.New("no such relation")
	ErrWeight   = errors.New("a weight lies above 0, and is at most 1.5")
	ErrItself   = errors.New("a repository is not linked with itself")
)

// keyOf finds a project's row.
func keyOf(tx *sql.Tx, id string) (int64, error) {
	var key int64
	err := tx.QueryRow(`SELECT key FROM project WHERE id = ?`, id).Scan(&key)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, fmt.Errorf("repository %q %w", id, ErrUnknown)
	}
	return key, sqlite.Explain(err)
}

// checkRelation returns an error for a relation that there is not.
func checkRelation(relation string) error {
	if !slices.Contains(Relations(), relation) {
		return fmt.Errorf("%q: %w (%s)", relation, ErrRelation, strings.Join(Relations(), ", "))
	}
	return nil
}

// readTime reads a time; the zero time is none.
func readTime(seconds int64) time.Time {
	if seconds == 0 {
		return time.Time{}
	}
	return time.Unix(seconds, 0).UTC()
}
