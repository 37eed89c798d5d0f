package api

import (
	"slices"
	"time"

	"patina/fusion"
	"patina/oracles"
	"patina/store/doc"
	"patina/store/text"
)

// A Request is one question to the engine.
type Request struct {
	ID      string // query id; made by the engine if empty
	Text    string
	Filter  doc.Filter
	Limit   int           // results wanted; 10 if 0
	Oracles []string      // ask only these; empty: all
	Timeout time.Duration // 10 s if 0
	Rule    fusion.Rule   // how code channels are joined; blend if empty
	Tuning  fusion.Tuning // other weights, for measurements
	// AsWritten reads no time, no author and no wish for news from the words.
	AsWritten bool
	Now       time.Time // for relative times; the clock's if zero

	Projects []string // names or ids; empty: all
	// By project name, for the routes to them, at most 1; 1 if not listed.
	Weights map[string]float64
	// The project asked in: results from others count less, and have places of their own. Empty:
	// all projects are alike.
	Home string
	// Counts of the terms over all registered projects, where several are asked (route.Count).
	Counts text.Frequencies
}

// Status says how one channel of one project fared.
type Status string

// The statuses of a channel.
const (
	OK          Status = "OK"
	Empty       Status = "EMPTY"       // the kind does not exist there; not printed
	Overloaded  Status = "OVERLOADED"  // its queue was full
	Deadline    Status = "DEADLINE"    // no answer in time
	Failed      Status = "FAILED"      // an error or a panic; Detail says which
	Unavailable Status = "UNAVAILABLE" // nothing to search: no git history; not partial
	Unreachable Status = "UNREACHABLE" // nobody answers for the project; Detail says since when
)

// Partial reports whether a status makes an answer partial.
func (s Status) Partial() bool {
	return s == Overloaded || s == Deadline || s == Failed || s == Unreachable
}

// OfFailure reports whether a status may be the Status of a Failure.
func (s Status) OfFailure() bool { return s.Partial() || s == Unavailable }

// A ChannelState is the status of one channel of one project in an answer. The evidence and the
// descriptions have one where they are missing.
type ChannelState struct {
	Project string
	Channel string
	Status  Status
	Hits    int
	Elapsed time.Duration
	Detail  string
}

// An IndexState says how fresh the index of one project is.
type IndexState struct {
	Project      string
	Root         string
	Generation   doc.Generation
	Behind       int  // commits between the index and HEAD; -1 if unknown
	ChangedFiles int  // shown files that changed since the scrape
	Reparse      bool // other parsers than Options.Extractor made it
	Lag          *Lag // nil: the tree was not compared
}

// A Lag is how far a working tree has moved away from its index, as the front end found out.
type Lag struct {
	Files   int      // files that the index knows
	Looked  int      // and that were looked at
	Folders bool     // all folders were looked at, too
	Quiet   bool     // HEAD, git's index and the times of all folders are as they were
	Watched bool     // the tree is watched: all its files and folders are looked at
	Read    int      // files and commits that were read for this answer
	Pending []string // edited and deleted files that were not read
	New     []string // new files and folders that were not read; git may ignore some
	Why     string   // nothing, or not all of it, was read; empty: all was
}

// A Result is one place in an answer: its ranking and its description.
type Result struct {
	Rank int
	fusion.Result
	doc.Description
	Changed bool // the file changed since the scrape
	Bare    bool // it was not described in time: neither its lines nor its symbol are known
}

// A More says that a text stands in further files of a project, letter for letter.
type More struct {
	Project string
	oracles.Places
}

// An Answer is the engine's reply to a Request.
type Answer struct {
	QueryID   string
	Query     string
	Intent    fusion.Intent
	Relevance fusion.Relevance
	Partial   bool
	Took      time.Duration
	Indexes   []IndexState
	Results   []Result
	Channels  []ChannelState
	Notes     []string // words cut from the question, and the like
	More      []More   // where else what the question cites stands
	Read      FromWords
}

// Relevant returns the results for a list that says nothing else: none where nothing is relevant,
// and none whose place is not known.
func (a *Answer) Relevant() []Result {
	if a.Relevance == fusion.Irrelevant {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(a.Results), func(r Result) bool { return r.Bare })
}

// A WhyRequest asks how one document was ranked for a question.
type WhyRequest struct {
	Request
	DocID string // a symbol ranks as its file
}

// An Explanation shows how one document was ranked for a question.
type Explanation struct {
	Answer     // Results holds the document alone, or nothing if no channel found it
	Ranked int // documents in the ranking
}
