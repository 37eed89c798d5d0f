package ask

import (
	"time"

	"patina/actors/api"
	"patina/ask/visit"
	"patina/belief/knowledge"
	"patina/code/lookup"
	"patina/memory"
	"patina/store/doc"
)

// An Answer is the result of a request. The field of the request's form is set, and no other.
type Answer struct {
	Form      Form
	Name      string              // of the request
	Found     *Found              // Find, Lines
	Document  *Document           // Detail, Attach, Neighbours; Why of a document
	Ranked    *Ranked             // Why, with a question
	Standing  *api.StandingAnswer // Why of a belief
	Recent    *Changes            // Recent
	Folder    *api.OverviewAnswer // Orient; nil if nothing indexed lies there
	Belief    *BeliefAnswer       // Belief
	Beliefs   *BeliefList         // Beliefs
	Facts     *api.AssayAnswer    // Facts
	Near      []string            // with Facts, where there are none: names close to the pattern
	Context   *Introduction       // Context; nil if the index is empty
	Unknown   bool                // Why: no document has the name (Request.MayAsk)
	Unmatched string              // with Found: that no commit is of the time or author asked for
}

// Found is the answer to a question, with the texts that a listing of it needs.
type Found struct {
	*api.Answer
	Logged  bool                // the log knows its id
	Symbols []lookup.Symbol     // Request.Symbols
	Starts  map[api.Line]string // Request.Starts
}

// A Document is a document that was looked up, with its body or its neighbours.
type Document struct {
	doc.Description
	Body, Diff, Note string
	Near             *api.LinksAnswer // the commits and files beside it; nil: not asked
	QueryID          string           // of the earlier answer that it is a result of
	Rank             int              // in that answer
}

// Ranked says how a document was ranked.
type Ranked struct {
	DocID       string
	Explanation *api.Explanation
	Closest     []api.WordPair // its words nearest to those of the question
}

// Changes are the commits of a time.
type Changes struct {
	*api.RecentAnswer
	Days  int
	Since time.Time
	When  doc.When // asked for beside the days, or in place of them
}

// A BeliefAnswer is a belief with the code that it is about.
type BeliefAnswer struct {
	doc.Description
	About     *api.ReachAnswer
	Reached   []knowledge.Reached
	CodeAlone bool // nothing else was asked for
}

// A BeliefList holds beliefs.
type BeliefList struct {
	*api.BeliefsAnswer
	LeftOut int // beliefs that were not wanted
}

// An Introduction tells a newcomer about a project, and about a topic in it.
type Introduction struct {
	*api.BriefAnswer
	Topic    string
	Now      time.Time
	Memories []memory.Found // notes on the topic; without one, those that are pinned

	// What answers the topic.
	Code, Rules, Beliefs, Commits []api.Result

	Elsewhere *api.Answer   // of linked projects; nil: none was asked
	Linked    []visit.Visit // that were asked
	Missed    error         // why none could be asked
}
