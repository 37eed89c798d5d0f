package eval

import (
	"fmt"
	"os"
	"slices"

	"patina/actors/api"
	"patina/fusion"
	"patina/store/doc"
)

// Schema is the version of a Report's JSON form. It must change if a reader of the old form would
// misread the new one.
const Schema = "patina-eval/1"

// A Report is the result of one Run.
type Report struct {
	Schema  string  `json:"schema"`
	Indexes []Index `json:"indexes"`
	// Unavailable lists oracles that had nothing to search. Alone, they answer by exact names only.
	Unavailable []string    `json:"unavailable"`
	Asked       Asked       `json:"asked"`
	Questions   []Question  `json:"questions"`
	Systems     []System    `json:"systems"`     // fused first
	Absurd      Refusals    `json:"absurd"`      // for the fused system
	Real        Refusals    `json:"real"`        // for the fused system
	Calibration Calibration `json:"calibration"` // for the fused system
	// Scores are those of the fused system's answers.
	Scores     Distribution `json:"scores"`
	Comparison *Comparison  `json:"comparison,omitempty"`
}

// Asked are the settings of every question.
type Asked struct {
	Limit     int        `json:"limit"`
	Kinds     []doc.Kind `json:"kinds,omitempty"`
	Paths     []string   `json:"paths,omitempty"`
	Languages []string   `json:"languages,omitempty"`
}

func (a Asked) equal(x Asked) bool {
	return a.Limit == x.Limit && slices.Equal(a.Kinds, x.Kinds) && slices.Equal(a.Paths, x.Paths) &&
		slices.Equal(a.Languages, x.Languages)
}

// An Index is an index that answered.
type Index struct {
	Project    string `json:"project"`
	Generation int64  `json:"generation"`
	Head       string `json:"head,omitempty"`
}

// A System is one way to rank, and its results.
type System struct {
	Name       string   `json:"name"`
	Oracles    []string `json:"oracles,omitempty"` // empty: all, or the baseline
	Overall    Score    `json:"overall"`
	Kinds      []Score  `json:"kinds"`
	Categories []Score  `json:"categories"`
	// Partial is the number of answers without some channel. If it is not 0, the figures do not
	// show the ranking alone.
	Partial int   `json:"partial"`
	Rows    []Row `json:"rows"`
}

// A Score has the metrics of a group of questions.
type Score struct {
	Group string   `json:"group"`
	N     int      `json:"n"`
	MRR   Estimate `json:"mrr"`
	Hit   Estimate `json:"hit"`
	NDCG  Estimate `json:"ndcg"`
}

// Refusals are numbers of answers by their relevance.
type Refusals struct {
	N        int `json:"n"`
	Refused  int `json:"refused"`
	Weak     int `json:"weak"`
	Answered int `json:"answered"`
}

func newReport(qs []Question, o Options) *Report {
	asked := Asked{Limit: o.Limit, Kinds: o.Filter.Kinds, Paths: o.Filter.Paths, Languages: o.Filter.Languages}
	return &Report{Schema: Schema, Indexes: []Index{}, Unavailable: []string{}, Asked: asked, Questions: qs}
}

// ReadReport reads a report saved as JSON, for a comparison. It returns an error if the schema is
// another one.
func ReadReport(path string) (*Report, error) {
	return ReadSaved(path, Schema, func(r *Report) string { return r.Schema })
}

// ReadSaved reads a report of any sort saved as JSON. schema must return the report's schema, which
// must be want. An error names the file and the line, or the schema.
func ReadSaved[R any](path, want string, schema func(*R) string) (*R, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read report: %w", err)
	}
	var r R
	if err := decode(b, &r); err != nil {
		return nil, fmt.Errorf("read report %q: %w", path, err)
	}
	if got := schema(&r); got != want {
		return nil, fmt.Errorf("read report %q: schema is %q, want %q", path, got, want)
	}
	return &r, nil
}

// state records the indexes that answered and the oracles that could not, each once.
func (r *Report) state(a *api.Answer) {
	for _, x := range a.Indexes {
		i := Index{Project: x.Project, Generation: x.Generation.Number, Head: x.Generation.Head}
		if !slices.Contains(r.Indexes, i) {
			r.Indexes = append(r.Indexes, i)
		}
	}
	for _, x := range a.Channels {
		if x.Status == api.Unavailable && !slices.Contains(r.Unavailable, x.Channel) {
			r.Unavailable = append(r.Unavailable, x.Channel)
		}
	}
}

// count counts the answers by relevance.
func (r *Report) count(rows []Row) {
	absurd := map[string]bool{}
	for _, q := range r.Questions {
		absurd[q.ID] = q.Absurd()
	}
	for _, row := range rows {
		if absurd[row.ID] {
			r.Absurd.add(row.Relevance)
		} else {
			r.Real.add(row.Relevance)
		}
	}
}

func (c *Refusals) add(r fusion.Relevance) {
	c.N++
	switch r {
	case fusion.Irrelevant:
		c.Refused++
	case fusion.Weak:
		c.Weak++
	case fusion.Relevant:
		c.Answered++
	}
}

// score computes the metrics over the rows of questions with an answer: overall, by kind and by
// category. Groups are in the order of their first question.
func (s *System) score(qs []Question) {
	of := map[string]Question{}
	for _, q := range realOnes(qs) {
		of[q.ID] = q
	}
	rows := slices.DeleteFunc(slices.Clone(s.Rows), func(r Row) bool { _, ok := of[r.ID]; return !ok })
	s.Overall = newScore("all", rows)
	s.Kinds = groups(rows, func(r Row) string { return of[r.ID].Kind })
	s.Categories = groups(rows, func(r Row) string { return of[r.ID].Category })
}

// groups scores rows by a label. Rows without a label are in no group.
func groups(rows []Row, label func(Row) string) []Score {
	by, order := map[string][]Row{}, []string{}
	for _, r := range rows {
		l := label(r)
		if l == "" {
			continue
		}
		if by[l] == nil {
			order = append(order, l)
		}
		by[l] = append(by[l], r)
	}
	scores := []Score{}
	for _, l := range order {
		scores = append(scores, newScore(l, by[l]))
	}
	return scores
}

func newScore(group string, rows []Row) Score {
	return Score{
		Group: group,
		N:     len(rows),
		MRR:   EstimateOf(values(rows, Row.RR)),
		Hit:   EstimateOf(values(rows, Row.Hit)),
		NDCG:  EstimateOf(values(rows, gain)),
	}
}

// gain returns NDCG as a function, like the other metrics.
func gain(r Row) float64 { return r.NDCG }

func values(rows []Row, metric func(Row) float64) []float64 {
	xs := make([]float64, len(rows))
	for i, r := range rows {
		xs[i] = metric(r)
	}
	return xs
}
