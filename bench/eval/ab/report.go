package ab

import (
	"fmt"
	"slices"
	"strings"
)

// Schema is the version of a report's JSON. It must change if the fields do.
const Schema = "patina-eval-ab/1"

// A Report has all measurements. Its JSON is described in docs/evaluation.md.
type Report struct {
	Schema    string    `json:"schema"`
	Project   string    `json:"project"`
	Head      string    `json:"head"` // of the index
	K         int       `json:"k"`    // results that count
	Seed      uint64    `json:"seed"`
	Resamples int       `json:"resamples"`
	Arms      []Arm     `json:"arms"` // the others are compared with the first one
	Groups    []Group   `json:"groups"`
	Missing   []string  `json:"not_in_the_index"` // needed documents that it does not have
	Dropped   []string  `json:"dropped"`          // ids of tasks of which it has no needed document
	Failed    []Failure `json:"failed"`
	Notes     []string  `json:"notes"`
	Rows      []Row     `json:"rows"`
	Judge     *Verdict  `json:"judge,omitempty"`
	Record    string    `json:"record,omitempty"` // the file of the raw record
}

// A Failure is an answer that failed. Its task does not count for any arm.
type Failure struct {
	Task string `json:"task"`
	Arm  string `json:"arm"`
	Why  string `json:"why"`
}

// allKinds is the name of the group of all tasks, if there are both kinds.
const allKinds = "all"

// A Group holds the figures of the tasks of one kind.
type Group struct {
	Kind        string       `json:"kind"` // "task", "knowledge" or "all"
	Tasks       int          `json:"tasks"`
	Knowing     int          `json:"knowing"` // tasks that need knowledge, over which its figures are
	Coding      int          `json:"coding"`  // tasks that need code, likewise
	Overlap     Overlap      `json:"overlap"`
	Arms        []Figures    `json:"arms"`
	Differences []Difference `json:"differences"`
}

// Figures are the means of one arm's rows over the tasks of a group.
type Figures struct {
	Arm       string   `json:"arm"`
	Knowledge Interval `json:"knowledge"`
	Code      Interval `json:"code"`
	First     Interval `json:"first"`
	InText    Interval `json:"in_text"`
	Score     Interval `json:"score"`
	Tokens    Interval `json:"tokens"`
	Files     float64  `json:"files"` // of code, among the first K results
	Best      Best     `json:"best"`
}

// A Difference is an arm's figures minus those of the first arm, task by task.
type Difference struct {
	Arm       string   `json:"arm"`
	Base      string   `json:"base"`
	Knowledge Interval `json:"knowledge"`
	Code      Interval `json:"code"`
	First     Interval `json:"first"`
	InText    Interval `json:"in_text"`
	Tokens    Interval `json:"tokens"`
	Delta     Interval `json:"delta"`   // of scores, as a share of MostScore: -1 to 1
	AtMost    float64  `json:"at_most"` // the delta of the arm's best score
	// PushedOut are needs of code that the first arm finds and this one does not. BroughtIn are the
	// reverse.
	PushedOut []Moved `json:"pushed_out"`
	BroughtIn []Moved `json:"brought_in"`
	// Replaced is the share of the first arm's files of code, needed or not, that this one does not
	// show.
	Replaced Interval `json:"replaced"`
}

// A Moved is a need that only one of two arms finds.
type Moved struct {
	Task string `json:"task"`
	Code string `json:"code"` // its first document
}

func (x *experiment) report() *Report {
	r := &Report{
		Schema: Schema, Project: x.index.Project, Head: x.index.Generation.Head, K: x.options.K, Seed: x.options.Seed,
		Resamples: Resamples,
		Arms:      x.arms, Missing: none(x.missing), Dropped: none(x.dropped), Failed: []Failure{}, Notes: []string{},
		Rows: x.rows, Record: x.options.Record.Path(),
	}
	partial := 0
	for _, row := range x.rows {
		if row.Failed != "" {
			r.Failed = append(r.Failed, Failure{row.Task, row.Arm, row.Failed})
		}
		if row.Partial {
			partial++
		}
	}
	if partial > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d of %d answers lack a channel", partial, len(x.rows)))
	}
	if x.beliefs == 0 && !slices.ContainsFunc(x.tasks, func(t Task) bool { return t.needsBelief(x.documents) }) {
		r.Notes = append(r.Notes, "this index holds no belief that a task needs: arms that differ in beliefs alone answer alike")
	}
	for _, kind := range []string{TaskOriented, KnowledgeSeeking, allKinds} {
		if g, ok := x.group(kind); ok && (kind != allKinds || len(r.Groups) > 1) {
			r.Groups = append(r.Groups, g)
		}
	}
	return r
}

func none[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// needsBelief reports whether a task needs a belief that the index has.
func (t Task) needsBelief(held map[string]document) bool {
	return slices.ContainsFunc(t.Knowledge, func(n Need) bool {
		return slices.ContainsFunc(n, func(id string) bool {
			_, ok := held[id]
			return ok && strings.HasPrefix(id, "belief:")
		})
	})
}

// rowsOf returns the tasks of a kind that every arm has answered, with the rows of each arm for
// them.
func (x *experiment) rowsOf(kind string) (tasks []Task, rows [][]Row) {
	rows = make([][]Row, len(x.arms))
	for i, t := range x.tasks {
		of := x.rows[i*len(x.arms) : (i+1)*len(x.arms)]
		if kind != allKinds && t.Kind != kind || slices.ContainsFunc(of, func(r Row) bool { return r.Failed != "" }) {
			continue
		}
		tasks = append(tasks, t)
		for j, r := range of {
			rows[j] = append(rows[j], r)
		}
	}
	return tasks, rows
}

// group computes the figures of a kind. It returns false if there are no tasks.
func (x *experiment) group(kind string) (Group, bool) {
	tasks, rows := x.rowsOf(kind)
	if len(tasks) == 0 {
		return Group{}, false
	}
	g := Group{Kind: kind, Tasks: len(tasks), Overlap: x.overlaps(kind)}
	for _, t := range tasks {
		g.Knowing, g.Coding = g.Knowing+min(1, len(t.Knowledge)), g.Coding+min(1, len(t.Code))
	}
	for i, arm := range x.arms {
		g.Arms = append(g.Arms, figures(arm.Name, tasks, rows[i], x.options.Seed))
		if i > 0 {
			d := difference(tasks, rows[0], rows[i], x.options.Seed)
			d.Arm, d.Base = arm.Name, x.arms[0].Name
			d.AtMost = g.Arms[i].Best.Score/MostScore - g.Arms[0].Score.Mean/MostScore
			g.Differences = append(g.Differences, d)
		}
	}
	return g, true
}

// A measure is one figure of a row, with the tasks for which it is defined.
type measure struct {
	of    func(r Row) float64
	needs func(t Task) bool // nil: all tasks
}

// The measures of a row.
var (
	known  = measure{func(r Row) float64 { return r.Knowledge }, func(t Task) bool { return len(t.Knowledge) > 0 }}
	code   = measure{func(r Row) float64 { return r.Code }, func(t Task) bool { return len(t.Code) > 0 }}
	first  = measure{func(r Row) float64 { return r.First }, func(t Task) bool { return len(t.Code) > 0 }}
	inText = measure{func(r Row) float64 { return r.InText }, nil}
	score  = measure{func(r Row) float64 { return r.Score }, nil}
	tokens = measure{func(r Row) float64 { return float64(r.Tokens) }, nil}
	files  = measure{func(r Row) float64 { return float64(len(r.Files)) }, nil}

	bestKnowledge = measure{func(r Row) float64 { return r.Best.Knowledge }, known.needs}
	bestCode      = measure{func(r Row) float64 { return r.Best.Code }, code.needs}
	bestScore     = measure{func(r Row) float64 { return r.Best.Score }, nil}
)

// values returns the figure for each task for which it is defined. rows must be in the order of
// tasks.
func (m measure) values(tasks []Task, rows []Row) (out []float64) {
	for i, r := range rows {
		if m.needs == nil || m.needs(tasks[i]) {
			out = append(out, m.of(r))
		}
	}
	return out
}

func figures(arm string, tasks []Task, rows []Row, seed uint64) Figures {
	of := func(m measure) Interval { return interval(m.values(tasks, rows), seed) }
	best := func(m measure) float64 { return mean(m.values(tasks, rows)) }
	return Figures{
		Arm: arm, Knowledge: of(known), Code: of(code), First: of(first), InText: of(inText), Score: of(score),
		Tokens: of(tokens),
		Files:  best(files), Best: Best{Knowledge: best(bestKnowledge), Code: best(bestCode), Score: best(bestScore)},
	}
}

func difference(tasks []Task, base, arm []Row, seed uint64) Difference {
	less := func(m measure, per float64) Interval {
		was, is := m.values(tasks, base), m.values(tasks, arm)
		values := make([]float64, len(is))
		for i := range is {
			values[i] = (is[i] - was[i]) / per
		}
		return interval(values, seed)
	}
	d := Difference{
		Knowledge: less(known, 1), Code: less(code, 1), First: less(first, 1), InText: less(inText, 1),
		Tokens: less(tokens, 1),
		Delta:  less(score, MostScore), PushedOut: []Moved{}, BroughtIn: []Moved{},
	}
	var replaced []float64
	for i, t := range tasks {
		for at := range t.Code {
			was, is := !slices.Contains(base[i].Missed, at), !slices.Contains(arm[i].Missed, at)
			switch m := (Moved{t.ID, t.Code[at][0]}); {
			case was && !is:
				d.PushedOut = append(d.PushedOut, m)
			case is && !was:
				d.BroughtIn = append(d.BroughtIn, m)
			}
		}
		gone := 0
		for _, path := range base[i].Files {
			if !slices.Contains(arm[i].Files, path) {
				gone++
			}
		}
		replaced = append(replaced, share(gone, len(base[i].Files)))
	}
	d.Replaced = interval(replaced, seed)
	return d
}
