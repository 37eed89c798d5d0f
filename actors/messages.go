package actors

import (
	"time"

	"patina/oracles"
	"patina/store"
)

// Two messages cross every boundary, between the router and a repository as between nodes: Ask,
// which is answered by Lists, and Describe, which is answered by Descriptions. They are plain data,
// never changed once sent, name their query and carry a budget relative to their arrival, since
// clocks of two machines do not agree. Each side reads the text by itself.

// An Ask is answered by Lists, once, unless its budget is spent before its turn comes.
type Ask struct {
	expected
	Query   string // unique where it is answered, unlike the query id, which a caller may choose
	Text    string
	Filter  store.Filter
	Limit   int      // results wanted; lists are longer
	Oracles []string // ask only these; empty: all
	Budget  time.Duration
}

// Lists answers an Ask: with the lists of one oracle, or with those of all oracles of one project
// and their evidence.
type Lists struct {
	expected
	Query    string
	From     string // the oracle or the project
	Index    IndexState
	Lists    []oracles.List
	Exact    []store.Ranked
	Evidence map[string]store.Evidence // by path for code, by doc_id for the other kinds
	Channels []ChannelState
	Notes    []string
}

// A Describe asks for what the shown documents show, in the generation that the query has pinned.
// It is the last message of a query to a project, answered by Descriptions; without Wants it only
// says that the query is over, and has no answer.
type Describe struct {
	expected
	Query  string
	Wants  []Want
	Budget time.Duration
}

// A Want names a document to describe.
type Want struct {
	DocID  string
	Kind   store.Kind
	Chunks []int // ordinals of its best chunks for the question, best first; may be empty
	Usage  bool  // link code to its callers and imports
}

// Descriptions answers a Describe, one for each of its Wants.
type Descriptions struct {
	expected
	Query   string
	From    string
	Found   []Described
	Problem ChannelState // Status empty: none
}

// Described is a description and whether its file changed since the scrape.
type Described struct {
	store.Description
	Changed bool
}

// A deadline is sent to itself by the actor of a query, when the time of a phase is over.
type deadline struct {
	expected
	of phase
}

// A phase is what the actor of a query is waiting for.
type phase int

const (
	collecting phase = iota // for lists
	weighing                // for evidence (a project's)
	describing              // for descriptions, or to be asked for them
	over                    // for nothing
)

// expected marks messages that may find their receiver gone: a late reply is dropped without a log
// line.
type expected struct{}

// IgnoreDeadLetterLogging implements the actor system's marker.
func (expected) IgnoreDeadLetterLogging() {}
