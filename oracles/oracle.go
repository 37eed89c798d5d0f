// Package oracles holds the ways to rank documents, one file each.
//
// An oracle answers a question with one list a kind. Its scores are raw: neither normalised nor
// demoted, and comparable only within one list. Package fusion combines them.
package oracles

import (
	"context"
	"errors"

	"patina/store"
	"patina/store/text"
)

// ErrUnavailable says that an oracle has nothing to search in this project: no git history, or no
// model. It is not a failure.
var ErrUnavailable = errors.New("unavailable")

// An Oracle ranks the documents of one project.
type Oracle interface {
	// Name is the channel's name, as printed and as accepted by --oracle.
	Name() string
	// Query returns one list a kind, best first, with at least q.Limit hits if there are so many.
	// An error that wraps ErrUnavailable carries the reason to show.
	Query(ctx context.Context, r *store.Reader, q Question) ([]List, error)
}

// A Question is one query as every oracle sees it.
type Question struct {
	ID     string // query id
	Text   string
	Parsed text.Question
	Filter store.Filter
	Limit  int // least number of hits a kind
}

// A List is one channel's answer for one kind in one project.
type List struct {
	Channel    string
	Kind       store.Kind
	Generation int64
	Hits       []store.Ranked

	// Words counts the distinct words in the question, Known those that the channel's
	// model knows whole. They are equal in all lists of a channel, and 0 without such a model.
	Words, Known int
}

// Default returns the oracles in this build, in printing order.
func Default() []Oracle { return []Oracle{Lexical{}, NewSemantic(), Temporal{}} }
