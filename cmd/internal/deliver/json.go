package deliver

import (
	"io"

	"patina/actors/api"
	"patina/cmd/internal/layout"
	"patina/memory"
	"patina/store/doc"
)

// A Preamble begins every answer from an index.
type Preamble struct {
	Schema  int         `json:"schema"`
	Indexes []jsonIndex `json:"indexes"`
}

func PreambleOf(indexes ...api.IndexState) Preamble {
	p := Preamble{layout.Schema, []jsonIndex{}}
	for _, x := range indexes {
		p.Indexes = append(p.Indexes, jsonIndex{
			Project: x.Project, Generation: x.Generation.Number, Head: x.Generation.Head,
			Draft: x.Generation.Draft, Reparse: x.Reparse, Behind: x.Behind, ChangedFiles: x.ChangedFiles,
			jsonLag: lagOf(x.Lag),
		})
	}
	return p
}

type jsonAnswer struct {
	Preamble
	QueryID   string        `json:"query_id"`
	Query     string        `json:"query"`
	Intent    string        `json:"intent"`
	TookMS    float64       `json:"took_ms"`
	Relevance string        `json:"relevance"`
	Partial   bool          `json:"partial"`
	Lacks     []string      `json:"incomplete"`
	Notes     []string      `json:"notes"`
	Read      *jsonRead     `json:"read,omitempty"`
	Results   []jsonResult  `json:"results"`
	Channels  []jsonChannel `json:"channels"`
	Proposed  *offer        `json:"proposed,omitempty"`
	More      []jsonMore    `json:"more,omitempty"`
}

type jsonIndex struct {
	Project      string `json:"project"`
	Generation   int64  `json:"generation"`
	Head         string `json:"head"`
	Draft        bool   `json:"draft,omitempty"`
	Reparse      bool   `json:"other_parsers,omitempty"` // made by another version of the parsers
	Behind       int    `json:"behind_commits"`
	ChangedFiles int    `json:"changed_files"`
	*jsonLag            // nil, and absent, if the tree was not compared
}

type jsonResult struct {
	Rank          int                `json:"rank"`
	DocID         string             `json:"doc_id"`
	Kind          string             `json:"kind"`
	Project       string             `json:"project"`
	Path          string             `json:"path"`
	Symbol        string             `json:"symbol"`
	Package       string             `json:"package"`
	LineStart     int                `json:"line_start"`
	LineEnd       int                `json:"line_end"`
	Line          int                `json:"line"`
	Lines         []doc.Line         `json:"lines"`
	SHA           string             `json:"sha,omitempty"`
	Score         float64            `json:"score"`
	Chance        float64            `json:"chance"`
	Share         float64            `json:"share"`
	Breadth       float64            `json:"breadth"`
	Known         float64            `json:"known"`
	Meaning       float64            `json:"meaning"`
	Agreement     float64            `json:"agreement"`
	Lead          float64            `json:"lead"`
	Merged        float64            `json:"merged"`
	Placed        string             `json:"placed"`
	Prior         float64            `json:"prior"`
	ScoreType     string             `json:"score_type"`
	Exact         bool               `json:"exact"`
	Changed       bool               `json:"changed"`
	Belief        *jsonBelief        `json:"belief,omitempty"`
	Outside       *jsonOutside       `json:"outside,omitempty"`
	Contributions []jsonContribution `json:"contributions"`
	Summary       string             `json:"summary"`
	Why           *doc.Line          `json:"why,omitempty"`
	Also          []doc.Place        `json:"also"`
	Via           string             `json:"via"`
	Breadcrumbs   []doc.Link         `json:"breadcrumbs"`
	DigDeeper     string             `json:"dig_deeper"`
	Body          string             `json:"body,omitempty"`
}

type jsonContribution struct {
	Channel    string  `json:"channel"`
	Rank       int     `json:"rank"`
	Raw        float64 `json:"raw"`
	Normalised float64 `json:"normalised"`
	Weight     float64 `json:"weight"`
	Added      float64 `json:"added"`
}

// A jsonMore is a text of the question that further files contain.
type jsonMore struct {
	Project string `json:"project"`
	Text    string `json:"text"`
	Files   int    `json:"files"`
	Lines   string `json:"lines"` // the call that lists them, or empty
}

type jsonChannel struct {
	Project   string  `json:"project"`
	Channel   string  `json:"channel"`
	Status    string  `json:"status"`
	Hits      int     `json:"hits"`
	ElapsedMS float64 `json:"elapsed_ms"`
	Detail    string  `json:"detail"`
}

// JSON writes an answer by the schema in docs/json.md. It has no ceiling.
func JSON(w io.Writer, a *api.Answer, o Options) error { return layout.Encode(w, answerOf(a, o)) }

func answerOf(a *api.Answer, o Options) jsonAnswer {
	out := jsonAnswer{
		Preamble: PreambleOf(a.Indexes...), QueryID: a.QueryID, Query: a.Query, Intent: string(a.Intent),
		TookMS:    layout.Milliseconds(a.Took),
		Relevance: string(a.Relevance), Partial: a.Partial, Lacks: Lacking(a, o.Visits), Notes: layout.NonNil(a.Notes),
		Read:    readOf(a.Read),
		Results: []jsonResult{}, Channels: []jsonChannel{}, Proposed: offered(a, a.Results, o),
	}
	for _, r := range a.Results {
		out.Results = append(out.Results, result(a.QueryID, r, o))
	}
	for i, body := range o.Bodies {
		out.Results[i].Body = layout.Head(body, maxWhole)
	}
	for _, x := range a.More {
		out.More = append(out.More, jsonMore{x.Project, x.Text, x.Files, o.dialectOf(x.Project).Lines(x.Text)})
	}
	for _, c := range a.Channels {
		out.Channels = append(out.Channels, jsonChannel{
			Project: c.Project, Channel: c.Channel, Status: string(c.Status), Hits: c.Hits,
			ElapsedMS: layout.Milliseconds(c.Elapsed), Detail: c.Detail,
		})
	}
	return out
}

func result(queryID string, r api.Result, o Options) jsonResult {
	out := document(r.Description)
	out.Rank, out.Project = r.Rank, r.Key.Project
	out.Score, out.Chance, out.Share, out.Breadth = layout.Round(r.Score), layout.Round(r.Chance),
		layout.Round(r.Share), layout.Round(r.Breadth)
	out.Known, out.Meaning = layout.Round(r.Evidence.Known), layout.Round(r.Evidence.Cosine)
	out.Agreement, out.Prior = layout.Round(r.Agreement), layout.Round(r.Prior)
	out.Lead, out.Merged, out.Placed = layout.Round(r.Lead), layout.Round(r.Merged), string(r.Placed)
	out.ScoreType, out.Exact, out.Changed = "rrf", r.Exact, r.Changed
	if r.Blended != 0 {
		out.ScoreType = "blend"
	}
	if own := r.Kind.Traits().Channel; own != "" { // ranked by its own channel alone
		out.ScoreType = "hybrid_" + own
	}
	for _, c := range r.Contributions {
		out.Contributions = append(out.Contributions, jsonContribution{
			Channel: c.Channel, Rank: c.Rank, Raw: layout.Round(c.Raw), Normalised: layout.Round(c.Normalised),
			Weight: layout.Round(c.Weight), Added: layout.Round(c.Added),
		})
	}
	if via := o.Visits[r.Key.Project].Via; via != "" {
		out.Via = via
	}
	out.DigDeeper = Deeper(queryID, r, o)
	return out
}

// document fills in the fields that do not depend on the question.
func document(d doc.Description) jsonResult {
	out := jsonResult{
		DocID: ShownID(d), Kind: string(d.Kind),
		Summary: summary(d), Also: layout.NonNil(d.Also), Lines: layout.NonNil(byNumber(d.Lines, maxSnippetLines)),
		Contributions: []jsonContribution{}, Breadcrumbs: layout.NonNil(d.Links),
	}
	if fill := printerOf(d.Kind).json; fill != nil {
		fill(&out, d)
	} else {
		partOfFile(&out, d)
	}
	if d.Why.Text != "" {
		out.Why = &d.Why
	}
	return out
}

// summary returns the title (signature, heading path or subject) and the document's own summary,
// one a line.
func summary(d doc.Description) string {
	switch {
	case d.Summary == "" || d.Summary == d.Title:
		return d.Title
	case d.Title == "":
		return d.Summary
	}
	return d.Title + "\n" + d.Summary
}

// DetailJSON writes a document, with its whole body, as the only result of an answer without a
// question.
func DetailJSON(w io.Writer, d Document) error {
	type withBody struct {
		jsonResult
		Body    string          `json:"body"`
		Diff    string          `json:"diff,omitempty"`
		Note    string          `json:"note,omitempty"`
		Reasons []jsonReason    `json:"reasons,omitempty"`
		Notes   []memory.Memory `json:"memories,omitempty"`
	}
	return layout.Encode(w, struct {
		Schema  int        `json:"schema"`
		Results []withBody `json:"results"`
	}{layout.Schema, []withBody{{document(d.Description), d.Body, d.Diff, d.Note, reasonsOf(d.Reasons), d.Notes}}})
}
