package ab

import (
	"slices"
	"strings"

	"patina/actors/api"
	"patina/store/doc"
)

// A Row is one arm's answer to one task. Knowledge, Code and InText are shares of the needs. They
// are 0 if the task has no needs of that kind.
type Row struct {
	Task      string   `json:"task"`
	Kind      string   `json:"kind"`
	Arm       string   `json:"arm"`
	Failed    string   `json:"failed,omitempty"` // the error, if there is no answer
	Partial   bool     `json:"partial,omitempty"`
	Knowledge float64  `json:"knowledge"` // needs met by the first K results
	Code      float64  `json:"code"`      // needs among the first K results
	First     float64  `json:"first"`     // 1 / the place of the first needed code; 0 without one
	InText    float64  `json:"in_text"`   // of all needs: found, and named in the printed text
	Score     float64  `json:"score"`     // 0 to MostScore
	Tokens    int      `json:"tokens"`    // of the printed text: bytes / 4
	Best      Best     `json:"best"`
	Shown     []string `json:"shown"` // doc_ids of the first K results
	Files     []string `json:"files"` // the files of code among them
	Missed    []int    `json:"-"`     // needs of code that were not found
}

// MostScore is the best score, if all needs are met. A person would judge on the same scale: 0 for
// nothing, 1 for half, 2 for all.
const MostScore = 2

// Best is the most that an arm can reach for a task.
type Best struct {
	Knowledge float64 `json:"knowledge"`
	Code      float64 `json:"code"`
	Score     float64 `json:"score"`
}

// score scores an answer by the needs of its task, over the first k results.
func (r *Row) score(t Task, a *api.Answer, text string, k int) {
	results := a.Results[:min(len(a.Results), k)]
	r.Tokens = len(text) / bytesPerToken
	named, needs := 0, len(t.Knowledge)+len(t.Code)
	known := 0
	for _, n := range t.Knowledge {
		if i := slices.IndexFunc(results, func(x api.Result) bool { return n.shownBy(x) || n.notedAt(x) }); i >= 0 {
			known++
			if n.namedIn(text) {
				named++
			}
		}
	}
	found := 0
	for i, n := range t.Code {
		at := slices.IndexFunc(results, n.shownBy)
		if at < 0 {
			r.Missed = append(r.Missed, i)
			continue
		}
		found++
		r.First = max(r.First, 1/float64(at+1))
		if n.namedIn(text) {
			named++
		}
	}
	r.Knowledge, r.Code, r.InText = share(known, len(t.Knowledge)), share(found, len(t.Code)), share(named, needs)
	r.Score = t.score(r.Knowledge, r.Code)
	r.Shown, r.Files = []string{}, []string{}
	for _, x := range results {
		r.Shown = append(r.Shown, x.DocID)
		if x.Kind == doc.Code {
			r.Files = append(r.Files, x.Path)
		}
	}
}

func share(n, of int) float64 { return float64(n) / float64(max(1, of)) }

// score returns the mean of the shares of a task's needs, on the scale to MostScore.
func (t Task) score(knowledge, code float64) float64 {
	switch {
	case len(t.Code) == 0:
		return MostScore * knowledge
	case len(t.Knowledge) == 0:
		return MostScore * code
	}
	return MostScore * (knowledge + code) / 2
}

// shownBy reports whether a result is one of the need's documents, or a part of one.
func (n Need) shownBy(r api.Result) bool {
	return slices.ContainsFunc(n, func(id string) bool {
		if sha, ok := strings.CutPrefix(id, doc.Commit.Traits().Prefix); ok {
			return r.SHA != "" && strings.HasPrefix(r.SHA, sha)
		}
		return id == r.DocID || id == r.Shown || id == r.Path ||
			r.Description.Belief != nil && id == doc.Belief.FileID(r.Description.Belief.ID)
	})
}

// notedAt reports whether a result of code has a note of one of the need's beliefs.
func (n Need) notedAt(r api.Result) bool {
	return slices.ContainsFunc(r.Description.Links, func(l doc.Link) bool {
		return l.Relation == noteRelation && slices.Contains(n, l.Target)
	})
}

// namedIn reports whether a printed text names one of the need's documents: a belief by its id, a
// commit by seven digits, any other by its path.
func (n Need) namedIn(text string) bool {
	return slices.ContainsFunc(n, func(id string) bool { return strings.Contains(text, nameOf(id)) })
}

func nameOf(id string) string {
	kind := doc.KindOf(id)
	rest := strings.TrimPrefix(id, kind.Traits().Prefix)
	if kind == doc.Commit {
		return rest[:min(len(rest), 7)]
	}
	if sep := kind.Traits().Separator; sep != "" && kind != doc.Belief {
		rest, _, _ = strings.Cut(rest, sep)
	}
	return rest
}
