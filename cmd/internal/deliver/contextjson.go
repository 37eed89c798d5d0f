package deliver

import (
	"io"
	"time"

	"patina/cmd/internal/layout"
	"patina/memory"
	"patina/store/brief"
	"patina/store/knowledge"
)

type jsonQuote struct {
	Text string `json:"text"`
	Path string `json:"path"`
	Line int    `json:"line"`
}

type jsonCommand struct {
	Use brief.Use `json:"use"`
	jsonQuote
}

type jsonPackage struct {
	Folder  string    `json:"folder"`
	Purpose jsonQuote `json:"purpose"`
}

type jsonOwner struct {
	Pattern string `json:"pattern"`
	jsonQuote
}

type jsonAuthor struct {
	Name    string `json:"name"`
	Commits int    `json:"commits"`
}

type jsonChanges struct {
	Until   time.Time    `json:"until"`
	Commits int          `json:"commits"`
	Files   int          `json:"files"`
	Results []jsonCommit `json:"results"`
}

type jsonContext struct {
	Preamble
	Project     string        `json:"project"`
	Topic       string        `json:"topic"`
	Others      bool          `json:"by_others,omitempty"` // no commit is known to be the user's
	Purpose     *jsonQuote    `json:"purpose"`
	Commands    []jsonCommand `json:"commands"`
	Packages    []jsonPackage `json:"packages"`
	Central     []jsonCentral `json:"central"`
	OnTopic     []string      `json:"on_topic"`
	Commits     []jsonCommit  `json:"commits_on_topic"`
	Owners      []jsonOwner   `json:"owners"`
	Authors     []jsonAuthor  `json:"authors"`
	Conventions []jsonQuote   `json:"conventions"`
	Rules       []jsonQuote   `json:"rules"`
	Recent      *jsonChanges  `json:"recent"`
	Patterns    []jsonPattern `json:"core_patterns"`
	Beliefs     []jsonHeld    `json:"beliefs"`
	Decisions   []jsonHeld    `json:"decisions"`

	Elsewhere []jsonElsewhere `json:"cross_project_beliefs"`
	Missed    string          `json:"cross_project_missing,omitempty"`

	Accepted  int `json:"accepted"`
	Decided   int `json:"decided"`
	Proposed  int `json:"proposed"`
	Sentences int `json:"proposed_sentences"`

	Memories []memory.Found `json:"memories"`
}

type jsonPattern struct {
	Name    string    `json:"name"`
	Purpose jsonQuote `json:"purpose"`
}

type jsonHeld struct {
	ID           string  `json:"id"`
	Entrenchment float64 `json:"entrenchment"`
	Standing     float64 `json:"standing"`
	jsonQuote
}

func jsonHeldOf(all []knowledge.Held) []jsonHeld {
	out := []jsonHeld{}
	for _, h := range all {
		out = append(out, jsonHeld{h.ID, h.Entrenchment, h.Standing, jsonQuote{h.Statement, h.Path, h.Line}})
	}
	return out
}

// ContextJSON writes a context by the schema in docs/context.md. It has no ceiling.
func ContextJSON(w io.Writer, c Context, o Options) error {
	out := jsonContext{
		Preamble: PreambleOf(c.Index), Project: c.Project, Topic: c.Topic, Others: !c.Index.Generation.Own,
		Commands: []jsonCommand{}, Packages: []jsonPackage{}, Central: []jsonCentral{}, OnTopic: []string{}, Commits: []jsonCommit{}, Owners: []jsonOwner{},
		Authors: []jsonAuthor{}, Conventions: jsonQuotes(c.Conventions), Rules: jsonQuotes(c.Rules),
	}
	if c.Purpose != nil {
		q := jsonQuote(*c.Purpose)
		out.Purpose = &q
	}
	for _, x := range c.Commands {
		out.Commands = append(out.Commands, jsonCommand{x.Use, jsonQuote(x.Quote)})
	}
	for _, p := range c.Packages {
		out.Packages = append(out.Packages, jsonPackage{p.Folder, jsonQuote(p.Purpose)})
	}
	for _, f := range c.Central {
		out.Central = append(out.Central, jsonCentral(f))
	}
	for _, r := range c.OnTopic {
		out.OnTopic = append(out.OnTopic, shownID(r.Description))
	}
	for i, r := range c.Commits {
		out.Commits = append(out.Commits, jsonCommitOf(r.Description, i+1))
	}
	for _, x := range c.Owners {
		out.Owners = append(out.Owners, jsonOwner{x.Pattern, jsonQuote(x.Quote)})
	}
	for _, a := range c.Authors {
		out.Authors = append(out.Authors, jsonAuthor(a))
	}
	if c.Recent.Total > 0 {
		out.Recent = &jsonChanges{c.Recent.Until.UTC(), c.Recent.Total, c.Recent.Touched, []jsonCommit{}}
		for i, d := range c.Recent.Commits {
			out.Recent.Results = append(out.Recent.Results, jsonCommitOf(d, i+1))
		}
	}
	out.Accepted, out.Decided, out.Proposed, out.Sentences, out.Patterns = c.Layer.Active, c.Layer.Decided, c.Layer.Proposed, c.Sentences, []jsonPattern{}
	out.Beliefs, out.Decisions = jsonHeldOf(c.Layer.Beliefs), jsonHeldOf(c.Layer.Decisions)
	for _, p := range c.Layer.Patterns {
		out.Patterns = append(out.Patterns, jsonPattern{p.Name, jsonQuote(p.Purpose)})
	}
	out.Elsewhere, out.Missed = jsonElsewhereOf(c.Elsewhere, o), c.Elsewhere.Missed
	out.Memories = append([]memory.Found{}, c.Memories...)
	return layout.Encode(w, out)
}

func jsonQuotes(quotes []brief.Quote) []jsonQuote {
	out := []jsonQuote{}
	for _, q := range quotes {
		out = append(out, jsonQuote(q))
	}
	return out
}
