package oracles

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"patina/belief/knowledge"
	"patina/belief/standing"
	"patina/store"
	"patina/store/doc"
)

// Belief ranks the project's beliefs.
//
// Beliefs are few and code is plenty, so a shared ranking would hide them. Belief combines two
// rankings, because meaning and exact words fail on different questions. A belief that others
// refute counts less. Without vectors it ranks by words alone, and returns an error that wraps
// ErrUnavailable with the list.
type Belief struct {
	semantic *Semantic
}

const (
	vectorShare = 0.7 // of a belief's score, from cosine similarity
	textShare   = 0.3 // of a belief's score, from BM25 as a share of the attainable
)

// NewBelief returns the oracle with the built-in model.
func NewBelief() *Belief { return &Belief{semantic: NewSemantic()} }

// Name implements Oracle.
func (*Belief) Name() string { return "belief" }

// Open implements Oracle.
func (b *Belief) Open(p Project) (Channel, error) {
	s, err := b.semantic.Open(p)
	if err != nil {
		return nil, err
	}
	return &Belief{semantic: s.(*Semantic)}, nil
}

// Close implements Channel.
func (b *Belief) Close() error { return b.semantic.Close() }

// Needed implements Sparing, because most projects have no beliefs.
func (*Belief) Needed(g doc.Generation, f doc.Filter) bool {
	return g.Beliefs > 0 && doc.Wants(f, doc.Belief)
}

// Query implements Channel. Its list may come with an error that wraps ErrUnavailable.
func (b *Belief) Query(ctx context.Context, r *store.Reader, q Question) ([]List, error) {
	if !doc.Wants(q.Filter, doc.Belief) {
		return nil, nil
	}
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	held, err := knowledge.Active(ctx, r, snap)
	if err != nil || len(held) == 0 {
		return nil, err
	}
	allow, err := r.Allowed(ctx, snap, q.Filter)
	if err != nil {
		return nil, err
	}
	shares, err := knowledge.Matches(ctx, r, q.Parsed)
	if err != nil {
		return nil, err
	}
	found, why, err := b.rankByMeaning(ctx, r, q, len(held))
	if err != nil {
		return nil, err
	}
	list := List{
		Channel: b.Name(), Kind: doc.Belief, Generation: r.Generation().Number, Random: found.random[doc.Belief],
	}
	near := make(map[string]doc.Ranked, len(found.ranked[doc.Belief])) // by path
	for _, x := range found.ranked[doc.Belief] {
		near[x.Path] = x
	}
	for key, h := range held {
		if allow != nil && !allow.Has(key) {
			continue
		}
		x, ok := near[h.Path]
		if !ok {
			x = doc.Ranked{DocID: doc.Belief.FileID(h.Path), Path: h.Path, Chunks: []int{0}}
		}
		x.Raw = (vectorShare*x.Raw + textShare*shares[key]) * standing.Factor(h.Standing)
		if x.Raw > 0 {
			list.Hits = append(list.Hits, x)
		}
	}
	ids := make(map[string]string, len(held))
	for _, h := range held {
		ids[h.Path] = h.ID
	}
	list.Hits = keepBestByID(list.Hits, func(x doc.Ranked) string { return ids[x.Path] })
	list.Hits = list.Hits[:min(len(list.Hits), q.Limit)]
	if why != "" {
		return []List{list}, fmt.Errorf("%s: %w", why, ErrUnavailable)
	}
	return []List{list}, nil
}

// rankByMeaning returns the beliefs ranked by meaning. Without vectors the list is empty. why says
// so, or that the built-in vectors ranked them though a model was chosen, unless the semantic
// channel says the same.
func (b *Belief) rankByMeaning(
	ctx context.Context, r *store.Reader, q Question, limit int,
) (found meant, why string, err error) {
	model, err := b.semantic.modelOf(ctx, r)
	switch {
	case errors.Is(err, ErrUnavailable):
		return found, "by words alone: " + strings.TrimSuffix(err.Error(), ": "+ErrUnavailable.Error()), nil
	case err != nil:
		return found, "", err
	}
	only := q
	only.Filter.Kinds = []doc.Kind{doc.Belief}
	found, err = b.semantic.rank(ctx, r, only, model, func(k doc.Kind) bool { return k == doc.Belief }, limit)
	if err != nil || len(found.notes) == 0 {
		return found, "", err
	}
	said := func(k doc.Kind) bool { return doc.Wants(q.Filter, k) && k.Traits().Channel == "" }
	notes := slices.DeleteFunc(found.notes, func(n unused) bool {
		return len(n.kinds) == 0 && slices.ContainsFunc(doc.Kinds(), said) || slices.ContainsFunc(n.others, said)
	})
	return found, joinUnused(notes), nil
}

// keepBestByID sorts hits, the best first, and keeps the best hit of each id. It reuses hits.
func keepBestByID(hits []doc.Ranked, id func(doc.Ranked) string) []doc.Ranked {
	slices.SortFunc(hits, func(a, b doc.Ranked) int {
		return cmp.Or(cmp.Compare(b.Raw, a.Raw), strings.Compare(a.DocID, b.DocID))
	})
	seen := make(map[string]bool, len(hits))
	return slices.DeleteFunc(hits, func(x doc.Ranked) bool {
		name := id(x)
		had := seen[name]
		seen[name] = true
		return had
	})
}
