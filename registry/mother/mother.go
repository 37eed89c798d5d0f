// Package mother is the graph of a user's repositories: which depend on each other or belong
// together. A question asked in one may follow its edges to others.
//
// Nodes are the projects of the registry (repository.go), and the user makes the edges (edge.go).
// Nothing is linked without the user. The use of shown results changes an edge's weight (learn.go).
// All of it is in mother.db, which several processes may change at once, in transactions.
//
// Package route selects the edges that a question follows.
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

// Relations of edges, from one repository to another.
const (
	Uses       = "USES"        // depends on it
	LearnsFrom = "LEARNS_FROM" // takes its ideas from it
	TestsWith  = "TESTS_WITH"  // needs it only for tests
	Sibling    = "SIBLING"     // belongs together with it
	Domain     = "DOMAIN"      // is about the same subjects
)

// Relations lists all relations.
func Relations() []string { return []string{Uses, LearnsFrom, TestsWith, Sibling, Domain} }

// Errors of calls with bad or unknown arguments.
var (
	ErrUnknown  = errors.New("is not registered")
	ErrNoEdge   = errors.New("there is no such edge")
	ErrRelation = errors.New("no such relation")
	ErrWeight   = errors.New("a weight lies above 0, and is at most 1.5")
	ErrItself   = errors.New("a repository is not linked with itself")
)

// keyOf returns the key of a project's row. The error wraps ErrUnknown if there is no such project.
func keyOf(tx *sql.Tx, id string) (int64, error) {
	var key int64
	err := tx.QueryRow(`SELECT key FROM project WHERE id = ?`, id).Scan(&key)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, fmt.Errorf("repository %q %w", id, ErrUnknown)
	}
	return key, sqlite.Explain(err)
}

// checkRelation returns an error that wraps ErrRelation if there is no such relation.
func checkRelation(relation string) error {
	if !slices.Contains(Relations(), relation) {
		return fmt.Errorf("%q: %w (%s)", relation, ErrRelation, strings.Join(Relations(), ", "))
	}
	return nil
}

// readTime returns a time from unix seconds. 0 means the zero time.
func readTime(seconds int64) time.Time {
	if seconds == 0 {
		return time.Time{}
	}
	return time.Unix(seconds, 0).UTC()
}
