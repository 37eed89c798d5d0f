package locate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"patina/actors"
	"patina/store"
)

// Options say what to measure.
type Options struct {
	Kinds    []store.Kind  // of files that are candidates, and that the engine is asked for
	Embedder store.Adapter // the base model; nil: no ranking by vectors
	Engine   Asker         // nil: the engine is not asked
}

// A Repository is what was measured on one tree.
type Repository struct {
	Name      string        `json:"name"`
	Cut       string        `json:"cut"`
	Questions []Question    `json:"questions"`
	Files     int           `json:"files"`
	Chunks    int           `json:"chunks"` // all are candidates
	History   int           `json:"history"`
	Adapted   time.Duration `json:"adapted"`           // how long adaptation took
	Partial   []string      `json:"partial,omitempty"` // answers of the engine that lacked a channel, and why
	Systems   []System      `json:"systems"`
}

// A Question is a subject and the paths that it means.
type Question struct {
	SHA     string   `json:"sha"`
	Subject string   `json:"subject"`
	Expect  []string `json:"expect"`
	targets []int
}

// A System is one way to rank and the place of the first right file for each question; 0: not among the first hundred.
type System struct {
	Name  string `json:"name"`
	Ranks []int  `json:"ranks"`
}

// Names of rankings that others are compared with.
const (
	bm25c   = "BM25c"
	static  = "static"
	adapted = "adapted"
	history = "history"
	tfidf   = "TF-IDF"
)

// A ranker answers one question.
type ranker struct {
	name string
	rank func(query string, earlier map[string]ranking) (ranking, error)
}

// Localise asks a tree for the files of later commits, ranked in every way that the options allow.
func Localise(ctx context.Context, name string, t *Tree, p *Past, o Options) (*Repository, error) {
	r := &Repository{Name: name, Cut: p.Cut, Files: len(t.Paths), Chunks: len(t.Passages), History: len(p.History)}
	for _, c := range p.Asked {
		if targets := t.targets(c.Files); len(targets) > 0 {
			q := Question{SHA: c.SHA, Subject: c.Subject, targets: targets}
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
	for _, x := range rankers {
		r.Systems = append(r.Systems, System{Name: x.name})
	}
	for _, q := range r.Questions {
		got := map[string]ranking{}
		for i, x := range rankers {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if got[x.name], err = x.rank(q.Subject, got); err != nil {
				return nil, fmt.Errorf("localise commits of %q: %w", name, err)
			}
			r.Systems[i].Ranks = append(r.Systems[i].Ranks, got[x.name].first(q.targets))
		}
	}
	return r, nil
}

// rankers makes the ways to rank, those that are joined before the joins.
func (r *Repository) rankers(ctx context.Context, t *Tree, p *Past, o Options) ([]ranker, error) {
	list := t.byWords()
	list = append(list, byHistory(t, p.History))
	if o.Embedder != nil {
		vectors, err := r.byVectors(ctx, t, p, o.Embedder)
		if err != nil {
			return nil, err
		}
		list = append(list, vectors...)
	}
	known := map[string]bool{}
	for _, x := range list {
		known[x.name] = true
	}
	for _, names := range [][]string{
		{bm25c, tfidf}, {bm25c, static}, {bm25c, history}, {bm25c, adapted}, {adapted, history}, {bm25c, adapted, history},
	} {
		if x, ok := joined(len(t.Paths), names, known); ok {
			list = append(list, x)
		}
	}
	if o.Engine != nil {
		for _, s := range engineSystems() {
			list = append(list, ranker{s.name, func(query string, _ map[string]ranking) (ranking, error) {
				return t.ask(ctx, o.Engine, s, o.Kinds, query, func(a *actors.Answer) { r.Partial = append(r.Partial, lacking(a)) })
			}})
		}
	}
	return list, nil
}

func (t *Tree) byWords() []ranker {
	texts := make([]string, len(t.Passages))
	for i, p := range t.Passages {
		texts[i] = p.Path + "\n" + p.Doc + "\n" + p.Body
	}
	words := newLexicon(texts)
	return []ranker{
		{bm25c, func(q string, _ map[string]ranking) (ranking, error) {
			return best(len(t.Paths), t.fileOf, words.bm25(q)), nil
		}},
		{tfidf, func(q string, _ map[string]ranking) (ranking, error) {
			return best(len(t.Paths), t.fileOf, words.cosine(q)), nil
		}},
	}
}

func (t *Tree) fileOf(chunk int) int { return t.Passages[chunk].File }

func byHistory(t *Tree, commits []Commit) ranker {
	p := newPast(t, commits)
	return ranker{history, func(q string, _ map[string]ranking) (ranking, error) { return p.rank(q), nil }}
}

func (r *Repository) byVectors(ctx context.Context, t *Tree, p *Past, base store.Adapter) ([]ranker, error) {
	encoded := t.encoded(base)
	fitted, took, err := t.adapt(ctx, base, encoded, p.History)
	if err != nil {
		return nil, err
	}
	r.Adapted = took
	var list []ranker
	for _, x := range []struct {
		name  string
		model store.Embedder
	}{{static, base}, {adapted, fitted}} {
		list = append(list, t.by(x.name, t.vectors(x.model, encoded)))
	}
	return list, nil
}

func (t *Tree) by(name string, v *Vectors) ranker {
	return ranker{name, func(q string, _ map[string]ranking) (ranking, error) {
		return best(len(t.Paths), func(row int) int { return v.files[row] }, v.scores(q)), nil
	}}
}

// joined is the reciprocal rank fusion of earlier rankers; ok is false where one of them is not there.
func joined(files int, names []string, known map[string]bool) (x ranker, ok bool) {
	for i, n := range names {
		if !known[n] {
			return x, false
		}
		if i > 0 {
			x.name += ", "
		}
		x.name += n
	}
	x.name = "RRF(" + x.name + ")"
	x.rank = func(_ string, earlier map[string]ranking) (ranking, error) {
		rs := make([]ranking, len(names))
		for i, n := range names {
			rs[i] = earlier[n]
		}
		return rrf(files, rs...), nil
	}
	return x, true
}
