package beliefs

import (
	"fmt"
	"io"

	"patina/actors/api"
	"patina/cmd/internal/deliver"
	"patina/cmd/internal/layout"
)

// Reach writes the files that beliefs are about, at most PageBytes or the budget. With reverse, the
// beliefs are all about one file, and each has one line.
func Reach(w io.Writer, a *api.ReachAnswer, reverse bool, o deliver.Options) error {
	var rows []layout.Line
	for _, b := range a.Beliefs {
		if reverse {
			rows = append(rows,
				layout.Text(fmt.Sprintf("← belief:%s (%sreach %.2f) %s:%d  %s", layout.Clip(b.ID, layout.MaxName),
					deliver.AuthorMark(b.ByOthers), b.Reached[0].Score, layout.OpenPath(b.Path), b.Line,
					reachReason(b.Reached[0]))))
			continue
		}
		rows = append(rows,
			layout.Strong(fmt.Sprintf("belief:%s (%s%s:%d) → %s", layout.Clip(b.ID, layout.MaxName),
				deliver.AuthorMark(b.ByOthers), layout.OpenPath(b.Path), b.Line, layout.Count(len(b.Reached), "file"))))
		for _, r := range b.Reached {
			rows = append(rows,
				layout.Text(fmt.Sprintf("  %.2f  %s  %s", r.Score, layout.Middle(r.Path, layout.MaxPath),
					reachReason(r))))
		}
	}
	if len(rows) == 0 {
		rows = []layout.Line{layout.Text("no belief is known to be about it")}
		if !reverse {
			rows = []layout.Line{layout.Text("no code is known to be meant")}
		}
	}
	return writeList(w, rows, nil, a.Index, o)
}

// writeList writes rows and then end, at most PageBytes or the budget. Rows that do not fit are
// counted in one line.
func writeList(w io.Writer, rows, end []layout.Line, index api.IndexState, o deliver.Options) error {
	ceiling := layout.PageBytes
	if o.Budget > 0 {
		ceiling = o.Ceiling()
	}
	if s := deliver.Freshness([]api.IndexState{index}, o.Dialect); s != "" {
		end = append(end, layout.Faint(s))
	}
	room := ceiling - layout.Size(end) - layout.MaxName
	for i, l := range rows {
		if room -= layout.Size([]layout.Line{l}); room < 0 {
			rows = append(rows[:i:i],
				layout.Faint(fmt.Sprintf("%d more lines: %s or %s shows them", len(rows)-i,
					o.Dialect.Raise(2*ceiling/layout.TokenBytes), o.Dialect.JSON())))
			break
		}
	}
	return layout.Write(w, append(rows, end...), o.Colour)
}

type jsonReach struct {
	deliver.Preamble
	Beliefs []jsonReaching `json:"beliefs"`
}

type jsonReaching struct {
	ID    string        `json:"id"`
	Files []jsonReached `json:"files"`
}

type jsonReached struct {
	Path    string  `json:"path"`
	Symbol  string  `json:"symbol"`
	Score   float64 `json:"score"`
	Reason  string  `json:"reason"`
	Commits int     `json:"commits"`
}

// ReachJSON writes the same as Reach by the schema in docs/knowledge.md. It has no ceiling.
func ReachJSON(w io.Writer, a *api.ReachAnswer) error {
	out := jsonReach{Preamble: deliver.PreambleOf(a.Index), Beliefs: []jsonReaching{}}
	for _, b := range a.Beliefs {
		x := jsonReaching{ID: b.ID, Files: []jsonReached{}}
		for _, r := range b.Reached {
			x.Files = append(x.Files, jsonReached{r.Path, r.Symbol, layout.Round(r.Score), r.Reason, r.Commits})
		}
		out.Beliefs = append(out.Beliefs, x)
	}
	return layout.Encode(w, out)
}
