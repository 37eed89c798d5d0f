package rankings

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"patina/actors/api"
	"patina/bench/eval"
	"patina/oracles"
	"patina/store/doc"
)

// LocaliseOptions select the rankings to measure.
type LocaliseOptions struct {
	Kinds    []doc.Kind  // candidate kinds, also in the engine's filter
	Embedder doc.Adapter // the base model; nil: no ranking by vectors
	Engine   eval.Asker  // nil: the engine is not asked
}

// A Repository has the measurements of one tree.
type Repository struct {
	Name      string        `json:"name"`
	Cut       string        `json:"cut"`
	Questions []Subject     `json:"questions"`
	Files     int           `json:"files"`
	Chunks    int           `json:"chunks"` // all of them are candidates
	History   int           `json:"history"`
	Adapted   time.Duration `json:"adapted"`           // duration of the adaptation
	Partial   []string      `json:"partial,omitempty"` // engine answers that lack a channel, and why
	Systems   []Ranks       `json:"systems"`
}

// A Subject is a commit's subject with the paths that it means.
type Subject struct {
	SHA     string   `json:"sha"`
	Subject string   `json:"subject"`
	Expect  []string `json:"expect"`
	targets []int
}

// Ranks are the places of the first right file for each question, in one ranking. 0 means after the
// first hundred.
type Ranks struct {
	Name  string `json:"name"`
	Ranks []int  `json:"ranks"`
}

const (
	// deepest is the number of places that are searched for a commit's files. A file after these is
	// not found.
	deepest = 100
	// mostFiles bounds the files of a voting commit. A larger commit is a sweep through the tree.
	mostFiles = 20
	// patience is the time for each question. It is long because a slow machine must not cost a
	// channel.
	patience = 30 * time.Second
	rrfK     = 60 // Cormack et al. 2009; ranks count from 1
)

// Names of rankings used in comparisons.
const (
	bm25c     = "BM25c"
	static    = "static"
	adapted   = "adapted"
	byHistory = "history"
	byTFIDF   = "TF-IDF"
)

// A ranker answers one question. earlier has the rankings of the rankers before it, by name.
type ranker struct {
	name string
	rank func(query string, earlier map[string]eval.Ranking) (eval.Ranking, error)
}

// Localise searches a tree for the files of later commits, with every ranking that the options
// select. It returns an error if no file of the commits is in the tree.
func Localise(ctx context.Context, name string, t *Tree, p *eval.Past, o LocaliseOptions) (*Repository, error) {
	r := &Repository{Name: name, Cut: p.Cut, Files: len(t.Paths), Chunks: len(t.Passages), History: len(p.History)}
	for _, c := range p.Asked {
		if targets := t.targets(c.Files); len(targets) > 0 {
			q := Subject{SHA: c.SHA, Subject: c.Subject, targets: targets}
			for _, f := range targets {
				q.Expect = append(q.Expect, t.Paths[f])
			}
			r.Questions = append(r.Questions, q)
		}
	}
	if len(r.Questions) == 0 {
		return nil, fmt.Errorf("localise commits of %q: %w", name, errors.New("no file of theirs is in the tree"))
	}
	rankers, err := r.rankers(ctx, t, p, o)
	if err != nil {
		return nil, fmt.Errorf("localise commits of %q: %w", name, err)
	}
	if err := r.rank(ctx, rankers); err != nil {
		return nil, fmt.Errorf("localise commits of %q: %w", name, err)
	}
	return r, nil
}

// rank asks every ranker every question, in order.
func (r *Repository) rank(ctx context.Context, rankers []ranker) error {
	for _, x := range rankers {
		r.Systems = append(r.Systems, Ranks{Name: x.name})
	}
	for _, q := range r.Questions {
		got := map[string]eval.Ranking{}
		for i, x := range rankers {
			if err := ctx.Err(); err != nil {
				return err
			}
			var err error
			if got[x.name], err = x.rank(q.Subject, got); err != nil {
				return err
			}
			r.Systems[i].Ranks = append(r.Systems[i].Ranks, firstOf(got[x.name], q.targets))
		}
	}
	return nil
}

// rankers returns the rankings: single ones, then joined ones, then the engine's.
func (r *Repository) rankers(ctx context.Context, t *Tree, p *eval.Past, o LocaliseOptions) ([]ranker, error) {
	list := append(t.byWords(), simple(byHistory, newHistory(t, p.History).rank))
	joins := [][]string{{bm25c, byTFIDF}, {bm25c, byHistory}}
	if o.Embedder != nil {
		vectors, err := r.byVectors(ctx, t, p, o.Embedder)
		if err != nil {
			return nil, err
		}
		list = append(list, vectors...)
		joins = [][]string{
			{bm25c, byTFIDF},
			{bm25c, static},
			{bm25c, byHistory},
			{bm25c, adapted},
			{adapted, byHistory},
			{bm25c, adapted, byHistory},
		}
	}
	for _, names := range joins {
		list = append(list, joined(len(t.Paths), names...))
	}
	if o.Engine != nil {
		for _, x := range oracles.Default() {
			list = append(list, r.byEngine(ctx, t, o, "engine "+x.Name(), x.Name()))
		}
		list = append(list, r.byEngine(ctx, t, o, "engine"))
	}
	return list, nil
}

// simple returns a ranker that does not need earlier rankings.
func simple(name string, rank func(query string) eval.Ranking) ranker {
	return ranker{name, func(query string, _ map[string]eval.Ranking) (eval.Ranking, error) { return rank(query), nil }}
}

func (t *Tree) byWords() []ranker {
	words, files := eval.NewLexicon(nil), fileOf(t.Passages)
	for _, p := range t.Passages {
		words.Add(p.Path + "\n" + p.Doc + "\n" + p.Body)
	}
	vectors := newTFIDF(words)
	return []ranker{
		simple(bm25c, func(q string) eval.Ranking { return eval.RankByBest(len(t.Paths), files, words.BM25(q)) }),
		simple(byTFIDF, func(q string) eval.Ranking { return eval.RankByBest(len(t.Paths), files, vectors.cosine(q)) }),
	}
}

func (r *Repository) byVectors(ctx context.Context, t *Tree, p *eval.Past, base doc.Adapter) ([]ranker, error) {
	encoded := t.encoded(base)
	fitted, took, err := t.adapt(ctx, base, encoded, p.History)
	if err != nil {
		return nil, err
	}
	r.Adapted = took
	return []ranker{t.by(static, t.vectors(base, encoded)), t.by(adapted, t.vectors(fitted, encoded))}, nil
}

func (t *Tree) by(name string, v *vectorIndex) ranker {
	return simple(name, func(q string) eval.Ranking { return eval.RankByBest(len(t.Paths), v.files, v.scores(q)) })
}

// joined returns a ranker that joins earlier rankings by reciprocal rank fusion.
func joined(files int, names ...string) ranker {
	return ranker{
		"RRF(" + strings.Join(names, ", ") + ")",
		func(_ string, earlier map[string]eval.Ranking) (eval.Ranking, error) {
			rs := make([]eval.Ranking, len(names))
			for i, n := range names {
				rs[i] = earlier[n]
			}
			return rrf(files, rs...), nil
		},
	}
}

// rrf joins rankings by reciprocal rank fusion, with equal weights.
func rrf(documents int, rs ...eval.Ranking) eval.Ranking {
	scores := make([]float64, documents)
	for _, r := range rs {
		for i, n := range r {
			scores[n] += 1 / float64(rrfK+i+1)
		}
	}
	return eval.RankByScore(scores)
}

// firstOf returns the place of the best target, from 1. It returns 0 if no target is among the
// first hundred.
func firstOf(r eval.Ranking, targets []int) int {
	for i, n := range r[:min(deepest, len(r))] {
		if slices.Contains(targets, n) {
			return i + 1
		}
	}
	return 0
}

// byEngine ranks the files in an answer of the oracles in only, or of all oracles if only is empty.
// An answer without a channel measures something else, so it is recorded in Partial.
func (r *Repository) byEngine(ctx context.Context, t *Tree, o LocaliseOptions, name string, only ...string) ranker {
	return ranker{name, func(query string, _ map[string]eval.Ranking) (eval.Ranking, error) {
		a, err := o.Engine.Scry(ctx, api.Request{
			Text: query, Filter: doc.Filter{Kinds: o.Kinds}, Limit: deepest, Oracles: only, Timeout: patience,
		})
		if err != nil {
			return nil, fmt.Errorf("ask %q: %w", query, err)
		}
		if a.Partial {
			r.Partial = append(r.Partial, lacking(a))
		}
		var files eval.Ranking
		for _, x := range a.Results {
			if n, ok := t.numbers[x.Path]; ok && !slices.Contains(files, n) {
				files = append(files, n)
			}
		}
		return files, nil
	}}
}

// lacking lists the channels that an answer lacks.
func lacking(a *api.Answer) string {
	out := fmt.Sprintf("%q:", a.Query)
	for _, c := range a.Channels {
		if c.Status.Partial() {
			out += fmt.Sprintf(" %s %s (%s)", c.Channel, c.Status, c.Detail)
		}
	}
	return out
}
