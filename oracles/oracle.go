// Package oracles holds the ways to rank documents, one file each.
//
// An oracle answers a question with one list a kind. Its scores are raw: neither normalised nor
// demoted, and comparable inside one list only. Evidence says why a document may be right, whatever
// oracle found it. Merging lists is left to package fusion.
//
// An oracle writes nothing, has no deadline besides its context's, and leaves SQL and files to
// package store.
package oracles

import (
	"context"
	"errors"

	"patina/memory"
	"patina/memory/recall"
	"patina/store"
	"patina/store/doc"
	"patina/store/text"
)

// ErrUnavailable says that an oracle has nothing to search in this project: no git history, no
// model. It is not a failure.
var ErrUnavailable = errors.New("unavailable")

// An Oracle is one way to rank. It is opened for each project by itself, so it may keep its own
// state there: a model in memory, a database.
type Oracle interface {
	// Name is the channel's name, as printed and as taken by --oracle.
	Name() string
	// Open returns the oracle's channel for one project. It may be called by several goroutines.
	// An error that wraps ErrUnavailable carries the reason to show.
	Open(p Project) (Channel, error)
}

// A Sparing oracle says beforehand whether it can have anything to say. It is not asked where it
// cannot, which saves a connection.
type Sparing interface {
	Oracle
	Needed(g doc.Generation, f doc.Filter) bool
}

// A Project describes a project to an oracle before its first question.
type Project struct {
	Name     string
	Root     string // the working tree
	StoreDir string // the index's folder, for files beside it
}

// A Channel ranks one project's documents. It is safe for concurrent use until it is closed.
type Channel interface {
	// Query returns one list a kind, best first, with at least q.Limit hits a kind where there are
	// so many. An error that wraps ErrUnavailable carries the reason to show.
	Query(ctx context.Context, r *store.Reader, q Question) ([]List, error)
	// Close frees the channel's resources. No call is running.
	Close() error
}

// A Keeper is a channel with documents of its own: they are in no index, but in a store of the
// user's, say. Their kind has the shape doc.Outside and the channel's name. Its lists bring the
// texts along, for evidence.
type Keeper interface {
	Channel
	// Describe returns a document's description and its whole text. The error wraps
	// lookup.ErrNoDocument where there is none.
	Describe(ctx context.Context, docID string) (d doc.Description, body string, err error)
}

// A Question is one query as every oracle sees it.
type Question struct {
	Text   string
	Parsed text.Question
	Filter doc.Filter
	Limit  int // hits a kind to return at least
	// Visit says that the project is asked beside home: what costs much and says little is left
	// out.
	Visit bool
}

// A List is one channel's answer for one kind in one project.
type List struct {
	Channel    string
	Kind       doc.Kind
	Generation int64
	Hits       []doc.Ranked

	// Companions says that the question is a file's path, and these changed with that file.
	Companions bool

	// Words counts the question's different words, Known the ones that the channel's model holds
	// whole. They are the same in all lists from a channel, and 0 without such a model.
	Words, Known int

	// Stems has the stems of each document, separated by spaces, by doc_id. Only a Keeper fills it:
	// Evidence counts the words of all other documents itself.
	Stems map[string]string
}

// Default returns this build's oracles, in the order in which they are printed.
func Default() []Oracle { return []Oracle{Lexical{}, NewSemantic(), Temporal{}, NewBelief()} }

// AtHome returns the oracles over what a user keeps in a home folder: about a project by its id,
// and for all projects. They are asked once for each question: only the project that the user asks
// in has them. scoring is how notes are scored.
func AtHome(home, project string, scoring recall.Scoring) []Oracle {
	return []Oracle{NewMemory(memory.File(home, project), scoring), NewPersona(home)}
}
