package deliver

import (
	"slices"

	"patina/actors/api"
	"patina/cmd/internal/layout"
	"patina/code/brief"
)

// Elsewhere holds the beliefs of linked projects on a topic.
type Elsewhere struct {
	Beliefs []api.Result
	Visits  map[string]Visit // the projects asked, by name
	Missed  string           // names the projects that could not answer, with reasons; may be empty
}

// NewElsewhere returns the beliefs of other projects in an answer, if they share enough words with
// the topic.
func NewElsewhere(a *api.Answer, visits map[string]Visit) Elsewhere {
	e := Elsewhere{Visits: visits}
	for _, r := range firm(a.Relevant()) {
		if _, ok := visits[r.Key.Project]; ok && r.Belief != nil && len(e.Beliefs) < maxElsewhere {
			e.Beliefs = append(e.Beliefs, r)
		}
	}
	var theirs []api.ChannelState
	for _, c := range a.Channels {
		if _, ok := visits[c.Project]; ok {
			theirs = append(theirs, c)
		}
	}
	// A project without history misses nothing here, because no belief is in a history.
	e.Missed = missing(slices.DeleteFunc(slices.Clone(theirs), func(c api.ChannelState) bool {
		return !c.Status.Partial() && !nothingFrom(theirs, c)
	}), visits)
	return e
}

// Bounds for the beliefs of other projects in a context: their number, and their bytes together.
const (
	maxElsewhere      = 5
	maxElsewhereBytes = 1200
)

// elsewhereSection lists beliefs of linked projects, each with its origin and the call that opens
// it.
func elsewhereSection(e Elsewhere, o Options) section {
	s := section{title: "## Cross-Project Beliefs", noun: "belief of another project"}
	size := 0
	for _, r := range e.Beliefs {
		v := e.Visits[r.Key.Project]
		item := statement(r.Belief.Belief) + " [" + layout.Clip(r.Key.Project, 32)
		if v.Via != "" {
			item += " via " + layout.Clip(v.Via, maxVia)
		}
		if r.Belief.ByOthers {
			item += ", " + OfOthers
		}
		item += "] " + o.Dialect.In(v.Repo).Believe(r.Belief.ID)
		if size += len(item) + 1; size > maxElsewhereBytes {
			break
		}
		s.items = append(s.items, item)
	}
	return s
}

// A jsonElsewhere is a belief of another project in JSON: docs/context.md.
type jsonElsewhere struct {
	jsonHeld
	Project   string `json:"project"`
	Via       string `json:"via"`
	Others    bool   `json:"by_others,omitempty"`
	DigDeeper string `json:"dig_deeper"`
}

func jsonElsewhereOf(e Elsewhere, o Options) []jsonElsewhere {
	out := []jsonElsewhere{}
	for _, r := range e.Beliefs {
		v := e.Visits[r.Key.Project]
		out = append(out, jsonElsewhere{
			jsonHeld{
				r.Belief.ID, r.Belief.Entrenchment, r.Belief.Standing,
				brief.Quote{Text: r.Belief.Statement, Path: r.Path, Line: r.First},
			},
			r.Key.Project, v.Via, r.Belief.ByOthers, o.Dialect.In(v.Repo).Believe(r.Belief.ID),
		})
	}
	return out
}

// missedElsewhere says which linked projects could not be asked.
func missedElsewhere(e Elsewhere) []layout.Line {
	if e.Missed == "" {
		return nil
	}
	return []layout.Line{layout.Strong(e.Missed)}
}
