package self

import (
	"fmt"
	"slices"

	"patina/bench/eval"
)

// Schema is the version of a Report's JSON form. It must change if a reader of the old form would
// misread the new one.
const Schema = "patina-eval-self/1"

// A Report is the result of one Run (docs/evaluation.md, "JSON").
type Report struct {
	Schema     string    `json:"schema"`
	Project    string    `json:"project"`
	Version    string    `json:"version"` // of patina
	Head       string    `json:"head"`    // commit at which the index was made
	Sample     int       `json:"sample"`
	Seed       uint64    `json:"seed"`
	Dimensions []string  `json:"dimensions"`
	Partial    bool      `json:"partial"` // whether it was interrupted
	Truths     []Figures `json:"truths"`
	// Scores are those of unified answers, over all truths.
	Scores eval.Distribution `json:"scores"`
	// Comparison holds the changes since an earlier report.
	Comparison []Changed `json:"comparison,omitempty"`
}

// Figures are the figures of one truth.
type Figures struct {
	Truth     string         `json:"truth"`
	Label     string         `json:"label"`
	Dimension string         `json:"dimension"`
	Why       string         `json:"why,omitempty"` // why there are no questions
	LeftOut   map[string]int `json:"left_out"`      // questions, by reason
	N         int            `json:"n"`             // questions asked
	Pool      int            `json:"pool"`          // documents of the wanted kind
	Searched  []string       `json:"searched"`      // oracles with something to search
	Random    Score          `json:"random"`        // of a uniform draw, exact
	Best      Score          `json:"attainable"`    // of a ranking with everything expected first
	Pipelines []Pipeline     `json:"pipelines"`     // unified first
	Cases     []Case         `json:"cases"`
}

// The pipelines besides "only X" and "without X".
const (
	Unified   = "unified"
	Plain     = "bm25"
	FileLinks = "scry --file" // for CoChange only: the counted neighbours, not ranked
)

func only(oracle string) string { return "only " + oracle }
func off(oracle string) string  { return "without " + oracle }

// A Pipeline is one way to answer questions.
type Pipeline struct {
	Name  string `json:"name"`
	Score Score  `json:"score"`
	// Behind is unified minus this pipeline, question by question. It is nil for unified itself.
	Behind *Score `json:"unified_minus,omitempty"`
	Rows   []Row  `json:"rows"`
}

// A Score has the means of a group of rows, with 95% intervals.
type Score struct {
	P5     eval.Estimate `json:"p5"`
	P10    eval.Estimate `json:"p10"`
	MRR    eval.Estimate `json:"mrr"`
	NDCG   eval.Estimate `json:"ndcg"`
	Recall eval.Estimate `json:"recall"`
	List   eval.Estimate `json:"list"` // MRR among results of all kinds
}

// A Changed is the change of one pipeline on the questions that two reports share.
type Changed struct {
	Truth    string `json:"truth"`
	Pipeline string `json:"pipeline"`
	N        int    `json:"n"` // shared questions
	Score    Score  `json:"new_minus_old"`
}

func newFigures(x *set) *Figures {
	left := x.left
	if left == nil {
		left = map[string]int{}
	}
	return &Figures{
		Truth: x.Name, Label: x.Label, Dimension: x.Dimension, Why: x.why, LeftOut: left, Pool: x.pool,
		Searched: []string{}, Pipelines: []Pipeline{},
		Cases: []Case{},
	}
}

func (f *Figures) searched(oracle string) {
	if !slices.Contains(f.Searched, oracle) {
		f.Searched = append(f.Searched, oracle)
	}
}

// add adds one question with its rows, by pipeline.
func (f *Figures) add(c Case, rows map[string]Row) {
	f.N++
	f.Cases = append(f.Cases, c)
	for name, row := range rows {
		i := slices.IndexFunc(f.Pipelines, func(p Pipeline) bool { return p.Name == name })
		if i < 0 {
			f.Pipelines, i = append(f.Pipelines, Pipeline{Name: name}), len(f.Pipelines)
		}
		f.Pipelines[i].Rows = append(f.Pipelines[i].Rows, row)
	}
}

// finish computes the means. It drops the pipelines of oracles that never had anything to search.
func (f *Figures) finish(x *set, seed uint64) {
	order := map[string]int{Unified: 0, Plain: 1000, FileLinks: 1001}
	for i, o := range x.on.oracles {
		order[only(o)], order[off(o)] = 1+i, 500+i
		if !slices.Contains(f.Searched, o) {
			f.Pipelines = slices.DeleteFunc(f.Pipelines, func(p Pipeline) bool {
				return p.Name == only(o) || p.Name == off(o)
			})
		}
	}
	slices.SortFunc(f.Pipelines, func(a, b Pipeline) int { return order[a.Name] - order[b.Name] })
	slices.SortFunc(f.Searched, func(a, b string) int { return order[only(a)] - order[only(b)] })
	var random, best []Row
	for _, c := range f.Cases {
		random, best = append(random, chance(c, f.Pool)), append(best, attainable(c))
	}
	f.Random, f.Best = scoreOf(random, seed), scoreOf(best, seed)
	for i := range f.Pipelines {
		p := &f.Pipelines[i]
		p.Score = scoreOf(p.Rows, seed)
		if i > 0 {
			d := differences(f.Pipelines[0].Rows, p.Rows, seed)
			p.Behind = &d
		}
	}
}

func scoreOf(rows []Row, seed uint64) Score { return differences(rows, make([]Row, len(rows)), seed) }

// differences returns a's rows minus b's, which must be in the same order. All means use the same
// draws, because they are paired.
func differences(a, b []Row, seed uint64) Score {
	var columns [6][]float64
	for i := range a {
		x, y := a[i].metrics(), b[i].metrics()
		for k := range columns {
			columns[k] = append(columns[k], x[k]-y[k])
		}
	}
	e := func(k int) eval.Estimate { return eval.EstimateSeeded(seed, columns[k]) }
	return Score{P5: e(0), P10: e(1), MRR: e(2), NDCG: e(3), Recall: e(4), List: e(5)}
}

// Pipeline returns a pipeline by its name, or nil.
func (f *Figures) Pipeline(name string) *Pipeline {
	for i := range f.Pipelines {
		if f.Pipelines[i].Name == name {
			return &f.Pipelines[i]
		}
	}
	return nil
}

// Channel returns the single oracle with the best mean reciprocal rank, or nil if there are no
// questions.
func (f *Figures) Channel() *Pipeline {
	var best *Pipeline
	for _, o := range f.Searched {
		if p := f.Pipeline(only(o)); p != nil && (best == nil || p.Score.MRR.Mean > best.Score.MRR.Mean) {
			best = p
		}
	}
	return best
}

// Asked returns the number of questions of all truths.
func (r *Report) Asked() int {
	n := 0
	for _, f := range r.Truths {
		n += f.N
	}
	return n
}

// Read reads a report saved as JSON. It returns an error if the schema is another one.
func Read(path string) (*Report, error) {
	return eval.ReadSaved(path, Schema, func(r *Report) string { return r.Schema })
}

// Compare adds the changes since an earlier report, which must not be nil. They are over the
// questions that have the same words and answers in both.
func (r *Report) Compare(old *Report) {
	r.Comparison = []Changed{}
	for i := range r.Truths {
		f := &r.Truths[i]
		j := slices.IndexFunc(old.Truths, func(x Figures) bool { return x.Truth == f.Truth })
		if j < 0 {
			continue
		}
		was := &old.Truths[j]
		same := map[string]bool{}
		for _, c := range was.Cases {
			same[c.key()] = true
		}
		shared := map[string]bool{}
		for _, c := range f.Cases {
			shared[c.ID] = same[c.key()]
		}
		for _, p := range f.Pipelines {
			if q := was.Pipeline(p.Name); q != nil {
				a, b := paired(p.Rows, q.Rows, shared)
				if len(a) > 0 {
					r.Comparison = append(r.Comparison, Changed{f.Truth, p.Name, len(a), differences(a, b, r.Seed)})
				}
			}
		}
	}
}

func (c Case) key() string { return fmt.Sprintf("%s\x00%s\x00%q", c.ID, c.Query, c.Expect) }

// paired returns the rows of shared questions, both in the same order.
func paired(now, old []Row, shared map[string]bool) (a, b []Row) {
	was := map[string]Row{}
	for _, r := range old {
		was[r.ID] = r
	}
	for _, r := range now {
		if o, ok := was[r.ID]; ok && shared[r.ID] {
			a, b = append(a, r), append(b, o)
		}
	}
	return a, b
}
