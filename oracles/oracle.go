// Package oracles holds the ways to rank documents, one file each.
//
// An oracle answers a question with one list for each kind. Its scores are raw: neither normalised
// nor demoted, so they are comparable only within a list. Evidence says why a document may be
// right, whatever oracle found it. Package fusion merges the lists.
//
// An oracle must write nothing to the index, and has no deadline except that of its context. SQL
// and files belong to package store.
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

// ErrUnavailable means that an oracle has nothing to search in this project: no git history, or no
// model. It is not a failure.
var ErrUnavailable = errors.New("unavailable")

// An Oracle is one way to rank. It is opened for each project separately, because a channel may
// keep state for its project: a model in memory, or a database.
type Oracle interface {
	// Name returns the name of the channel, as printed and as accepted by --oracle.
	Name() string
	// Open returns the oracle's channel for one project. It may be called concurrently. The error
	// wraps ErrUnavailable, with the reason to show, if the project has nothing to search.
	Open(p Project) (Channel, error)
}

// A Sparing is an oracle that says beforehand whether it can find anything. If Needed returns
// false, it is not asked, which saves a connection.
type Sparing interface {
	Oracle
	Needed(g doc.Generation, f doc.Filter) bool
}

// A Project describes a project to an oracle before its first question.
type Project struct {
	Name     string
	Root     string // the working tree
	StoreDir string // the folder of the index, for files beside it
	// Embedders returns the models that the user has chosen, by kind. It may be nil, like its map.
	// The error says why a chosen model cannot be opened; the others in the map can be used. It is
	// called for each question, so it must return quickly once the models are open.
	Embedders func(context.Context) (map[doc.Kind]doc.BatchEmbedder, error)
}

// chosen returns the model that the user has chosen for a kind, or nil.
func (p Project) chosen(ctx context.Context, k doc.Kind) (doc.BatchEmbedder, error) {
	if p.Embedders == nil {
		return nil, nil
	}
	all, err := p.Embedders(ctx)
	return all[k], err
}

// A Channel ranks the documents of one project. It may be used concurrently until it is closed.
type Channel interface {
	// Query returns one list for each kind, the best first, with at least q.Limit hits if there are
	// as many. An error that wraps ErrUnavailable carries the reason to show; lists that come with
	// it are valid.
	Query(ctx context.Context, r *store.Reader, q Question) ([]List, error)
	// Close releases the channel's resources. No other call may be running.
	Close() error
}

// A Keeper is a channel with its own documents, which are in no index but, for example, in a store
// of the user. Their kind must have the shape doc.Outside and the name of the channel. Its lists
// must have Stems, because evidence needs the words.
type Keeper interface {
	Channel
	// Describe returns a document's description and its whole text. The error wraps
	// lookup.ErrNoDocument if there is no such document.
	Describe(ctx context.Context, docID string) (d doc.Description, body string, err error)
}

// A Question is one query, the same for every oracle.
type Question struct {
	Text   string
	Parsed text.Question
	Filter doc.Filter
	Limit  int // hits of each kind to return, if there are as many
	// Visit means that the project is not home, so an oracle should leave out expensive steps that
	// say little.
	Visit bool
	// Vectors are those that the asker has already, by models of its own. They may come from a
	// peer.
	Vectors []QuestionVector
}

// A List is one channel's answer of one kind in one project.
type List struct {
	Channel    string
	Kind       doc.Kind
	Generation int64
	Hits       []doc.Ranked

	// Companions means that the question is the path of a file and that the hits changed with it.
	Companions bool

	// Words is the number of different words in the question, and Known the number of those that
	// the channel's model has as a whole. They are the same in all lists of a channel, and 0
	// without such a model.
	Words, Known int

	// Random is the calibration of the list's cosines if a chosen model made them. If it is nil, it
	// is that of the index.
	Random doc.Calibration

	// Detail says what the channel made of the question, for people. It is the same in all lists of
	// a channel, and empty if there is nothing to say.
	Detail string

	// Stems holds the stems of each document, separated by spaces, by doc_id. Only a Keeper sets
	// it, because Evidence counts the words of all other documents itself.
	Stems map[string]string
}

// Default returns this build's oracles, in the order in which they are printed.
func Default() []Oracle { return []Oracle{Lexical{}, NewSemantic(), Temporal{}, NewBelief()} }

// AtHome returns the oracles of the notes in a home folder: those about a project, given by its id,
// and those for all projects. They are asked once for each question, and only in the project of the
// user. scoring is the way to score notes. defined returns the abbreviations of the project, and
// may be nil.
func AtHome(home, project string, scoring recall.Scoring, defined func() []recall.Definition) []Oracle {
	notes := NewMemory(memory.File(home, project), scoring)
	notes.defined = defined
	return []Oracle{notes, NewPersona(home)}
}
