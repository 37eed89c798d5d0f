// Package deliver writes answers for people, agents and programs: snippets first, whole content on
// demand, JSON for programs.
//
// It makes three promises, for any content of a repository:
//
//   - A text never exceeds its ceiling, and says how much it left out. The query id and the
//     names of missing channels survive any cut.
//   - Nothing from a repository reaches a terminal as a control sequence.
//   - Every printed call runs as printed.
//
// A Dialect spells the calls, so that one text serves several front ends. The package writes only
// to the given writer. It asks no questions: package actors does. Quoting for a shell is left to
// package printable.
package deliver

import (
	"patina/actors/api"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout"
)

// The bounds of texts.
const (
	defaultTokens  = 900  // an answer; its limit is 1,000 tokens or 4,000 bytes
	explainTokens  = 3000 // an answer with its arithmetic, for a person
	MinBudget      = 100  // tokens: room for the query id and the missing channels
	MaxLinks       = 3    // links of a result in an answer
	maxAlso        = 3    // further symbols from a file in an answer
	maxDetailLinks = 12
	nearest        = 3 // results shown if nothing is relevant
)

// Options control how an answer is written. Dialect must be set.
type Options struct {
	Dialect dialect.Dialect
	Budget  int  // ceiling in tokens, at least MinBudget; 0: the default
	Explain bool // print the numbers behind the ranking
	Colour  bool // the writer is a terminal that wants colour
	Width   int  // columns of the terminal, at which lines of results are cut; 0: no limit
	Logged  bool // the query id can be looked up later

	// Visits are the other projects asked, by name. If nil, only the home project was asked.
	Visits map[string]Visit
	Route  []string // lines about the projects asked and left out; printed with Explain
	// homeNamed means that an earlier result of the answer named the home project.
	homeNamed bool

	Bodies []string // the whole texts of the results in JSON, in their order; nil without them

	Dismissed func(key string) bool // whether the user dismissed a sentence; may be nil
}

// A Visit says why another project was asked, and how calls name it.
type Visit struct {
	Via  string // the edge's type; empty without an edge
	Repo string // its name in calls
	Far  bool   // other machines answer for it
}

// other returns the options for the other front end. The results that an answer shows must not
// depend on the front end, so room for calls is reserved in both spellings.
func (o Options) other() Options {
	o.Dialect = o.Dialect.Other()
	return o
}

// dialectOfResult returns the dialect for calls about r.
func (o Options) dialectOfResult(r api.Result) dialect.Dialect { return o.dialectOf(r.Key.Project) }

// dialectOf returns the dialect for calls about a project.
func (o Options) dialectOf(project string) dialect.Dialect {
	if v, ok := o.Visits[project]; ok {
		return o.Dialect.In(v.Repo)
	}
	return o.Dialect
}

// Ceiling returns the bound of a text in bytes.
func (o Options) Ceiling() int {
	switch {
	case o.Budget > 0:
		return max(o.Budget, MinBudget) * layout.TokenBytes
	case o.Explain:
		return explainTokens * layout.TokenBytes
	}
	return defaultTokens * layout.TokenBytes
}
