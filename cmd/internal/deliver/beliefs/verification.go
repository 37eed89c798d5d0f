package beliefs

import (
	"fmt"
	"io"
	"strings"

	"patina/actors/api"
	"patina/belief/verify"
	"patina/cmd/internal/deliver"
	"patina/cmd/internal/layout"
)

// A Verified is the outcome of checks, with the state of their index.
type Verified struct {
	Beliefs []verify.Verified
	Index   api.IndexState
}

// Counts counts the checks by outcome.
func (v Verified) Counts() (n verify.Counts) {
	for _, b := range v.Beliefs {
		for _, o := range b.Outcomes {
			n.Add(o.Status)
		}
		n.Unsupported += b.More
	}
	return n
}

// Verification writes outcomes, at most PageBytes or the budget. The counts come first, then one
// line for each check that did not pass, then as many passed ones as fit.
func Verification(w io.Writer, v Verified, o deliver.Options) error {
	ceiling := layout.PageBytes
	if o.Budget > 0 {
		ceiling = o.Ceiling()
	}
	top := layout.Strong(verifiedTitle(v))
	var end []layout.Line
	if s := deliver.Freshness([]api.IndexState{v.Index}, o.Dialect); s != "" {
		end = append(end, layout.Faint(s))
	}
	rows := verifiedRows(v)
	room := ceiling - layout.Size(end) - layout.Size([]layout.Line{top}) - layout.MaxName
	lines := []layout.Line{top}
	for i, l := range rows {
		if room -= layout.Size([]layout.Line{l}); room < 0 {
			left := fmt.Sprintf("%d more: %s or %s shows them", len(rows)-i,
				o.Dialect.Raise(2*ceiling/layout.TokenBytes), o.Dialect.JSON())
			lines = append(lines, layout.Faint(left))
			break
		}
		lines = append(lines, l)
	}
	return layout.Write(w, append(lines, end...), o.Colour)
}

func verifiedTitle(v Verified) string {
	n, with := v.Counts(), 0
	for _, b := range v.Beliefs {
		if len(b.Outcomes) > 0 {
			with++
		}
	}
	if with == 0 {
		return fmt.Sprintf("no checks in %s", layout.Count(len(v.Beliefs), "belief"))
	}
	parts := []string{fmt.Sprintf("%d passed", n.Passed)}
	for _, p := range []struct {
		n    int
		text string
	}{{n.Failed, "failed"}, {n.Broken, "without an answer"}, {n.Unsupported, "unsupported"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.text))
		}
	}
	return fmt.Sprintf("%s of %s: %s", layout.Count(n.Total(), "check"), layout.Count(with, "belief"),
		strings.Join(parts, ", "))
}

// verifiedRows returns a row for each outcome, the worst first.
func verifiedRows(v Verified) (rows []layout.Line) {
	for _, s := range []verify.Status{verify.Failed, verify.Broken, verify.Unsupported, verify.Passed} {
		for _, b := range v.Beliefs {
			for _, o := range b.Outcomes {
				if o.Status == s {
					rows = append(rows, layout.Text(verifiedRow(b, o)))
				}
			}
		}
	}
	for _, b := range v.Beliefs {
		if b.More > 0 {
			rows = append(rows,
				layout.Faint(fmt.Sprintf("  %s: %s left out", layout.Middle(b.Path, layout.MaxPath),
					layout.Count(b.More, "check"))))
		}
	}
	return rows
}

func verifiedRow(b verify.Verified, o verify.Outcome) string {
	label := layout.Clip(o.Label, deliver.MaxTextColumn)
	if label == "" {
		label = "(no label)"
	}
	text := fmt.Sprintf("  %-11s  %s:%d  %s", o.Status, layout.Middle(b.Path, deliver.MaxPlaceColumn), o.Line, label)
	switch o.Status {
	case verify.Passed, verify.Failed:
		return text + fmt.Sprintf(": %s, expected %s", layout.Clip(o.Got, deliver.MaxTextColumn),
			layout.Clip(o.Expect, deliver.MaxTextColumn))
	}
	return text + ": " + layout.Clip(o.Detail, layout.MaxLine)
}

type jsonVerified struct {
	deliver.Preamble
	Passed      int           `json:"passed"`
	Failed      int           `json:"failed"`
	Errors      int           `json:"errors"`
	Unsupported int           `json:"unsupported"`
	Beliefs     []jsonChecked `json:"beliefs"`
}

type jsonChecked struct {
	ID      string      `json:"id"`
	Path    string      `json:"path"`
	LeftOut int         `json:"left_out"`
	Checks  []jsonCheck `json:"checks"`
}

type jsonCheck struct {
	Label  string `json:"label"`
	Type   string `json:"type"`
	Line   int    `json:"line"`
	Query  string `json:"query"`
	Expect string `json:"expect"`
	Status string `json:"status"`
	Got    string `json:"got"`
	Detail string `json:"detail"`
}

// VerifiedJSON writes all outcomes by the schema in docs/knowledge.md. It has no ceiling.
func VerifiedJSON(w io.Writer, v Verified) error {
	n := v.Counts()
	out := jsonVerified{
		Preamble: deliver.PreambleOf(v.Index), Passed: n.Passed, Failed: n.Failed, Errors: n.Broken,
		Unsupported: n.Unsupported, Beliefs: []jsonChecked{},
	}
	for _, b := range v.Beliefs {
		x := jsonChecked{ID: b.ID, Path: b.Path, LeftOut: b.More, Checks: []jsonCheck{}}
		for _, o := range b.Outcomes {
			x.Checks = append(x.Checks, jsonCheck{
				Label: o.Label, Type: o.Type, Line: o.Line, Query: o.Query, Expect: o.Expect, Status: string(o.Status),
				Got: o.Got, Detail: o.Detail,
			})
		}
		out.Beliefs = append(out.Beliefs, x)
	}
	return layout.Encode(w, out)
}
