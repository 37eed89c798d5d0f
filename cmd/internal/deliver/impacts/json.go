package impacts

import (
	"io"
	"slices"

	"patina/ask"
	"patina/cmd/internal/deliver"
	"patina/cmd/internal/layout"
)

type jsonImpact struct {
	deliver.Preamble
	Name      string          `json:"name"`
	Range     string          `json:"range"`
	Changed   []jsonChanged   `json:"changed"`
	Callers   []jsonCaller    `json:"callers"`
	Tests     []jsonTest      `json:"tests"`
	Missing   []jsonMissing   `json:"missing"`
	Governing []jsonGoverning `json:"governing"`
	Rules     []jsonPlace     `json:"rules"`
	Owners    []jsonPlace     `json:"owners"`
	Authors   []jsonAuthor    `json:"authors"`
	Files     []jsonFile      `json:"files"`
	Failed    int             `json:"failed_checks"`
	Unrun     string          `json:"checks_not_run"`
	Unknown   []string        `json:"unknown"`
	Notes     []string        `json:"notes"`
}

type jsonChanged struct {
	Path     string   `json:"path"`
	Language string   `json:"language"`
	Symbols  []string `json:"symbols"`
	Removed  bool     `json:"removed"`
	Commits  int      `json:"commits"`
}

type jsonCaller struct {
	DocID     string `json:"doc_id"`
	Path      string `json:"path"`
	Line      int    `json:"line"`
	Symbol    string `json:"symbol"`
	Target    string `json:"target"`
	Candidate bool   `json:"candidate"`
	Of        int    `json:"of"`
	Reason    string `json:"reason"`
	Test      bool   `json:"test"`
}

type jsonTest struct {
	DocID     string  `json:"doc_id"`
	Path      string  `json:"path"`
	Line      int     `json:"line"`
	Symbol    string  `json:"symbol"`
	Hops      int     `json:"hops"`
	Candidate bool    `json:"candidate"`
	Score     float64 `json:"score"`
	Reason    string  `json:"reason"`
}

type jsonMissing struct {
	Path    string `json:"path"`
	With    string `json:"with"`
	Commits int    `json:"commits"`
	Of      int    `json:"of"`
}

type jsonGoverning struct {
	ID        string        `json:"id"`
	Path      string        `json:"path"`
	Line      int           `json:"line"`
	Statement string        `json:"statement"`
	ByOthers  bool          `json:"by_others"`
	Decision  bool          `json:"decision"`
	Files     []string      `json:"files"`
	Reason    string        `json:"reason"`
	Checks    []jsonOutcome `json:"checks"`
}

type jsonOutcome struct {
	Label  string `json:"label"`
	Line   int    `json:"line"`
	Status string `json:"status"`
	Expect string `json:"expect"`
	Got    string `json:"got"`
	Detail string `json:"detail"`
}

type jsonPlace struct {
	Text string `json:"text"`
	Path string `json:"path"`
	Line int    `json:"line"`
}

type jsonAuthor struct {
	Name    string `json:"name"`
	Commits int    `json:"commits"`
}

type jsonFile struct {
	Path       string  `json:"path"`
	Score      float64 `json:"score"`
	Together   int     `json:"together"`
	Of         int     `json:"of"`
	Callers    int     `json:"callers"`
	Candidates float64 `json:"candidates"`
	Callees    int     `json:"callees"`
	Importer   bool    `json:"importer"`
	Imported   bool    `json:"imported"`
	Named      bool    `json:"named"`
	Test       bool    `json:"test"`
}

// JSON writes an impact by the schema in docs/json.md, without a budget.
func JSON(w io.Writer, f *ask.ImpactFound) error {
	out := jsonImpact{
		Preamble: deliver.PreambleOf(f.Index), Name: f.Name, Range: f.Range, Changed: []jsonChanged{}, Callers: []jsonCaller{},
		Tests: []jsonTest{}, Missing: []jsonMissing{}, Governing: []jsonGoverning{}, Rules: []jsonPlace{},
		Owners: []jsonPlace{}, Authors: []jsonAuthor{}, Files: []jsonFile{}, Failed: FailedChecks(f), Unrun: f.Unrun,
		Unknown: layout.NonNil(f.Unknown), Notes: layout.NonNil(slices.Concat(f.Notes, f.ImpactAnswer.Notes)),
	}
	for _, c := range f.Changed {
		out.Changed = append(out.Changed, jsonChanged{c.Path, c.Language, layout.NonNil(c.Symbols), c.Removed, c.Commits})
	}
	for _, c := range f.Callers {
		out.Callers = append(out.Callers,
			jsonCaller{c.DocID, c.Path, c.Line, c.Symbol, c.Target, c.Candidate, c.Of, c.Reason, c.Test})
	}
	for _, t := range f.Tests {
		out.Tests = append(out.Tests,
			jsonTest{t.DocID, t.Path, t.Line, t.Symbol, t.Hops, t.Candidate, layout.Round(t.Score), t.Reason})
	}
	for _, m := range f.Missing {
		out.Missing = append(out.Missing, jsonMissing(m))
	}
	for _, g := range f.Governing {
		out.Governing = append(out.Governing, jsonGoverning{
			ID: g.ID, Path: g.Path, Line: g.Line, Statement: g.Statement, ByOthers: g.ByOthers, Decision: g.Decision,
			Files: layout.NonNil(g.Files), Reason: g.Reason, Checks: outcomesOf(f, g.ID),
		})
	}
	for _, q := range f.Rules {
		out.Rules = append(out.Rules, jsonPlace(q))
	}
	for _, o := range f.Owners {
		out.Owners = append(out.Owners, jsonPlace(o.Quote))
	}
	for _, a := range f.Authors {
		out.Authors = append(out.Authors, jsonAuthor{a.Name, a.Commits})
	}
	for _, x := range f.Files {
		out.Files = append(out.Files, jsonFile{
			Path: x.Path, Score: layout.Round(x.Score), Together: x.Together, Of: x.Of, Callers: x.Callers,
			Candidates: layout.Round(x.Candidates), Callees: x.Callees, Importer: x.Importer, Imported: x.Imported,
			Named: x.Named, Test: x.Test,
		})
	}
	return layout.Encode(w, out)
}

// outcomesOf returns the outcomes of the checks in a belief.
func outcomesOf(f *ask.ImpactFound, id string) []jsonOutcome {
	out := []jsonOutcome{}
	if f.Checks == nil {
		return out
	}
	for _, b := range f.Checks.Beliefs {
		if b.ID != id {
			continue
		}
		for _, o := range b.Outcomes {
			out = append(out, jsonOutcome{o.Label, o.Line, string(o.Status), o.Expect, o.Got, o.Detail})
		}
	}
	return out
}
