package api

import (
	"slices"
	"strings"
	"time"

	"patina/fusion"
	"patina/oracles"
	"patina/store/doc"
	"patina/store/text"
)

// A Request is one question to the engine.
type Request struct {
	ID      string // query id; if empty, the engine makes one
	Text    string
	Filter  doc.Filter
	Limit   int           // most results; 0 means 10
	Oracles []string      // the only ones to ask; if nil, all are
	Timeout time.Duration // 0 means DefaultTimeout
	Rule    fusion.Rule   // how code channels are joined; "" means Blend
	Tuning  fusion.Tuning // other weights, for measurements only
	// AsWritten keeps time, author and the wish for news in the words from being interpreted.
	AsWritten bool
	Now       time.Time // for relative times; if zero, the clock's

	Projects []string // names or ids; if nil, all but visited ones are asked
	// Weights are factors for results of projects, by name. They must be at most 1, which is the
	// default.
	Weights map[string]float64
	// Home is the project of the user. Results from other projects count less and have places of
	// their own. If empty, all projects are equal.
	Home string
	// Counts are the counts of the terms over all registered projects, if several are asked
	// (route.Count). They may be nil.
	Counts text.Frequencies
}

// Status is the outcome of one channel of one project.
type Status string

// These are the statuses of a channel.
const (
	OK          Status = "OK"
	Empty       Status = "EMPTY"       // no documents of the kind; not printed
	Overloaded  Status = "OVERLOADED"  // its queue was full
	Deadline    Status = "DEADLINE"    // no answer in time
	Failed      Status = "FAILED"      // an error or a panic, which is in Detail
	Unavailable Status = "UNAVAILABLE" // nothing to search, such as no git history
	Unreachable Status = "UNREACHABLE" // no node answers for the project
)

// Partial reports whether a status makes an answer partial.
func (s Status) Partial() bool {
	return s == Overloaded || s == Deadline || s == Failed || s == Unreachable
}

// OfFailure reports whether a Failure may have the status.
func (s Status) OfFailure() bool { return s.Partial() || s == Unavailable }

// A ChannelState is the status of one channel of one project in an answer. Evidence and
// descriptions also have one if they are missing.
type ChannelState struct {
	Project string
	Channel string
	Status  Status
	Hits    int
	Elapsed time.Duration
	Detail  string
}

// ByBuiltIn reports whether the channel has ranked, but some kinds by the built-in vectors instead
// of those of a model that the user has chosen. Detail says which and why.
func (c ChannelState) ByBuiltIn() bool {
	return c.Status == Unavailable && strings.Contains(c.Detail, oracles.ByBuiltIn)
}

// An IndexState says how fresh the index of one project is.
type IndexState struct {
	Project      string
	Root         string
	Generation   doc.Generation
	Behind       int  // commits between the index and HEAD; -1 if unknown
	ChangedFiles int  // number of shown files that changed since the scrape
	Reparse      bool // made by parsers other than Options.Extractor
	Lag          *Lag // nil if the tree was not compared
}

// A Lag is the distance between a working tree and its index. The front end finds it out.
type Lag struct {
	Files   int      // number of files in the index
	Looked  int      // number of those that were checked
	Folders bool     // all folders were checked as well
	Quiet   bool     // HEAD, git's index and the times of all folders are unchanged
	Watched bool     // the tree is watched, so all files and folders are checked
	Read    int      // files and commits that were read for this answer
	Pending []string // edited and deleted files that were not read
	New     []string // new files and folders that were not read; git may ignore some
	Why     string   // why not everything was read; empty if it was
}

// A Result is one place in an answer.
type Result struct {
	Rank int
	fusion.Result
	doc.Description
	Changed bool // the file changed since the scrape
	Bare    bool // not described in time: neither lines nor symbol are known
}

// A More lists further files of a project that contain a text, letter for letter.
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
	Notes     []string // such as words cut from the question
	More      []More   // further places of texts that the question cites
	Read      FromWords
}

// A Glimpse is the answer of the asker's own project while others are still asked.
type Glimpse struct {
	Answer
	Awaited []string // channels and projects that have not answered
}

// Relevant returns the results for a list that shows nothing else. It returns nil if the answer is
// irrelevant, and leaves out results that were not described.
func (a *Answer) Relevant() []Result {
	if a.Relevance == fusion.Irrelevant {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(a.Results), func(r Result) bool { return r.Bare })
}

// A WhyRequest asks how one document was ranked for a question.
type WhyRequest struct {
	Request
	DocID string // must not be empty; a symbol ranks as its file
}

// An Explanation shows how one document was ranked for a question.
type Explanation struct {
	Answer     // Results holds only the document, or is nil if no channel found it
	Ranked int // number of documents in the ranking
}
