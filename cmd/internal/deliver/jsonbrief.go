package deliver

import (
	"fmt"
	"io"
	"strings"

	"patina/actors/api"
	"patina/cmd/internal/layout"
	"patina/store/doc"
)

// briefResult bounds the JSON of a result in the brief form, in bytes. Ten results fit into 6 kB
// with the lines around them. Names are never cut. Other places, lines and the summary are, in this
// order.
const briefResult = 560

// briefLines bounds the lines of a result in the brief form. Fewer fit if names are long.
const briefLines = 3

// A jsonBrief is an answer in few bytes, for a reader who pays for each byte. Empty fields are left
// out, and only missing channels are named.
type jsonBrief struct {
	Schema    int           `json:"schema"`
	QueryID   string        `json:"query_id"`
	Intent    string        `json:"intent"`
	Relevance string        `json:"relevance"`
	Partial   bool          `json:"partial,omitempty"`
	Lacks     []string      `json:"incomplete,omitempty"`
	Notes     []string      `json:"notes,omitempty"`
	Read      *jsonRead     `json:"read,omitempty"`    // filters read from the words
	Indexes   []jsonBehind  `json:"indexes,omitempty"` // those behind their trees
	Channels  []jsonMissing `json:"channels,omitempty"`
	DigDeeper string        `json:"dig_deeper,omitempty"`
	More      []jsonMore    `json:"more,omitempty"`
	Results   []briefed     `json:"-"` // one a line
}

type jsonBehind struct {
	Project      string `json:"project"`
	Draft        bool   `json:"draft,omitempty"`
	Reparse      bool   `json:"other_parsers,omitempty"`
	Behind       int    `json:"behind_commits"`
	ChangedFiles int    `json:"changed_files"`
	*jsonLag
}

type jsonMissing struct {
	Project string `json:"project"`
	Channel string `json:"channel"`
	Status  string `json:"status"`
	Detail  string `json:"detail,omitempty"`
}

type briefed struct {
	Rank      int      `json:"rank"`
	DocID     string   `json:"doc_id"`
	Kind      string   `json:"kind"`
	Project   string   `json:"project,omitempty"` // if several projects were asked
	Via       string   `json:"via,omitempty"`     // the edge to the project
	Path      string   `json:"path,omitempty"`
	Symbol    string   `json:"symbol,omitempty"`
	LineStart int      `json:"line_start"`
	LineEnd   int      `json:"line_end"`
	Line      int      `json:"line,omitempty"` // the best one
	SHA       string   `json:"sha,omitempty"`
	Score     float64  `json:"score"`
	Exact     bool     `json:"exact,omitempty"`
	Changed   bool     `json:"changed,omitempty"`
	Others    bool     `json:"by_others,omitempty"` // as in jsonBelief
	Summary   string   `json:"summary,omitempty"`
	Why       string   `json:"why,omitempty"`
	Lines     []string `json:"lines,omitempty"` // "12: text", the best first

	Also []doc.Place `json:"also,omitempty"`
	Body string      `json:"body,omitempty"` // the whole text, if it was asked for
}

// Brief writes an answer as JSON, one line a result, with the fields that a reader needs to choose.
// JSON writes every field.
func Brief(w io.Writer, a *api.Answer, o Options) error {
	full := answerOf(a, o)
	out := jsonBrief{
		Schema: layout.Schema, QueryID: full.QueryID, Intent: full.Intent, Relevance: full.Relevance,
		Partial: full.Partial, Lacks: full.Lacks, Notes: full.Notes, Read: full.Read, More: full.More,
	}
	for _, x := range a.Indexes {
		if x.Generation.Draft || x.Reparse || x.Behind > 0 || x.ChangedFiles > 0 || noteworthy(x.Lag) {
			out.Indexes = append(out.Indexes,
				jsonBehind{x.Project, x.Generation.Draft, x.Reparse, x.Behind, x.ChangedFiles, lagOf(x.Lag)})
		}
	}
	for i, c := range a.Channels {
		if c.Status.Partial() || c.Status == api.Unavailable {
			x := full.Channels[i]
			out.Channels = append(out.Channels, jsonMissing{x.Project, x.Channel, x.Status, x.Detail})
		}
	}
	if o.Logged && len(a.Results) > 0 {
		out.DigDeeper = o.Dialect.Detail(a.QueryID, 0, 1)
	}
	for i, r := range full.Results {
		b := briefed{
			Rank: r.Rank, DocID: r.DocID, Kind: doc.Kind(r.Kind).Label(), Path: r.Path, Symbol: r.Symbol,
			LineStart: r.LineStart, LineEnd: r.LineEnd, Line: r.Line,
			SHA: r.SHA, Score: r.Score, Exact: r.Exact, Changed: r.Changed, Summary: r.Summary, Also: r.Also,
		}
		b.Others = r.Belief != nil && r.Belief.Others
		if r.Why != nil {
			b.Why = layout.Clip(r.Why.Text, maxWhy)
		}
		best := a.Results[i].Lines
		for _, l := range best[:min(len(best), briefLines)] {
			b.Lines = append(b.Lines, fmt.Sprintf("%d: %s", l.Number, strings.TrimSpace(l.Text)))
		}
		if len(o.Visits) > 0 {
			b.Project = r.Project
			b.Via = o.Visits[r.Project].Via
		}
		if i < len(o.Bodies) {
			b.Body = o.Bodies[i]
		}
		out.Results = append(out.Results, b)
	}
	return out.write(w)
}

// write writes the fields one a line, then the results one a line.
func (b jsonBrief) write(w io.Writer) error {
	head, err := layout.EncodeString(b, "  ")
	if err != nil {
		return err
	}
	var text strings.Builder
	text.WriteString(strings.TrimSuffix(head, "\n}\n") + ",\n  \"results\": [")
	for i, r := range b.Results {
		body := r.Body
		r.Body = ""
		line, err := r.line()
		if err == nil && body != "" {
			line, err = withBody(line, body)
		}
		if err != nil {
			return err
		}
		if i > 0 {
			text.WriteString(",")
		}
		text.WriteString("\n    " + line)
	}
	if len(b.Results) > 0 {
		text.WriteString("\n  ")
	}
	text.WriteString("]\n}\n")
	_, err = io.WriteString(w, text.String()) // each part is encoded
	return err
}

// withBody adds a whole text to the JSON of a result, which has its own bound.
func withBody(line, body string) (string, error) {
	text, err := layout.EncodeString(layout.Head(body, maxWhole), "")
	return strings.TrimSuffix(line, "}") + `,"body":` + strings.TrimSuffix(text, "\n") + "}", err
}

// line returns a result as JSON. It drops other places and lines, then cuts the summary, to keep
// within briefResult bytes.
func (r briefed) line() (string, error) {
	whole, err := layout.EncodeString(r, "")
	if err != nil {
		return "", err
	}
	for len(whole) > briefResult && len(r.Also)+len(r.Lines) > 1 {
		if len(r.Also) > 0 {
			r.Also = r.Also[:len(r.Also)-1]
		} else {
			r.Lines = r.Lines[:len(r.Lines)-1]
		}
		if whole, err = layout.EncodeString(r, ""); err != nil {
			return "", err
		}
	}
	if len(whole) > briefResult && r.Why != "" {
		r.Why = ""
		if whole, err = layout.EncodeString(r, ""); err != nil {
			return "", err
		}
	}
	if over := len(whole) - briefResult; over > 0 {
		r.Summary = strings.TrimSpace(layout.Head(r.Summary, max(0, len(r.Summary)-over-len(layout.Ellipsis))))
		if r.Summary != "" {
			r.Summary += layout.Ellipsis
		}
		if whole, err = layout.EncodeString(r, ""); err != nil {
			return "", err
		}
	}
	return strings.TrimSuffix(whole, "\n"), nil
}
