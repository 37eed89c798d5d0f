package api

import (
	"context"
	"time"

	"patina/fusion"
	"patina/oracles"
	"patina/store/doc"
	"patina/store/excerpt"
	"patina/store/text"
)

// Two messages cross every boundary, between the router and a repository as between nodes. Ask is
// answered by Lists, Describe by Descriptions. They are plain data, never changed once sent, and
// name their query. Their budget is relative to their arrival, since the clocks of two machines do
// not agree. Each side reads the text by itself.

// An Ask is answered by Lists, once, unless its budget is spent before its turn comes.
type Ask struct {
	expected
	// Unique where it is answered, unlike the query id, which a caller may choose.
	Query   string
	Text    string
	Filter  doc.Filter
	Limit   int      // results wanted; lists are longer
	Oracles []string // ask only these; empty: all
	Budget  time.Duration
	Tuning  fusion.Tuning // other weights, for measurements
	// AsWritten reads no time, no author and no wish for news from the words.
	AsWritten bool
	Now       time.Time // the asker's clock, for times that are relative
	// Visit says that the project is asked beside home: only a few places are open to its results.
	Visit bool
	// Counts of the terms over all registered projects; empty: each project has its own.
	Counts text.Frequencies
}

// Lists answers an Ask: with the lists from one oracle, or from all oracles of one project with
// their evidence.
type Lists struct {
	expected
	Query    string
	From     string // the oracle or the project
	Index    IndexState
	Lists    []oracles.List
	Exact    []doc.Ranked
	Evidence map[string]doc.Evidence // by path for code, by doc_id for the other kinds
	Channels []ChannelState
	Notes    []string
	More     []oracles.Places // where else what the question cites stands
	Unknown  bool             // the question is a name that is nowhere in the project
	Read     FromWords        // instead of searched for
}

// A Describe asks for descriptions of the shown documents, in the generation pinned by the query.
// It is a query's last message to a project, answered by Descriptions. Without Wants it only ends
// the query, and has no answer.
type Describe struct {
	expected
	Query  string
	Wants  []Want
	Budget time.Duration
}

// A Want names a document to describe.
type Want struct {
	DocID  string
	Kind   doc.Kind
	Found  []excerpt.Found // its best chunks, by channel; may be empty
	Places int             // places of a file described, each by itself
	Also   []string        // symbols of the file that the question names, too: a place each
	Usage  bool            // link code to its callers and imports
	Line   int             // show this one, where a literal of the question stands; 0 for none
}

// Descriptions answers a Describe, with one for each place of each Want, best first.
type Descriptions struct {
	expected
	Query   string
	From    string
	Found   []Described
	Problem ChannelState // Status empty: none
}

// Described is a description, and whether its file changed since the scrape.
type Described struct {
	doc.Description
	Changed bool
}

// expected marks messages that may find their receiver gone. A late reply is dropped without a log
// line.
type expected struct{}

// Droppable implements actor.Droppable.
func (expected) Droppable() {}

// A Target answers for one project. An Engine asks the projects on this machine by itself, and
// every other one through its Target. Being late, failing, panicking or answering nonsense costs it
// its own lists only. Several goroutines call it.
type Target interface {
	// Name is the project's name in answers. It never changes.
	Name() string
	// Channels names the project's channels, in the order in which they are shown. They never
	// change.
	Channels() []string
	// Ask returns the lists of the channels asked. ctx ends with the budget, or when the query is
	// over.
	Ask(ctx context.Context, m *Ask) (*Lists, error)
	// Describe returns descriptions of documents for a running query. It is the last message of a
	// query. Without Wants it only ends the query, and returns nothing.
	Describe(ctx context.Context, m *Describe) (*Descriptions, error)
	// Read answers one look-up: it returns a *DetailAnswer for a DetailRequest, and so on. The
	// Project of the request is ignored. Its Timeout is the budget, and ctx ends with it. The
	// answer must not be used by the target afterwards, because the caller changes it.
	Read(ctx context.Context, r Lookup) (any, error)
}

// The errors of a Target may be a *Failure. Then its Status is shown as it is, because the far end
// said so or is known to be silent. An Unreachable one names the nodes that are silent, and since
// when. It must be returned at once. All other errors count as failures of the target, and one that
// fails again and again is not asked for a while.

// A Returner is a Target that knows when its far end came back.
type Returner interface {
	// Returned returns the time at which the far end was heard anew, or the zero time. Failures
	// before it are forgotten. Returned must not block.
	Returned() time.Time
}
