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

// LocaliseOptions choose the rankings to measure.
type LocaliseOptions struct {
	Kinds    []store.Kind  // candidate kinds, also in the engine's filter
	Embedder store.Adapter // the base model; nil: no ranking by vectors
	Engine   Asker         // nil: the engine is not asked
}

// A Repository holds the measurements on one tree.
type Repository struct {
	Name      string        `json:"name"`
	Cut       string        `json:"cut"`
	Questions []Subject     `json:"questions"`
	Files     int           `json:"files"`
	Chunks    int           `json:"chunks"` // all are candidates
	History   int           `json:"history"`
	Adapted   time.Duration `json:"adapted"`           // how long adaptation took
	Partial   []string      `json:"partial,omitempty"` // engine answers without a channel, and why
	Systems   []Ranks       `json:"systems"`
}

// A Subject is a commit's subject, and the paths it means.
type Subject struct {
	SHA     string   `json:"sha"`
	Subject string   `json:"subject"`
	Expect  []string `json:"expect"`
	targets []int
}

// Ranks are the places of the first right file for each question, by one ranking. 0 means beyond
// the first hundred.
type Ranks struct {
	Name  string `json:"name"`
	Ranks []int  `json:"ranks"`
}

// Names of rankings used in comparisons.
const (
	bm25c     = "BM25c"
	static    = "static"
	adapted   = "adapted"
	byHistory = "history"
	byTFIDF   = "TF-IDF"
)

// A ranker answers one question.
type ranker struct {
	name string
	rank func(query string, earlier map[string]ranking) (ranking, error)
}

// Localise searches a tree for the files of later commits, with every ranking in the options.
func Localise(ctx context.Context, name string, t *Tree, p *Past, o LocaliseOptions) (*Repository, error) {
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

// rank puts every question to every ranker, in turn.
func (r *Repository) rank(ctx context.Context, rankers []ranker) error {
	for _, x := range rankers {
		r.Systems = append(r.Systems, Ranks{Name: x.name})
	}
	for _, q := range r.Questions {
		got := map[string]ranking{}
		for i, x := range rankers {
			if err := ctx.Err(); err != nil {
				return err
			}
			var err error
			if got[x.name], err = x.rank(q.Subject, got); err != nil {
				return err
			}
			r.Systems[i].Ranks = append(r.Systems[i].Ranks, got[x.name].first(q.targets))
		}
	}
	return nil
}

// rankers builds the rankings: single ones, then their joins, then the engine's.
func (r *Repository) rankers(ctx context.Context, t *Tree, p *Past, o LocaliseOptions) ([]ranker, error) {
	list := append(t.byWords(), simple(byHistory, newHistory(t, p.History).rank))
	joins := [][]string{{bm25c, byTFIDF}, {bm25c, byHistory}}
	if o.Embedder != nil {
		vectors, err := r.byVectors(ctx, t, p, o.Embedder)
		if err != nil {
			return nil, err
		}
		list = append(list, vectors...)
		joins = [][]string{
			{bm25c, byTFIDF}, {bm25c, static}, {bm25c, byHistory}, {bm25c, adapted}, {adapted, byHistory}, {bm25c, adapted, byHistory},
		}
	}
	for _, names := range joins {
		list = append(list, joined(len(t.Paths), names...))
	}
	if o.Engine != nil {
		for _, x := range oracles.Default() {
			list = append(list, r.byEngine(ctx, t, o, system{"engine " + x.Name(), []string{x.Name()}}))
		}
		list = append(list, r.byEngine(ctx, t, o, system{name: "engine"}))
	}
	return list, nil
}

// simple is a ranker that needs no other.
func simple(name string, rank func(query string) ranking) ranker {
	return ranker{name, func(query string, _ map[string]ranking) (ranking, error) { return rank(query), nil }}
}

func (t *Tree) byWords() []ranker {
	words, files := newLexicon(nil), fileOf(t.Passages)
	for _, p := range t.Passages {
		words.add(p.Path + "\n" + p.Doc + "\n" + p.Body)
	}
	vectors := newTFIDF(words)
	return []ranker{
		simple(bm25c, func(q string) ranking { return best(len(t.Paths), files, words.bm25(q)) }),
		simple(byTFIDF, func(q string) ranking { return best(len(t.Paths), files, vectors.cosine(q)) }),
	}
}

func (r *Repository) byVectors(ctx context.Context, t *Tree, p *Past, base store.Adapter) ([]ranker, error) {
	encoded := t.encoded(base)
	fitted, took, err := t.adapt(ctx, base, encoded, p.History)
	if err != nil {
		return nil, err
	}
	r.Adapted = took
	return []ranker{t.by(static, t.vectors(base, encoded)), t.by(adapted, t.vectors(fitted, encoded))}, nil
}

func (t *Tree) by(name string, v *vectorIndex) ranker {
	return simple(name, func(q string) ranking { return best(len(t.Paths), v.files, v.scores(q)) })
}

// joined fuses earlier rankers by reciprocal rank fusion.
func joined(files int, names ...string) ranker {
	return ranker{"RRF(" + strings.Join(names, ", ") + ")", func(_ string, earlier map[string]ranking) (ranking, error) {
		rs := make([]ranking, len(names))
		for i, n := range names {
			rs[i] = earlier[n]
		}
		return rrf(files, rs...), nil
	}}
}

// byEngine ranks the files in an answer. An answer without a channel measures something else, and
// is noted in Partial.
func (r *Repository) byEngine(ctx context.Context, t *Tree, o LocaliseOptions, s system) ranker {
	return ranker{s.name, func(query string, _ map[string]ranking) (ranking, error) {
		a, err := s.scry(ctx, o.Engine, store.Filter{Kinds: o.Kinds}, deepest, query)
		if err != nil {
			return nil, fmt.Errorf("ask %q: %w", query, err)
		}
		if a.Partial {
			r.Partial = append(r.Partial, lacking(a))
		}
		var files ranking
		for _, x := range a.Results {
			if n, ok := t.numbers[x.Path]; ok && !slices.Contains(files, n) {
				files = append(files, n)
			}
		}
		return files, nil
	}}
}

// lacking lists the channels missing from an answer.
func lacking(a *actors.Answer) string {
	out := fmt.Sprintf("%q:", a.Query)
	for _, c := range a.Channels {
		if c.Status.Partial() {
			out += fmt.Sprintf(" %s %s (%s)", c.Channel, c.Status, c.Detail)
		}
	}
	return out
}
