package oracles

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"patina/store"
	"patina/store/doc"
	"patina/store/overlay"
)

// Models of the user's rank the kinds that they were chosen for, once all texts of a kind are
// embedded. Every other kind is ranked by the built-in vectors, and a note says why if a model was
// chosen.

// A meant holds the results of vectors, by kind.
type meant struct {
	ranked map[doc.Kind][]doc.Ranked
	// random has the calibrations of the kinds that a chosen model ranked.
	random map[doc.Kind]doc.Calibration
	notes  []unused
}

// An unused says why a chosen model does not rank some kinds.
type unused struct {
	kinds  []doc.Kind // none: any
	others []doc.Kind // that are without the model for the same reason
	reason string
}

// ByBuiltIn is part of the reason for which a chosen model did not rank some kinds. They were
// ranked all the same.
const ByBuiltIn = "by the built-in vectors"

func (u unused) String() string {
	if len(u.kinds) == 0 {
		return "all " + ByBuiltIn + ": " + u.reason
	}
	var names []string
	for _, k := range u.kinds {
		names = append(names, k.Label())
	}
	return fmt.Sprintf("%s %s: %s", strings.Join(names, ", "), ByBuiltIn, u.reason)
}

// joinUnused joins the notes for an answer. It returns "" without notes.
func joinUnused(notes []unused) string {
	var out []string
	for _, n := range notes {
		out = append(out, n.String())
	}
	return strings.Join(out, "; ")
}

// rank ranks the kinds that wants returns true for. built must be the model of the built-in
// vectors.
func (s *Semantic) rank(
	ctx context.Context, r *store.Reader, q Question, built doc.Embedder, wants func(doc.Kind) bool, limit int,
) (meant, error) {
	m := meant{ranked: make(map[doc.Kind][]doc.Ranked)}
	asked := questionParts(q.Parsed)
	if s.embedders != nil {
		if err := s.rankByChosen(ctx, r, q, asked, wants, limit, &m); err != nil {
			return m, err
		}
	}
	left := func(k doc.Kind) bool { _, done := m.random[k]; return !done && wants(k) }
	if len(m.random) > 0 && !slices.ContainsFunc(doc.Kinds(), left) {
		return m, nil
	}
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return m, err
	}
	rows, err := r.Vectors(snap)
	if err != nil {
		return m, fmt.Errorf("read vectors: %w", err)
	}
	defer rows.Release()
	ranked, err := nearestIn(ctx, r, nearSpace{rows, snap.Segments, nil}, built.Question(asked), q.Filter, left, limit)
	maps.Copy(m.ranked, ranked)
	return m, err
}

// rankByChosen ranks the kinds that chosen models can rank. It returns an error only if ctx has
// ended.
func (s *Semantic) rankByChosen(
	ctx context.Context, r *store.Reader, q Question, asked []doc.QuestionPart, wants func(doc.Kind) bool, limit int,
	m *meant,
) error {
	chosen, err := s.embedders(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		m.notes = append(m.notes, unused{reason: err.Error()})
	}
	m.random = make(map[doc.Kind]doc.Calibration)
	if len(chosen) == 0 {
		return nil
	}
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return err
	}
	kinds, others := make(map[string][]doc.Kind), make(map[string][]doc.Kind) // by model
	for _, k := range doc.Kinds() {
		there := slices.ContainsFunc(snap.Segments, func(g *store.Segment) bool {
			return doc.Kind(g.Space) == k && g.Vectors >= 0 && g.Live > 0
		})
		switch e := chosen[k]; {
		case e == nil, wants(k) && !there:
		case wants(k):
			kinds[e.Model()] = append(kinds[e.Model()], k)
		default:
			others[e.Model()] = append(others[e.Model()], k)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(kinds)) {
		ks := kinds[id]
		err := s.rankByModel(ctx, r, q, asked, chosen[ks[0]], ks, limit, m)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			if errors.Is(err, store.ErrDamaged) {
				s.overlayOf(id).Distrust()
			}
			ks = slices.DeleteFunc(ks, func(k doc.Kind) bool { _, done := m.random[k]; return done })
			note := unused{kinds: ks, reason: unusedReason(err)}
			if !errors.Is(err, overlay.ErrIncomplete) {
				note.others = others[id]
			}
			m.notes = append(m.notes, note)
		}
	}
	return nil
}

// unusedReason says briefly why a model is not used.
func unusedReason(err error) string {
	switch {
	case errors.Is(err, store.ErrDamaged):
		return "the model's vectors are damaged (patina scrape)"
	case errors.Is(err, overlay.ErrIncomplete):
		return err.Error() + " (patina scrape)"
	}
	return err.Error()
}

// rankByModel ranks kinds by one model. The error says why some of them are not ranked.
func (s *Semantic) rankByModel(
	ctx context.Context, r *store.Reader, q Question, asked []doc.QuestionPart, e doc.BatchEmbedder, kinds []doc.Kind,
	limit int, m *meant,
) error {
	v, err := s.overlayOf(e.Model()).View(ctx, r)
	if err != nil {
		return err
	}
	defer v.Release()
	var incomplete error
	covered := slices.DeleteFunc(slices.Clone(kinds), func(k doc.Kind) bool {
		err := v.Covers(k)
		incomplete = cmp.Or(incomplete, err)
		return err != nil
	})
	if len(covered) == 0 {
		return incomplete
	}
	x, err := askModel(ctx, r, e, q)
	if err != nil {
		return err
	}
	index, err := r.Calibration(ctx)
	if err != nil {
		return err
	}
	in := nearSpace{v.Vectors, v.Segments, scaleOf(v.Random, v.Table, index)}
	wants := func(k doc.Kind) bool { return slices.Contains(covered, k) }
	ranked, err := nearestIn(ctx, r, in, x, q.Filter, wants, limit)
	if err != nil {
		return err
	}
	maps.Copy(m.ranked, ranked)
	for _, k := range covered {
		m.random[k] = in.scale.random
	}
	return incomplete
}

// overlayOf returns the project's vectors by a model, opened once.
func (s *Semantic) overlayOf(model string) *overlay.Overlay {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.overlays[model]
	if o == nil {
		if s.overlays == nil {
			s.overlays = make(map[string]*overlay.Overlay)
		}
		o = overlay.Open(s.dir, model)
		s.overlays[model] = o
	}
	return o
}

// askedVectors are the vectors of a question, by model. The channels of one question share them.
type askedVectors struct {
	mu sync.Mutex
	of map[string]*askedVector
}

type askedVector struct {
	once   sync.Once
	vector []float32
	err    error
}

// modelShare is the share of the time left that a model may take to be opened and to embed a
// question. The rest is for the built-in vectors.
const modelShare = 0.5

// embedWithin embeds a question within the model's share of the time.
func embedWithin(ctx context.Context, e doc.BatchEmbedder, q Question) ([]float32, error) {
	within := ctx
	if end, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		within, cancel = context.WithTimeout(ctx, time.Duration(modelShare*float64(time.Until(end))))
		defer cancel()
	}
	v, err := q.Embed(within, e)
	if err != nil && within.Err() != nil && ctx.Err() == nil {
		return nil, errors.New("the model was not ready in half of the time")
	}
	return v, err
}

// askModel embeds a question, once for all readers of a pin.
func askModel(
	ctx context.Context, r *store.Reader, e doc.BatchEmbedder, q Question,
) ([]float32, error) {
	all := store.MemoOf[askedVectors](r.Memo)
	all.mu.Lock()
	if all.of == nil {
		all.of = make(map[string]*askedVector)
	}
	id := e.Model() + "\x00" + q.Text
	x := all.of[id]
	if x == nil {
		x = &askedVector{}
		all.of[id] = x
	}
	all.mu.Unlock()
	x.once.Do(func() { x.vector, x.err = embedWithin(ctx, e, q) })
	if x.err == nil && len(x.vector) != e.Dimension() {
		return nil, fmt.Errorf("the question's vector has %d dimensions, not %d", len(x.vector), e.Dimension())
	}
	return x.vector, x.err
}
