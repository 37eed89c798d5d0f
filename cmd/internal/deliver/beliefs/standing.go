package beliefs

import (
	"fmt"
	"io"
	"math"
	"strings"

	"patina/actors/api"
	"patina/belief/standing"
	"patina/cmd/internal/deliver"
	"patina/cmd/internal/layout"
)

// maxSources bounds the printed supports and attacks, strongest first. JSON has all of them.
const maxSources = 9

// Standing writes how well a belief holds up, line by line: its base score, each support and attack
// with its strength, and the smallest change that would undo them.
func Standing(w io.Writer, a *api.StandingAnswer, o deliver.Options) error {
	x := a.Explanation
	lines := []layout.Line{
		layout.Strong(fmt.Sprintf("belief:%s  standing %.3f (%s)", layout.Clip(x.ID, layout.MaxName), x.Score,
			layout.Clip(a.Belief.Status, 20))),
		layout.Text(fmt.Sprintf("   %s:%d", layout.Middle(a.Belief.Path, layout.MaxPath), a.Belief.Line)),
		layout.Text("   " + layout.Quote(a.Belief.Statement, layout.MaxLine)),
	}
	if a.Belief.ByOthers {
		lines = append(lines, layout.Text("   "+deliver.OfOthers))
	}
	lines = append(lines, account(a, o)...)
	if s := deliver.Freshness([]api.IndexState{a.Index}, o.Dialect); s != "" {
		lines = append(lines, layout.Faint(s))
	}
	return layout.Write(w, lines, o.Colour)
}

// account explains a standing, line by line.
func account(a *api.StandingAnswer, o deliver.Options) []layout.Line {
	x := a.Explanation
	lines := []layout.Line{layout.Text(fmt.Sprintf("   base %.3f: its entrenchment", x.Base))}
	for _, s := range x.Sources[:min(len(x.Sources), maxSources)] {
		lines = append(lines, layout.Text("   "+sourceLine(x, s)))
	}
	if n := len(x.Sources) - maxSources; n > 0 {
		lines = append(lines, layout.Faint(fmt.Sprintf("   and %d weaker ones: %s shows them", n, o.Dialect.JSON())))
	}
	if len(x.Sources) > 0 {
		lines = append(lines,
			layout.Text(fmt.Sprintf("   energy %+.3f moves %.3f to %.3f (%s)", x.Energy, x.Base, x.Score,
				energyRule(x.Energy))))
	}
	lines = append(lines, layout.Text("   "+whatChanges(x)),
		layout.Text(fmt.Sprintf("   its rank counts × %.3f = 0.5 + 0.5 × standing", standing.Factor(x.Score))))
	if !a.Settled {
		lines = append(lines,
			layout.Faint(fmt.Sprintf("   the scores did not come to rest within %d rounds", standing.MaxRounds)))
	}
	return lines
}

func sourceLine(x standing.Explanation, s standing.Influence) string {
	verb := "- attacked by"
	if s.Supports {
		verb = "+ supported by"
	}
	return fmt.Sprintf("%s %s: %.3f × weight %.2f = %+.3f; without it %.3f", verb, sourceName(x.ID, s), s.Score,
		s.Weight, s.Energy, s.Without)
}

// sourceName marks a source that is named only in the belief's own file.
func sourceName(id string, s standing.Influence) string {
	if name, ok := strings.CutSuffix(s.From, " (against "+id+")"); ok {
		return layout.Clip(name, layout.MaxName) + " (no belief)"
	}
	return layout.Clip(s.From, layout.MaxName)
}

func energyRule(energy float64) string {
	if energy < 0 {
		return "base − base × e² / (1 + e²)"
	}
	return "base + (1 − base) × e² / (1 + e²)"
}

// whatChanges returns the sources without which a standing would be at its base again.
func whatChanges(x standing.Explanation) string {
	if len(x.Sources) == 0 {
		return "nothing supports or attacks it"
	}
	if len(x.Undo) == 0 || math.Abs(x.Score-x.Base) < 0.0005 {
		return "supports and attacks balance"
	}
	var names []string
	for _, s := range x.Undo[:min(len(x.Undo), deliver.MaxLinks)] {
		names = append(names, sourceName(x.ID, s))
	}
	what := strings.Join(names, ", ")
	if n := len(x.Undo) - deliver.MaxLinks; n > 0 {
		what += fmt.Sprintf(" and %d more", n)
	}
	if x.Energy < 0 {
		return fmt.Sprintf("back to its base without %s, or with new support of %.3f", what, x.Balance)
	}
	return fmt.Sprintf("back to its base without %s, or by a new attack of %.3f", what, x.Balance)
}

type jsonStanding struct {
	deliver.Preamble
	ID        string       `json:"id"`
	Path      string       `json:"path"`
	Statement string       `json:"statement"`
	Status    string       `json:"status"`
	Base      float64      `json:"base"`
	Energy    float64      `json:"energy"`
	Standing  float64      `json:"standing"`
	Factor    float64      `json:"factor"`
	Settled   bool         `json:"settled"`
	Sources   []jsonSource `json:"sources"`
	Undo      []string     `json:"undo"`
	Balance   float64      `json:"balance"`
}

type jsonSource struct {
	ID       string  `json:"id"`
	Supports bool    `json:"supports"`
	Weight   float64 `json:"weight"`
	Score    float64 `json:"score"`
	Energy   float64 `json:"energy"`
	Without  float64 `json:"without"`
}

// StandingJSON writes the same as Standing by the schema in docs/knowledge.md. It has no ceiling.
func StandingJSON(w io.Writer, a *api.StandingAnswer) error {
	x := a.Explanation
	out := jsonStanding{
		Preamble: deliver.PreambleOf(a.Index), ID: x.ID, Path: a.Belief.Path, Statement: a.Belief.Statement,
		Status: a.Belief.Status,
		Base:   layout.Round(x.Base), Energy: layout.Round(x.Energy), Standing: layout.Round(x.Score),
		Factor:  layout.Round(standing.Factor(x.Score)),
		Settled: a.Settled, Sources: []jsonSource{}, Undo: []string{}, Balance: layout.Round(x.Balance),
	}
	for _, s := range x.Sources {
		out.Sources = append(out.Sources, jsonSource{
			s.From, s.Supports, layout.Round(s.Weight), layout.Round(s.Score),
			layout.Round(s.Energy), layout.Round(s.Without),
		})
	}
	for _, s := range x.Undo {
		out.Undo = append(out.Undo, s.From)
	}
	return layout.Encode(w, out)
}
