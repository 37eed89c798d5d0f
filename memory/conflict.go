package memory

import (
	"cmp"
	"context"

	"patina/memory/merge"
	"patina/memory/recall"
)

// maxConflicts bounds the memories that a new one may contradict.
const maxConflicts = 3

// Conflicting returns current memories that a text may contradict: those that differ in one word
// (merge.Differ), best matches first. The memory with the id is left out.
func (s *Store) Conflicting(ctx context.Context, id, text string) ([]Memory, error) {
	found, err := s.Recall(ctx, Query{Text: text, Scoring: recall.Measured, Filter: Filter{Limit: byWords}})
	if err != nil {
		return nil, err
	}
	var out []Memory
	for _, f := range found {
		if f.ID != id && len(out) < maxConflicts && merge.Differ(f.Content, text) {
			out = append(out, f.Memory)
		}
	}
	return out, nil
}

// preferNewer orders memories that may contradict each other. If the older of two comes first, the
// newer takes its place and its score. keys are the keys of the memories. They decide if two were
// made in the same second.
func preferNewer(found []Found, keys []int64) {
	newer := func(a, b int) bool {
		return cmp.Or(found[a].Created.Compare(found[b].Created), cmp.Compare(keys[a], keys[b])) > 0
	}
	for i := range found {
		for j := i + 1; j < len(found); j++ {
			if !newer(j, i) || !merge.Differ(found[i].Content, found[j].Content) {
				continue
			}
			lifted, key := found[j], keys[j]
			lifted.Score = found[i].Score
			copy(found[i+1:j+1], found[i:j])
			copy(keys[i+1:j+1], keys[i:j])
			found[i], keys[i] = lifted, key
		}
	}
}
