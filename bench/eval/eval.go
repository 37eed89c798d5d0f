// Package eval measures how well an index answers questions with known answers.
//
// It asks the engine, as users have it, and plain BM25 the same questions. It also asks each oracle
// alone, and all oracles except one, so that the contribution of every part is visible.
//
// Equal answers give equal reports, because random draws use a fixed seed and a report has no
// times. Speed is left to package bench. The baseline is written for clarity. It shares the words
// with the product, and nothing else.
//
// Sets of questions: questions.go reads them, eval.go asks, metrics.go scores answers, and
// bootstrap.go computes intervals. report.go and compare.go have the figures, and text.go prints
// them. calibration.go compares scores with correctness. lines.go scores answers by the lines that
// they show.
//
// Questions from a repository: commits.go reads them, checkout.go the tree at a commit. Package
// self asks them for users, and package rankings compares plain rankings on them.
//
// The baseline: lexicon.go counts words, bm25.go scores, and ranking.go ranks.
package eval

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"patina/actors/api"
	"patina/oracles"
	"patina/store/doc"
)

// An Asker answers one question, like *actors.Engine.
type Asker interface {
	Scry(ctx context.Context, r api.Request) (*api.Answer, error)
}

// Options are the questions' filter and the systems to compare.
type Options struct {
	// Limit is the number of results for each question; 0 means 30. It must be at least 10, because
	// the metrics examine ten.
	Limit      int
	Filter     doc.Filter // for every question
	Baseline   Corpus     // for plain BM25; nil: no baseline
	Compare    *Report    // an earlier report; nil: no comparison
	OnProgress func(done, total int)
}

const (
	depth = 10 // places in MRR@10, hit@10 and NDCG@10
	// defaultLimit is enough for ten files with several sections each.
	defaultLimit = 30
	// patience is the time for each question. It is long because a slow machine must not cost a
	// channel: quality is measured, not speed.
	patience = 30 * time.Second
	fused    = "fused" // the system that users have
)

// A system is one way to rank: its name in the report, and the oracles to ask.
type system struct {
	name string
	only []string // nil: all
}

// scry asks one question.
func (s system) scry(ctx context.Context, a Asker, f doc.Filter, limit int, query string) (*api.Answer, error) {
	return a.Scry(ctx, api.Request{Text: query, Filter: f, Limit: limit, Oracles: s.only, Timeout: patience})
}

// Run asks every system every question and returns the figures. It stops at the first error of the
// engine and returns it, because half a set would measure something else.
func Run(ctx context.Context, a Asker, qs []Question, o Options) (*Report, error) {
	if o.Limit == 0 {
		o.Limit = defaultLimit
	}
	if o.Limit < depth {
		return nil, fmt.Errorf("evaluate: limit %d: the metrics need at least %d results", o.Limit, depth)
	}
	if len(qs) == 0 {
		return nil, errors.New("evaluate: no questions")
	}
	if err := o.checkBaseline(); err != nil {
		return nil, err
	}
	r := &run{asker: a, options: o, questions: qs, answered: map[string]System{}, report: newReport(qs, o)}
	if err := r.all(ctx, systems()); err != nil {
		return nil, err
	}
	if o.Compare != nil {
		r.report.Comparison = compare(o.Compare, r.report)
	}
	return r.report, nil
}

// systems returns the engine's systems: all oracles, each oracle alone, and all except each one. If
// there are two oracles, one alone equals the other left out. Both are listed, but asked once.
func systems() []system {
	var names []string
	for _, x := range oracles.Default() {
		names = append(names, x.Name())
	}
	list := []system{{name: fused}}
	for _, n := range names {
		list = append(list, system{"only " + n, []string{n}})
	}
	for i, n := range names {
		if rest := slices.Delete(slices.Clone(names), i, i+1); len(rest) > 0 {
			list = append(list, system{"without " + n, rest})
		}
	}
	return list
}

// A run is the state of one Run.
type run struct {
	asker     Asker
	options   Options
	questions []Question
	answered  map[string]System // by the oracles asked
	report    *Report
	scores    Scores // of the fused system
	done      int
	total     int
}

func (r *run) all(ctx context.Context, list []system) error {
	distinct := map[string]bool{}
	for _, s := range list {
		distinct[strings.Join(s.only, ",")] = true
	}
	answerable := len(realOnes(r.questions))
	r.total = len(r.questions) + (len(distinct)-1)*answerable
	if r.options.Baseline != nil {
		r.total += answerable
	}
	for _, s := range list {
		if err := r.engine(ctx, s); err != nil {
			return err
		}
	}
	if r.options.Baseline == nil {
		return nil
	}
	return r.baseline(ctx)
}

// engine asks one system all questions. Only the fused system is asked absurd ones, because only
// its answer has a relevance.
func (r *run) engine(ctx context.Context, s system) error {
	key := strings.Join(s.only, ",")
	if same, ok := r.answered[key]; ok {
		same.Name = s.name
		r.report.Systems = append(r.report.Systems, same)
		return nil
	}
	qs := realOnes(r.questions)
	if s.name == fused {
		qs = r.questions
	}
	out := System{Name: s.name, Oracles: s.only, Rows: []Row{}}
	for _, q := range qs {
		row, partial, err := r.ask(ctx, s, q)
		if err != nil {
			return err
		}
		if partial {
			out.Partial++
		}
		out.Rows = append(out.Rows, row)
		r.step()
	}
	r.answered[key] = r.add(out)
	return nil
}

func (r *run) ask(ctx context.Context, s system, q Question) (row Row, partial bool, err error) {
	a, err := s.scry(ctx, r.asker, r.options.Filter, r.options.Limit, q.Query)
	if err != nil {
		return Row{}, false, fmt.Errorf("ask %q of %s: %w", q.ID, s.name, err)
	}
	places := make([]place, len(a.Results))
	for i, x := range a.Results {
		places[i] = place{id: x.DocID, shown: x.Shown, path: x.Path, sha: x.SHA}
	}
	row = judge(q, places)
	if s.name == fused {
		row.Relevance = a.Relevance
		if len(a.Results) > 0 {
			row.Score = a.Results[0].Score
		}
		row.Rising = rising(a.Results)
		r.scores.Add(a.Results)
		r.report.state(a)
	}
	return row, a.Partial, nil
}

// rising returns the number of results with a score above that of the result before them.
func rising(rs []api.Result) (n int) {
	for i := 1; i < len(rs); i++ {
		if rs[i].Score > rs[i-1].Score {
			n++
		}
	}
	return n
}

func (r *run) baseline(ctx context.Context) error {
	qs := realOnes(r.questions)
	b, err := newBaseline(ctx, r.options.Baseline, qs, r.options.Filter.Kinds)
	if err != nil {
		return fmt.Errorf("evaluate baseline: %w", err)
	}
	out := System{Name: "bm25", Rows: []Row{}}
	for _, q := range qs {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("evaluate baseline: %w", err)
		}
		out.Rows = append(out.Rows, judge(q, b.rank(q.Query, r.options.Limit)))
		r.step()
	}
	r.add(out)
	return nil
}

// add scores a system and adds it to the report.
func (r *run) add(s System) System {
	s.score(r.questions)
	if s.Name == fused {
		r.report.count(s.Rows)
		r.report.Calibration = Calibrate(s.Rows)
		r.report.Scores = r.scores.Distribution()
	}
	r.report.Systems = append(r.report.Systems, s)
	return s
}

func (r *run) step() {
	r.done++
	if r.options.OnProgress != nil {
		r.options.OnProgress(r.done, r.total)
	}
}

// checkBaseline returns an error for a filter that the baseline cannot apply. It knows only a
// chunk's kind, so it would search other documents than the engine.
func (o Options) checkBaseline() error {
	if o.Baseline != nil && len(o.Filter.Paths)+len(o.Filter.Languages) > 0 {
		return errors.New("evaluate baseline: a filter by path or language is not possible with it")
	}
	return nil
}
