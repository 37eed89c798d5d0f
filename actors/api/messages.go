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

// Two pairs of messages cross every boundary, between the router and a project as well as between
// nodes: Ask is answered by Lists, and Describe by Descriptions. They are plain data and must not
// be changed once sent. Budgets are relative to the arrival, because the clocks of two machines do
// not agree. Each side interprets the text by itself.

// An Ask is answered by Lists, once, unless its budget is over before its turn comes.
type Ask struct {
	expected
	// Query must be unique where it is answered, unlike the query id, which a caller may choose.
	Query   string
	Text    string
	Filter  doc.Filter
	Limit   int      // most results; lists are longer
	Oracles []string // the only ones to ask; if nil, all are
	Budget  time.Duration
	Tuning  fusion.Tuning // other weights, for measurements only
	// AsWritten is as in Request.
	AsWritten bool
	Now       time.Time // the asker's clock, for relative times
	// Visit is true if the project is not home, so that only a few places are open to its results.
	Visit bool
	// Counts are as in Request. If nil, the project uses its own.
	Counts text.Frequencies
	// Vectors are those of the question by models of the asker, which need not be made again.
	Vectors []oracles.QuestionVector
}

// Lists answers an Ask, with the lists of one oracle, or with those of all oracles of one project
// and their evidence.
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
	More     []oracles.Places // further places of texts that the question cites
	Unknown  bool             // the question is a name that does not occur in the project
	Read     FromWords        // parts of the question that were interpreted
}

// A Describe asks for descriptions of the shown documents, in the generation pinned by the query.
// It must be the last message of a query to a project. It is answered by Descriptions, but without
// Wants it only ends the query.
type Describe struct {
	expected
	Query  string
	Wants  []Want
	Budget time.Duration
}

// A Want is a document to describe.
type Want struct {
	DocID   string
	Kind    doc.Kind
	Found   []excerpt.Found // its best chunks, by channel; may be empty
	Places  int             // most places of a file, each with a description of its own
	Also    []string        // further symbols of the file that the question names, a place each
	Usage   bool            // whether to link code to its callers and imports
	OneLink bool            // whether one link is enough, whichever costs least
	Line    int             // the line of a literal of the question; 0 if there is none
}

// Descriptions answers a Describe, with a description of each place of each Want, best first.
type Descriptions struct {
	expected
	Query   string
	From    string
	Found   []Described
	Problem ChannelState // Status is empty if there is no problem
}

// Described is a description of a place.
type Described struct {
	doc.Description
	Changed bool // the file changed since the scrape
}

// expected marks messages whose receiver may be gone. A late reply is dropped without a log line.
type expected struct{}

// Droppable implements actor.Droppable.
func (expected) Droppable() {}

// A Target answers for one project. An Engine asks projects on its machine directly, and every
// other one through a Target. A Target that is late, fails, panics or answers wrongly costs only
// its own lists. Its methods must be safe for concurrent use.
type Target interface {
	// Name returns the project's name in answers. It must never change.
	Name() string
	// Channels returns the names of the project's channels, in the order in which they are shown.
	// They must never change.
	Channels() []string
	// Ask returns the lists of the wanted channels. ctx ends with the budget or with the query.
	Ask(ctx context.Context, m *Ask) (*Lists, error)
	// Describe returns descriptions of documents for a running query. It is the last call of a
	// query. Without Wants it only ends the query, and returns nil.
	Describe(ctx context.Context, m *Describe) (*Descriptions, error)
	// Read answers one look-up, a DetailRequest with a *DetailAnswer and so on. It must ignore the
	// Project of the request. The Timeout is the budget, with which ctx ends. The target must not
	// use the answer afterwards, because the caller changes it.
	Read(ctx context.Context, r Lookup) (any, error)
}

// The error of a Target may be a *Failure. Its Status is then shown as it is, because it comes from
// the far end, or the far end is known to be silent. Unreachable must be returned at once, and its
// Detail should name the silent nodes and since when. Any other error counts as a failure of the
// target. A target that fails several times in a row is not asked for a while.

// A Returner is a Target that knows when its far end returned.
type Returner interface {
	// Returned returns the time at which the far end was last heard again, or the zero time.
	// Earlier failures are forgotten. Returned must not block.
	Returned() time.Time
}
