package actors

import (
	"time"

	"patina/oracles"
	"patina/store"
)

// Two messages cross every boundary, between the router and a repository as between nodes later: ask, which is answered by
// lists, and describe, which is answered by descriptions. They are plain data, never changed once sent, name their query
// and carry a budget relative to their arrival, since clocks of two machines do not agree.

// An ask is answered by lists, once, unless its budget is spent before its turn comes.
type ask struct {
	expected
	Query    string // unique in the engine, unlike the query id, which a caller may choose
	Question oracles.Question
	Oracles  []string // ask only these; empty: all
	Budget   time.Duration
}

// lists answers an ask: with the lists of one oracle, or with those of all oracles of one project and their evidence.
type lists struct {
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

// A describe asks for what the shown documents show, in the generation that the query has pinned. It is the last message
// of a query to a project, answered by descriptions; without Wants it only says that the query is over.
type describe struct {
	expected
	Query  string
	Wants  []store.Want
	Budget time.Duration
}

// descriptions answers a describe, one for each of its Wants.
type descriptions struct {
	expected
	Query   string
	From    string
	Found   []described
	Problem ChannelState // Status empty: none
}

// described is a description and whether its file changed since the scrape.
type described struct {
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

// expected marks messages that may find their receiver gone: a late reply is dropped without a log line.
type expected struct{}

// IgnoreDeadLetterLogging implements the actor system's marker.
func (expected) IgnoreDeadLetterLogging() {}
