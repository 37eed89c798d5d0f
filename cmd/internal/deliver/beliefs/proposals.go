package beliefs

import (
	"fmt"
	"io"
	"strings"
	"time"

	"patina/actors/api"
	"patina/belief/mine"
	"patina/cmd/internal/deliver"
	"patina/cmd/internal/layout"
)

// maxProposal bounds a sentence in a list, in bytes.
const maxProposal = 330

// Proposals writes sentences that may be beliefs, with the calls that accept and dismiss one.
func Proposals(w io.Writer, a *api.ProposalsAnswer, o deliver.Options) error {
	var rows []layout.Line
	for i, p := range a.Proposals {
		rows = append(rows,
			layout.Text(fmt.Sprintf("%d. %s %s", i+1, layout.Quote(p.Text, maxProposal), proposalSource(p))))
	}
	if len(rows) == 0 {
		return writeList(w, []layout.Line{layout.Text("no sentence is proposed")}, nil, a.Index, o)
	}
	source := a.Proposals[0].Source
	end := []layout.Line{layout.Faint("Dig deeper: " +
		layout.JoinCalls([]string{o.Dialect.Accept(source), o.Dialect.Dismiss(source)}))}
	return writeList(w, rows, end, a.Index, o)
}

// proposalSource returns the place of a sentence.
func proposalSource(p mine.Proposal) string {
	s := layout.OpenPath(p.Source)
	if strings.HasPrefix(p.Source, "commit:") {
		s += fmt.Sprintf(" of %s, %s", layout.Day(p.Time), layout.Count(p.Files, "file"))
	}
	return s
}

// DismissedList writes dismissed sentences, the newest first. broken is the number of lines that
// could not be read.
func DismissedList(w io.Writer, all []mine.Dismissal, broken int, colour bool) error {
	var lines []layout.Line
	for _, s := range all {
		lines = append(lines,
			layout.Text(fmt.Sprintf("%s %s %s", layout.Day(s.Time), layout.Quote(s.Text, maxProposal),
				layout.OpenPath(s.Source))))
	}
	if len(all) == 0 {
		lines = append(lines, layout.Text("no sentence was dismissed"))
	}
	if broken > 0 {
		lines = append(lines, layout.Strong(layout.Count(broken, "line")+" could not be read"))
	}
	return layout.Write(w, lines, colour)
}

type jsonProposals struct {
	deliver.Preamble
	Proposals []jsonProposal `json:"proposals"`
}

type jsonProposal struct {
	Text   string  `json:"text"`
	Source string  `json:"source"`
	Since  string  `json:"since"`
	Files  int     `json:"files"`
	Score  float64 `json:"score"`
}

// ProposalsJSON writes the same as Proposals by the schema in docs/knowledge.md.
func ProposalsJSON(w io.Writer, a *api.ProposalsAnswer) error {
	out := jsonProposals{deliver.PreambleOf(a.Index), []jsonProposal{}}
	for _, p := range a.Proposals {
		out.Proposals = append(out.Proposals,
			jsonProposal{p.Text, p.Source, p.Time.UTC().Format(time.RFC3339), p.Files, layout.Round(p.Score)})
	}
	return layout.Encode(w, out)
}

// DismissedJSON writes dismissed sentences by the schema in docs/knowledge.md. A nil list is
// written as [].
func DismissedJSON(w io.Writer, all []mine.Dismissal, broken int) error {
	if all == nil {
		all = []mine.Dismissal{}
	}
	return layout.Encode(w, struct {
		Schema    int              `json:"schema"`
		Dismissed []mine.Dismissal `json:"dismissed"`
		Broken    int              `json:"broken_lines"`
	}{layout.Schema, all, broken})
}
