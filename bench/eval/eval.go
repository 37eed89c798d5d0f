// Package eval measures how well an index answers questions whose answers are known.
//
// It asks one set of questions of the engine as users see it, of each oracle alone, of all oracles but one, and of a plain
// BM25 beside it, so that every part shows its worth. Other questions nobody wrote for a measurement: the subject of a commit
// must find the files that it changed, and the first sentence of a comment the function below it.
//
// It promises that equal answers give equal reports: nothing is drawn but from a fixed seed, and no clock is read but to say how
// long a fit took. Speed is not its business. The rankings beside the engine's are written for clearness; they share with the product
// the reading of files, the words and the embedder, nothing else. Nothing here ranks for users.
//
// Sets of questions: questions.go reads them, eval.go asks, metrics.go judges answers, bootstrap.go says how far a mean can be
// trusted, report.go and compare.go are the figures, text.go prints them. ladder.go measures the ranking of code lever by lever.
//
// Commits and functions: commits.go reads the questions, checkout.go the tree as it was, localise.go ranks its files in every
// way, functions.go ranks functions, macro.go are the figures over repositories.
//
// Plain rankings: lexicon.go counts words, and bm25.go, bm25f.go, tfidf.go, history.go and vectors.go rank; ranking.go joins.
package eval

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"patina/actors"
	"patina/oracles"
	"patina/store"
)

// An Asker answers one question; *actors.Engine does.
type Asker interface {
	Scry(ctx context.Context, r actors.Request) (*actors.Answer, error)
}

// Options say what to ask and what to compare with.
type Options struct {
	Limit      int          // results a question; 30 if 0. Under 10 the metrics could not be filled, so that is an error
	Filter     store.Filter // of every question
	Baseline   Corpus       // for the plain BM25; nil: no baseline
	Compare    *Report      // an earlier report; nil: no comparison
	OnProgress func(done, total int)
}

const (
	depth        = 10               // the metrics look at ten places: MRR@10, hit@10, NDCG@10
	defaultLimit = 30               // ten files, where several sections of one document stand in between; as score_questions.py
	patience     = 30 * time.Second // a question; quality is measured, so a slow machine must not cost a channel
	fused        = "fused"          // the system that users see
)

// A system is one way to rank: a name in the report, and the oracles that the engine is asked for.
type system struct {
	name string
	only []string // nil: all
}

// scry asks one question.
func (s system) scry(ctx context.Context, a Asker, f store.Filter, limit int, query string) (*actors.Answer, error) {
	return a.Scry(ctx, actors.Request{Text: query, Filter: f, Limit: limit, Oracles: s.only, Timeout: patience})
}

// Run asks every question of every system and returns the figures. An error of the engine ends it: half a set measures
// something else.
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

// systems returns what the engine is asked for: everything, each oracle alone, and each one off. With two oracles, one off
// is the other alone; it is listed all the same, and asked once.
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

// engine asks all questions of one system. Absurd ones go to the fused system alone: relevance is a word of its answer only.
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
		r.report.state(a)
	}
	return row, a.Partial, nil
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

// add scores a system and puts it into the report.
func (r *run) add(s System) System {
	s.score(r.questions)
	if s.Name == fused {
		r.report.count(s.Rows)
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

// checkBaseline refuses filters that the baseline cannot follow: it knows the kind of a chunk, and would be measured over
// other documents than the engine.
func (o Options) checkBaseline() error {
	if o.Baseline != nil && len(o.Filter.Paths)+len(o.Filter.Languages) > 0 {
		return errors.New("evaluate baseline: a filter by path or language is not possible with it")
	}
	return nil
}
