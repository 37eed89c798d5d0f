// Package oracles holds the ways to rank documents, one file each.
//
// An oracle answers a question with one list a kind. Its scores are raw: neither normalised nor
// demoted, and comparable inside one list only. Package fusion puts lists together. Evidence says
// why a document may be right, whatever oracle found it.
//
// An oracle may be asked concurrently, each time with a reader of its own. It writes nothing, has
// no deadline but that of its context, and leaves SQL and files to package store.
package oracles

import (
	"context"
	"errors"

	"patina/store"
	"patina/store/text"
)

// ErrUnavailable says that an oracle has nothing to search in this project: no git history, no
// model. It is not a failure.
var ErrUnavailable = errors.New("unavailable")

// An Oracle ranks the documents of one project.
type Oracle interface {
	// Name is the channel's name, as printed and as taken by --oracle.
	Name() string
	// Query returns one list a kind, best first, at least q.Limit hits a kind where there are so
	// many. An error that wraps ErrUnavailable carries the reason to show.
	Query(ctx context.Context, r *store.Reader, q Question) ([]List, error)
}

// A Question is one query as every oracle sees it.
type Question struct {
	ID     string // query id
	Text   string
	Parsed text.Question
	Filter store.Filter
	Limit  int // hits a kind to return at least
}

// A List is one channel's answer for one kind of one project.
type List struct {
	Channel    string
	Kind       store.Kind
	Generation int64
	Hits       []store.Ranked

	// Words counts the different words of the question, Known those that the channel's model knows
	// as wholes: the same in all lists of a channel, 0 and 0 where there is no such model.
	Words, Known int
}

// Default returns the oracles that this build has, in the order in which they are printed.
func Default() []Oracle { return []Oracle{Lexical{}, NewSemantic(), Temporal{}} }
