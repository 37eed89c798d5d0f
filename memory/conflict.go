package memory

import (
	"cmp"
	"context"

	"patina/memory/merge"
	"patina/memory/recall"
)

// maxConflicts bounds the memories that a new one is said to contradict.
const maxConflicts = 3

// Conflicting returns the current memories that the memory id with a text may contradict, the best
// matches first: those that say the same but for one word (merge.Differ).
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

// preferNewer lets the newer of two memories that may contradict each other take the place and the
// score of the older, if the older stands before it. keys are those of the memories: of two that
// were made in one second, the later has the higher one.
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
