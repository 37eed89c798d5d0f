package deliver

import (
	"io"
	"time"

	"patina/belief/knowledge"
	"patina/cmd/internal/layout"
	"patina/code/brief"
	"patina/code/describe"
	"patina/memory"
)

type jsonChanges struct {
	Until   time.Time    `json:"until"`
	Commits int          `json:"commits"`
	Files   int          `json:"files"`
	Results []jsonCommit `json:"results"`
}

type jsonContext struct {
	Preamble
	Project     string             `json:"project"`
	Topic       string             `json:"topic"`
	Others      bool               `json:"by_others,omitempty"` // no commit is known to be the user's
	Purpose     *brief.Quote       `json:"purpose"`
	Commands    []brief.Command    `json:"commands"`
	Packages    []brief.Package    `json:"packages"`
	Central     []describe.Central `json:"central"`
	OnTopic     []string           `json:"on_topic"`
	Commits     []jsonCommit       `json:"commits_on_topic"`
	Owners      []brief.Owner      `json:"owners"`
	Authors     []brief.Author     `json:"authors"`
	Conventions []brief.Quote      `json:"conventions"`
	Rules       []brief.Quote      `json:"rules"`
	Recent      *jsonChanges       `json:"recent"`
	Patterns    []brief.Pattern    `json:"core_patterns"`
	Beliefs     []jsonHeld         `json:"beliefs"`
	Decisions   []jsonHeld         `json:"decisions"`

	Elsewhere []jsonElsewhere `json:"cross_project_beliefs"`
	Missed    string          `json:"cross_project_missing,omitempty"`

	Accepted  int `json:"accepted"`
	Decided   int `json:"decided"`
	Proposed  int `json:"proposed"`
	Sentences int `json:"proposed_sentences"`

	Memories []memory.Found `json:"memories"`
	Recall   jsonRecall     `json:"recall_directive"`
}

type jsonHeld struct {
	ID           string  `json:"id"`
	Entrenchment float64 `json:"entrenchment"`
	Standing     float64 `json:"standing"`
	brief.Quote
}

func jsonHeldOf(all []knowledge.Held) []jsonHeld {
	out := []jsonHeld{}
	for _, h := range all {
		out = append(out,
			jsonHeld{h.ID, h.Entrenchment, h.Standing, brief.Quote{Text: h.Statement, Path: h.Path, Line: h.Line}})
	}
	return out
}

// ContextJSON writes a context by the schema in docs/context.md. It has no ceiling.
func ContextJSON(w io.Writer, c Context, o Options) error {
	out := jsonContext{
		Preamble: PreambleOf(c.Index), Project: c.Project, Topic: c.Topic, Others: !c.Index.Generation.Own,
		Purpose: c.Purpose, Commands: layout.NonNil(c.Commands), Packages: layout.NonNil(c.Packages),
		Central: layout.NonNil(c.Central), OnTopic: []string{}, Commits: []jsonCommit{},
		Owners: layout.NonNil(c.Owners), Authors: layout.NonNil(c.Authors), Conventions: layout.NonNil(c.Conventions),
		Rules: layout.NonNil(c.Rules),
	}
	for _, r := range c.OnTopic {
		out.OnTopic = append(out.OnTopic, ShownID(r.Description))
	}
	for i, r := range c.Commits {
		out.Commits = append(out.Commits, jsonCommitOf(r.Description, i+1))
	}
	if c.Recent.Total > 0 {
		out.Recent = &jsonChanges{c.Recent.Until.UTC(), c.Recent.Total, c.Recent.Touched, []jsonCommit{}}
		for i, d := range c.Recent.Commits {
			out.Recent.Results = append(out.Recent.Results, jsonCommitOf(d, i+1))
		}
	}
	out.Accepted, out.Decided, out.Proposed, out.Sentences = c.Layer.Active, c.Layer.Decided, c.Layer.Proposed,
		c.Sentences
	out.Beliefs, out.Decisions = jsonHeldOf(c.Layer.Beliefs), jsonHeldOf(c.Layer.Decisions)
	out.Elsewhere, out.Missed = jsonElsewhereOf(c.Elsewhere, o), c.Elsewhere.Missed
	out.Patterns, out.Memories = layout.NonNil(c.Layer.Patterns), layout.NonNil(c.Memories)
	out.Recall = jsonRecallOf(c, o)
	return layout.Encode(w, out)
}
