// Package oracles holds the ways to rank documents, one file each.
//
// An oracle answers a question with one list a kind. Its scores are raw: neither normalised nor
// demoted, and comparable inside one list only. Package fusion puts lists together. Evidence says
// why a document may be right, whatever oracle found it.
//
// An oracle writes nothing, has no deadline but that of its context, and leaves SQL and files to
// package store.
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

// An Oracle is one way to rank. It is opened for each project by itself, so that it may keep there
// what it likes: a model in memory, a database of its own.
type Oracle interface {
	// Name is the channel's name, as printed and as taken by --oracle.
	Name() string
	// Open returns the oracle's channel for one project. It may be called by several goroutines.
	// An error that wraps ErrUnavailable carries the reason to show.
	Open(p Project) (Channel, error)
}

// A Project is what an oracle learns of a project before its first question.
type Project struct {
	Name     string
	Root     string // of the working tree
	StoreDir string // of the index, for files beside it
}

// A Channel ranks the documents of one project. It is safe for concurrent use until it is closed.
type Channel interface {
	// Query returns one list a kind, best first, at least q.Limit hits a kind where there are so
	// many. An error that wraps ErrUnavailable carries the reason to show.
	Query(ctx context.Context, r *store.Reader, q Question) ([]List, error)
	// Close frees what the channel holds. No call is under way.
	Close() error
}

// A Question is one query as every oracle sees it.
type Question struct {
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

	// How many different words the question has, and how many of them the channel's model knows as
	// wholes: the same in all lists of a channel. 0 and 0 where there is no such model.
	Words, Known int
}

// Default returns the oracles that this build has, in the order in which they are printed.
func Default() []Oracle { return []Oracle{Lexical{}, NewSemantic(), Temporal{}} }
