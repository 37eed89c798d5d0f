package eval

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"patina/fusion"
	"patina/oracles"
	"patina/store"
	"patina/store/text"
)

// The ladder's constants beyond word scores, copied from oracles/bm25.go. The copy is on purpose: a
// slip in the product shows as a gap between the ladder's lexical and the engine's.
const (
	symbolWeight   = 2
	stemWeight     = 0.2
	coverageWeight = 0.2
	namesFactor    = 1.5 // for the two above, if a mechanism or a definition is asked for
	bestChunks     = 16
)

// The rungs computed here, lowest first. Each includes the ones below.
var computed = []string{
	"plain BM25, best chunk",
	"+ stop words dropped, field weights",
	"+ length norm by field (BM25F)",
	"+ comments and body of one length, b 0.5",
	"+ p-norm over all chunks",
	"+ only over the best 16, and 0.8 of it",
	"+ tests demoted",
	"+ other demotions",
	"+ X: the symbol asked for",
	"+ J: the file named",
	"+ C: names covered = lexical",
}

// The rungs answered by the engine. Beyond the last computed rung, its lexical counts idf over all
// kinds, keeps impacts in bytes, weighs by intent, and puts exact names first.
const (
	engineLexical = "the engine's lexical"
	engineFused   = "+ H: history = fused"
)

// A LadderReport shows how much each lever in the ranking adds on a set of questions.
type LadderReport struct {
	Indexes   []Index
	Questions int // with an answer
	Files     int // code files
	Chunks    int
	Rungs     []Rung // lowest first
}

// A Rung is one step: everything below it and one more lever.
type Rung struct {
	Name  string
	Score Score
	Gain  Paired // against the rung below; zero for the lowest
	Total Paired // against the lowest
	Rows  []Row
}

// Ladder ranks code files for each question with an answer: by plain BM25, by one more lever at a
// time, and by the engine. Other kinds are left out.
func Ladder(ctx context.Context, l Library, a Asker, qs []Question) (*LadderReport, error) {
	qs = realOnes(qs)
	if len(qs) == 0 {
		return nil, errors.New("climb ladder: no questions")
	}
	s, err := newFieldIndex(ctx, l, qs)
	if err != nil {
		return nil, fmt.Errorf("climb ladder: %w", err)
	}
	report := &LadderReport{Questions: len(qs), Files: len(s.files), Chunks: len(s.lengths)}
	rows := make([][]Row, len(computed))
	for _, q := range qs {
		rungs, err := s.climb(ctx, l, text.ParseQuestion(q.Query))
		if err != nil {
			return nil, fmt.Errorf("climb ladder with %q: %w", q.ID, err)
		}
		for i, scores := range rungs {
			rows[i] = append(rows[i], judge(q, ordered(scores).places(s.files, defaultLimit)))
		}
	}
	for i, name := range computed {
		report.add(name, rows[i])
	}
	return report, report.engine(ctx, a, qs)
}

// climb gives every file its score on each rung.
func (s *fieldIndex) climb(ctx context.Context, l Library, q text.Question) ([][]float64, error) {
	flat := [text.NumFields]float64{1, 1, 1, 1}
	fielded := s.score(q.Terms, text.Weights, s.textNorm)
	rungs := [][]float64{
		s.joined(s.score(allWords(q.Raw), flat, s.wholeNorm), slices.Max),
		s.joined(s.score(q.Terms, text.Weights, s.wholeNorm), slices.Max),
		s.joined(s.score(q.Terms, text.Weights, s.fieldNorm), slices.Max),
		s.joined(fielded, slices.Max),
		s.joined(fielded, pnorm(0)),
		s.joined(fielded, dampened(bestChunks)),
	}
	more, err := s.evidence(ctx, l, q, rungs[len(rungs)-1])
	return append(rungs, more...), err
}

// evidence gives the rungs above the words: demoted tests, all demotion, X, J and C. A question's
// words can lift a demotion. So D without its test part stands for a question that also asks for
// tests.
func (s *fieldIndex) evidence(ctx context.Context, l Library, q text.Question, byWords []float64) ([][]float64, error) {
	var found []string
	for i, x := range byWords {
		if x > 0 {
			found = append(found, s.files[i].id)
		}
	}
	known, err := l.Evidence(ctx, q, map[store.Kind][]string{store.Code: found})
	if err != nil {
		return nil, err
	}
	lifted := q
	lifted.Words = append(slices.Clone(q.Words), "test")
	withoutTests, err := l.Evidence(ctx, lifted, map[store.Kind][]string{store.Code: found})
	if err != nil {
		return nil, err
	}
	rungs := make([][]float64, 5)
	for i := range rungs {
		rungs[i] = make([]float64, len(s.files))
	}
	best, names := slices.Max(append([]float64{0}, byWords...)), 1.0
	if i := fusion.IntentOf(q.Raw); i == fusion.Mechanism || i == fusion.Definition {
		names = namesFactor
	}
	for i, x := range byWords {
		if x <= 0 {
			continue
		}
		e, sum := known[s.files[i].id], x/best
		rungs[0][i] = sum * e.Demotion / withoutTests[s.files[i].id].Demotion
		rungs[1][i] = sum * e.Demotion
		for r, add := range []float64{symbolWeight * e.Symbol, names * stemWeight * e.Stem, names * coverageWeight * e.Coverage} {
			sum += add
			rungs[2+r][i] = sum * e.Demotion
		}
	}
	return rungs, nil
}

// engine adds the rungs of the engine.
func (r *LadderReport) engine(ctx context.Context, a Asker, qs []Question) error {
	o := Options{Limit: defaultLimit, Filter: store.Filter{Kinds: []store.Kind{store.Code}}}
	asking := &run{asker: a, options: o, questions: qs, answered: map[string]System{}, report: newReport(qs, o)}
	for _, x := range []system{{engineLexical, []string{oracles.Lexical{}.Name()}}, {fused, nil}} {
		if err := asking.engine(ctx, x); err != nil {
			return fmt.Errorf("climb ladder: %w", err)
		}
	}
	for i, name := range []string{engineLexical, engineFused} {
		x := asking.report.Systems[i]
		if x.Partial > 0 {
			return fmt.Errorf("climb ladder: %s: %d answers lacked a channel", name, x.Partial)
		}
		r.add(name, x.Rows)
	}
	r.Indexes = asking.report.Indexes
	return nil
}

func (r *LadderReport) add(name string, rows []Row) {
	x := Rung{Name: name, Score: newScore(name, rows), Rows: rows}
	if n := len(r.Rungs); n > 0 {
		x.Gain = pairRows(name, r.Rungs[n-1].Rows, rows)
		x.Total = pairRows(name, r.Rungs[0].Rows, rows)
	}
	r.Rungs = append(r.Rungs, x)
}
