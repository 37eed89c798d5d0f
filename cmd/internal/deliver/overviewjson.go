package deliver

import (
	"io"
	"time"

	"patina/cmd/internal/layout"
	"patina/code/describe"
	"patina/code/history"
)

// RecentJSON writes a period by the schema in docs/json.md. It has no ceiling.
func RecentJSON(w io.Writer, p Recent) error {
	out := struct {
		Preamble
		Since   time.Time       `json:"since"`
		Until   *time.Time      `json:"until,omitempty"`
		Author  string          `json:"author,omitempty"`
		Newest  *time.Time      `json:"newest"`
		Commits int             `json:"commits"`
		Merges  int             `json:"merges"`
		Touched int             `json:"touched"`
		Files   []history.Churn `json:"files"`
		Results []jsonCommit    `json:"results"`
	}{
		PreambleOf(p.Index), p.Since.UTC(), layout.Time(p.When.Until), p.When.Author, nil, p.Total, p.Merges, p.Touched,
		layout.NonNil(p.Files),
		[]jsonCommit{},
	}
	if !p.Newest.IsZero() {
		out.Newest = &p.Newest
	}
	for i, d := range p.Commits {
		out.Results = append(out.Results, jsonCommitOf(d, i+1))
	}
	return layout.Encode(w, out)
}

// OrientJSON writes an overview by the schema in docs/json.md. Each list has at most v.Limit
// entries.
func OrientJSON(w io.Writer, v Orientation) error {
	out := struct {
		Preamble
		Folder      string                `json:"folder"`
		Files       int                   `json:"files"`
		Lines       int                   `json:"lines"`
		Languages   []describe.Tally      `json:"languages"`
		Packages    []describe.Tally      `json:"packages"`
		Folders     []describe.Tally      `json:"folders"`
		Central     []describe.Central    `json:"central"`
		EntryPoints []describe.EntryPoint `json:"entry_points"`
		Tests       []describe.Tally      `json:"tests"`
		Readme      string                `json:"readme"`
	}{
		PreambleOf(v.Index), v.Folder, v.Files, v.Lines, layout.NonNil(v.Languages), limited(v.Packages, v.Limit),
		limited(v.Folders, v.Limit),
		limited(v.Central, v.Limit), limited(v.EntryPoints, v.Limit), limited(v.Tests, v.Limit), "",
	}
	if v.Readme != nil {
		out.Readme = ShownID(*v.Readme)
	}
	return layout.Encode(w, out)
}

// limited returns at most the first entries of a list, never nil.
func limited[T any](entries []T, limit int) []T {
	return layout.NonNil(entries[:min(limit, len(entries))])
}
