package deliver

import (
	"io"
	"time"

	"patina/cmd/internal/layout"
	"patina/store/lookup"
)

type jsonTally struct {
	Name  string `json:"name"`
	Files int    `json:"files"`
	Lines int    `json:"lines"`
}

type jsonTouched struct {
	Path    string `json:"path"`
	Commits int    `json:"commits"`
	Gone    bool   `json:"gone"`
}

type jsonCentral struct {
	Path    string `json:"path"`
	Users   int    `json:"users"`
	Commits int    `json:"commits"`
}

type jsonEntry struct {
	Path   string `json:"path"`
	Symbol string `json:"symbol"`
	Line   int    `json:"line"`
}

// RecentJSON writes a period by the schema in docs/json.md. It has no ceiling.
func RecentJSON(w io.Writer, p Recent) error {
	out := struct {
		Preamble
		Since   time.Time     `json:"since"`
		Until   *time.Time    `json:"until,omitempty"`
		Author  string        `json:"author,omitempty"`
		Newest  *time.Time    `json:"newest"`
		Commits int           `json:"commits"`
		Merges  int           `json:"merges"`
		Touched int           `json:"touched"`
		Files   []jsonTouched `json:"files"`
		Results []jsonCommit  `json:"results"`
	}{PreambleOf(p.Index), p.Since.UTC(), layout.Time(p.When.Until), p.When.Author, nil, p.Total, p.Merges, p.Touched, []jsonTouched{}, []jsonCommit{}}
	if !p.Newest.IsZero() {
		out.Newest = &p.Newest
	}
	for _, f := range p.Files {
		out.Files = append(out.Files, jsonTouched(f))
	}
	for i, d := range p.Commits {
		out.Results = append(out.Results, jsonCommitOf(d, i+1))
	}
	return layout.Encode(w, out)
}

// OrientJSON writes an overview by the schema in docs/json.md. It has no ceiling, but keeps the
// limit for each list.
func OrientJSON(w io.Writer, v Orientation) error {
	out := struct {
		Preamble
		Folder      string        `json:"folder"`
		Files       int           `json:"files"`
		Lines       int           `json:"lines"`
		Languages   []jsonTally   `json:"languages"`
		Packages    []jsonTally   `json:"packages"`
		Folders     []jsonTally   `json:"folders"`
		Central     []jsonCentral `json:"central"`
		EntryPoints []jsonEntry   `json:"entry_points"`
		Tests       []jsonTally   `json:"tests"`
		Readme      string        `json:"readme"`
	}{
		PreambleOf(v.Index), v.Folder, v.Files, v.Lines, jsonTallies(v.Languages, len(v.Languages)),
		jsonTallies(v.Packages, v.Limit), jsonTallies(v.Folders, v.Limit),
		[]jsonCentral{},
		[]jsonEntry{},
		jsonTallies(v.Tests, v.Limit), "",
	}
	for _, c := range v.Central[:min(v.Limit, len(v.Central))] {
		out.Central = append(out.Central, jsonCentral(c))
	}
	for _, e := range v.EntryPoints[:min(v.Limit, len(v.EntryPoints))] {
		out.EntryPoints = append(out.EntryPoints, jsonEntry(e))
	}
	if v.Readme != nil {
		out.Readme = shownID(*v.Readme)
	}
	return layout.Encode(w, out)
}

func jsonTallies(ts []lookup.Tally, limit int) []jsonTally {
	out := []jsonTally{}
	for _, t := range ts[:min(limit, len(ts))] {
		out = append(out, jsonTally(t))
	}
	return out
}
