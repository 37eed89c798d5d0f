package ask

import (
	"time"

	"patina/actors/api"
	"patina/ask/visit"
	"patina/belief/knowledge"
	"patina/code/lookup"
	"patina/graph"
	"patina/memory"
	"patina/store/doc"
)

// An Answer is the result of a request. Only the fields of the request's form are set.
type Answer struct {
	Form      Form
	Name      string              // of the request
	Found     *Found              // Find, Lines
	Document  *Document           // Detail, Attach, Neighbours; Why of a document
	Ranked    *Ranked             // Why, with a question
	Standing  *api.StandingAnswer // Why of a belief
	Recent    *Changes            // Recent
	Folder    *api.OverviewAnswer // Orient; nil if the folder holds no indexed files
	Belief    *BeliefAnswer       // Belief
	Beliefs   *BeliefList         // Beliefs
	Facts     *api.AssayAnswer    // Facts
	Near      []string            // names close to the pattern, if it has no Facts
	Elsewhere []FactsElsewhere    // the facts of related projects, if they were asked
	Impact    *ImpactFound        // Impact
	Context   *Introduction       // Context
	Graph     *graph.Graph        // Graph
	Unknown   bool                // Why: no document has the name (Request.MayAsk)
	Unmatched string              // with Found: that no commit has the requested time or author
}

// Found is the answer to a question, and the texts that a listing of it needs.
type Found struct {
	*api.Answer
	Logged  bool                // the log holds its id
	Symbols []lookup.Symbol     // Request.Symbols
	Starts  map[api.Line]string // Request.Starts
	Whole   []Document          // Request.Whole: one a result that is relevant
}

// A Document is a document that was looked up, with its body or its neighbours.
type Document struct {
	doc.Description
	Body, Diff, Note string
	Near             *api.LinksAnswer // the commits and files beside it; nil if not requested
	QueryID          string           // of the earlier answer with it as a result
	Rank             int              // its rank in that answer
	Noted            Noted            // the notes about it
}

// Ranked explains the rank of a document.
type Ranked struct {
	DocID       string
	Explanation *api.Explanation
	Closest     []api.WordPair // its words nearest to words of the question
}

// Changes are the commits of a time.
type Changes struct {
	*api.RecentAnswer
	Days  int
	Since time.Time
	When  doc.When // the requested time, if it is not only a number of days
}

// A BeliefAnswer is a belief and the code that it is about.
type BeliefAnswer struct {
	doc.Description
	About     *api.ReachAnswer
	Reached   []knowledge.Reached
	CodeAlone bool // only the code was requested
}

// A BeliefList holds beliefs.
type BeliefList struct {
	*api.BeliefsAnswer
	LeftOut int // number of beliefs that were filtered out
}

// An Introduction introduces a newcomer to a project, and to a topic of it.
type Introduction struct {
	*api.BriefAnswer
	IsEmpty  bool // the index has no documents; there may be memories
	Topic    string
	Now      time.Time
	Memories []memory.Found // notes on the topic; without a topic, the pinned notes

	// The answers to the topic, by kind. They are nil without a topic.
	Code, Rules, Beliefs, Commits []api.Result

	Elsewhere *api.Answer   // from linked projects; nil if no project was asked
	Linked    []visit.Visit // the linked projects that were asked
	Missed    error         // why no project could be asked, or nil
}
