package api

import (
	"patina/code/brief"
	"patina/code/impact"
)

// An ImpactRequest asks what a change of files may reach. It must name a file.
type ImpactRequest struct {
	ReadOptions
	impact.Query
}

// An ImpactAnswer holds the callers, tests, files and owners, and the knowledge about the changed
// files.
type ImpactAnswer struct {
	Index IndexState
	impact.Impact
	Governing []Governing
	Rules     []brief.Quote // rules for people and agents that name a changed file
}

// A Governing belief cites a changed file, a symbol in it or a commit of it, or has a check that
// counts its rows. It may be a decision record.
type Governing struct {
	ID        string
	Path      string
	Line      int // of its statement
	Statement string
	ByOthers  bool // as in belief.Belief
	Decision  bool
	Files     []string // the changed files that it is about, best first
	Reason    string   // why it is about the first
	Score     float64
}
