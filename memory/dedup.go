package memory

import (
	"context"
	"database/sql"
	"fmt"
	"reflect"
	"slices"
	"time"

	"patina/memory/merge"
	"patina/memory/recall"
	"patina/store/doc"
	"patina/store/sqlite"
)

// The thresholds of the specification, above which a new memory is a duplicate of an old one. They
// also find notes that differ in one detail: docs/memory.md has the figures.
const (
	dedupOverlap = .7  // of the distinct words of both texts
	dedupCosine  = .85 // of their vectors
)

// A resemblance is a memory near to a new one, and how near.
type resemblance struct {
	Memory
	reason string           // such as "word overlap 0.75"
	differ merge.Difference // empty unless the two contradict each other
}

// AddDeduplicated stores a memory like Add, and also merges it into one that it resembles by the
// thresholds of the specification. The text is kept in the log of the other, with the reason. A
// memory that differs in one detail from one that it resembles (merge.Contradict) is never merged
// into it, and its log says so. A nil model means that only words are compared.
func (s *Store) AddDeduplicated(ctx context.Context, m Memory, allowSecret bool, model doc.BatchEmbedder) (a Added, err error) {
	now := s.now()
	if err := m.Valid(allowSecret); err != nil {
		return a, err
	}
	if m, err = m.completed(now); err != nil {
		return a, err
	}
	near, err := s.resembling(ctx, m, model)
	if err != nil {
		return a, err
	}
	err = s.change(ctx, func(tx *sql.Tx) error {
		a, err = addDeduplicated(ctx, tx, m, near, now)
		return err
	})
	return a, err
}

func addDeduplicated(ctx context.Context, tx *sql.Tx, m Memory, near []resemblance, now time.Time) (Added, error) {
	for _, old := range near {
		if old.differ.Kind != "" {
			continue
		}
		found, err := listMemories(ctx, tx, ` WHERE id = ? AND valid_to IS NULL`, old.ID)
		if err != nil {
			return Added{}, err
		}
		if len(found) == 1 && reflect.DeepEqual(found[0], old.Memory) { // else another process changed it
			detail := fmt.Sprintf("%s, by memory.dedup: %q", old.reason, m.Content)
			return Added{ID: old.ID, Merged: true, Reason: old.reason}, joinMemories(ctx, tx, old.Memory, m, now, detail)
		}
	}
	a, err := addMemory(ctx, tx, m, now)
	if err != nil || a.Merged {
		return a, err
	}
	for _, old := range near {
		if old.differ.Kind != "" {
			detail := fmt.Sprintf("from %s: %s, but a different %s: %q there, %q here", old.ID, old.reason, old.differ.Kind,
				old.differ.A, old.differ.B)
			if err := noteEvent(ctx, tx, a.ID, now, "kept apart", detail); err != nil {
				return a, err
			}
		}
	}
	return a, nil
}

// resembling returns the current memories of the same type, place and trust that a new one
// resembles, best first. It is empty if one of them says the same by the rule of Add.
func (s *Store) resembling(ctx context.Context, m Memory, model doc.BatchEmbedder) (out []resemblance, err error) {
	listed, err := s.Sharing(ctx, []string{m.Content}, byWords)
	if err != nil {
		return nil, err
	}
	cosines := map[string]float64{}
	if model != nil {
		if err := s.Embed(ctx, model); err != nil {
			return nil, err
		}
		if listed, err = s.appendNearest(ctx, m, model, listed, cosines); err != nil {
			return nil, err
		}
	}
	words := recall.Question(m.Content)
	for _, old := range listed {
		if !sameStanding(old, m) {
			continue
		}
		if merge.Same(old.Content, m.Content) {
			return nil, nil
		}
		if r, ok := resemblanceOf(old, m.Content, words, cosines[old.ID]); ok {
			out = append(out, r)
		}
	}
	return out, nil
}

// resemblanceOf compares a memory with a new text, its words and its cosine.
func resemblanceOf(old Memory, text string, words []string, cosine float64) (r resemblance, ok bool) {
	r.Memory = old
	switch overlap := overlapOf(words, recall.Question(old.Content)); {
	case overlap >= dedupOverlap:
		r.reason = fmt.Sprintf("word overlap %.2f", overlap)
	case cosine >= dedupCosine:
		r.reason = fmt.Sprintf("cosine %.2f", cosine)
	default:
		return r, false
	}
	r.differ = differenceOf(old.Content, text)
	return r, true
}

// differenceOf returns the detail that forbids to merge a new text into an old one, or an empty
// Difference.
func differenceOf(old, text string) merge.Difference {
	d, ok := merge.Contradict(old, text)
	if ok && (d.Kind != merge.Word || len(recall.Words(d.A)) > 0 && len(recall.Words(d.B)) > 0) {
		return d
	}
	if d, ok = merge.Mismatch(old, text); ok {
		return d
	}
	if _, same := merge.Propose(old, text); !same && overlapOf(recall.Question(old), recall.Question(text)) == 1 {
		return merge.Difference{Kind: merge.Order, A: "other words between them", B: "the same words"}
	}
	return merge.Difference{}
}

// appendNearest adds the memories nearest to a new one by meaning to a list, and sets their cosines
// by id.
func (s *Store) appendNearest(ctx context.Context, m Memory, model doc.BatchEmbedder, list []Memory, cosines map[string]float64,
) ([]Memory, error) {
	allowed, err := s.allowed(ctx, Filter{})
	if err != nil {
		return nil, sqlite.Explain(err)
	}
	v, err := vectorOf(ctx, model, m)
	if err != nil {
		return nil, err
	}
	found, err := s.nearestMemories(ctx, model, v, byMeaning, allowed)
	if err != nil {
		return nil, sqlite.Explain(err)
	}
	for _, n := range found {
		if n.cosine < dedupCosine {
			break
		}
		one, err := listMemories(ctx, s.db, ` WHERE key = ?`, n.key)
		if err != nil {
			return nil, err
		}
		for _, x := range one {
			cosines[x.ID] = n.cosine
			if !slices.ContainsFunc(list, func(y Memory) bool { return y.ID == x.ID }) {
				list = append(list, x)
			}
		}
	}
	return list, nil
}

// overlapOf returns the share of the words of either list that are in both. Each list must have
// each word once.
func overlapOf(a, b []string) float64 {
	both := 0
	for _, w := range a {
		if slices.Contains(b, w) {
			both++
		}
	}
	if all := len(a) + len(b) - both; all > 0 {
		return float64(both) / float64(all)
	}
	return 0
}
