package memory

import (
	"cmp"
	"context"
	"slices"

	"patina/memory/merge"
	"patina/memory/recall"
)

// maxConflicts bounds the memories that a new one may contradict.
const maxConflicts = 3

// A Conflict is a current memory that contradicts a new one, or may do so.
type Conflict struct {
	Memory
	Difference merge.Difference `json:"difference"`
	Certain    bool             `json:"certain"` // both cannot be true
}

// Conflicting returns current memories that a stored one contradicts, or may contradict: those that
// say the same but for one detail (merge.Contradict), the certain ones first. Memories about
// different places never contradict each other.
func (s *Store) Conflicting(ctx context.Context, m Memory) ([]Conflict, error) {
	found, err := s.Recall(ctx, Query{Text: m.Content, Scoring: recall.Measured, Filter: Filter{Limit: byWords}})
	if err != nil {
		return nil, err
	}
	var out []Conflict
	for _, f := range found {
		if f.ID == m.ID || elsewhere(f.Path, m.Path) || elsewhere(f.Symbol, m.Symbol) {
			continue
		}
		if d, ok := merge.Contradict(f.Content, m.Content); ok {
			out = append(out, Conflict{f.Memory, d, d.Certain()})
		}
	}
	slices.SortStableFunc(out, func(a, b Conflict) int { return cmp.Compare(boolToInt(b.Certain), boolToInt(a.Certain)) })
	return out[:min(len(out), maxConflicts)], nil
}

// elsewhere reports whether two places are known and differ.
func elsewhere(a, b string) bool { return a != "" && b != "" && a != b }

// preferNewer orders memories that may contradict each other. If the older of two comes first, the
// newer takes its place and its score, unless it has less of the question: then they differ in what
// is asked. keys and shares are the keys of the memories and their shares of the question's words.
// The keys decide if two were made in the same second.
func preferNewer(found []Found, keys []int64, shares []float64) {
	newer := func(a, b int) bool {
		return cmp.Or(found[a].Created.Compare(found[b].Created), cmp.Compare(keys[a], keys[b])) > 0
	}
	for i := range found {
		for j := i + 1; j < len(found); j++ {
			if !newer(j, i) || shares[j] < shares[i] || !merge.Differ(found[i].Content, found[j].Content) {
				continue
			}
			lifted, key, share := found[j], keys[j], shares[j]
			lifted.Score = found[i].Score
			copy(found[i+1:j+1], found[i:j])
			copy(keys[i+1:j+1], keys[i:j])
			copy(shares[i+1:j+1], shares[i:j])
			found[i], keys[i], shares[i] = lifted, key, share
		}
	}
}
