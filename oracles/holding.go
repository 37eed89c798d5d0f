package oracles

import (
	"slices"

	"patina/store"
	"patina/store/text"
)

// holding returns the documents with a chunk that has all runs, as far as the question's terms
// tell. sure says that no other document, and no commit, can have them in a row.
func (s *literals) holding(runs []string) (keys []int64, sure bool, err error) {
	var terms []int
	for _, run := range runs {
		t := slices.Index(s.scoring.terms, text.Stem(run))
		if t < 0 || slices.Contains(terms, t) {
			continue
		}
		if s.scoring.df[t] == 0 {
			return nil, true, nil
		}
		terms = append(terms, t)
	}
	if len(terms) == 0 {
		return nil, false, nil
	}
	sure = true
	for i, g := range s.scoring.segments {
		groups, err := s.intersect(i, terms)
		if err != nil {
			return nil, false, err
		}
		kind := store.Kind(g.Space)
		if len(groups) > 0 && kind.Traits().Shape == store.OfRows {
			sure = false
			continue
		}
		for _, group := range groups {
			key := g.Keys[group]
			if store.Wants(s.filter, kind) && (s.allow == nil || s.allow.Has(key)) && !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	return keys, sure && len(keys) <= maxTexts, nil
}

// intersect returns a segment's visible groups with a chunk that has all terms, the rarest first.
func (s *literals) intersect(segment int, terms []int) (groups []int, err error) {
	g, lists := s.scoring.segments[segment], s.scoring.lists[segment]
	terms = slices.Clone(terms)
	slices.SortFunc(terms, func(a, b int) int { return lists[a].Len - lists[b].Len })
	if lists[terms[0]].Len == 0 {
		return nil, nil
	}
	type place struct {
		chunk uint32
		group int
	}
	var left []place
	for n, t := range terms {
		kept, at := left[:0], 0
		err := g.Walk(lists[t], func(group int, p text.Posting) {
			if n == 0 {
				if g.Hidden == nil || !g.Hidden[group] {
					kept = append(kept, place{p.Chunk, group})
				}
				return
			}
			for at < len(left) && left[at].chunk < p.Chunk {
				at++
			}
			if at < len(left) && left[at].chunk == p.Chunk {
				kept = append(kept, left[at])
				at++
			}
		})
		if err != nil {
			return nil, err
		}
		if left = kept; len(left) == 0 {
			return nil, nil
		}
	}
	for _, p := range left {
		if len(groups) == 0 || groups[len(groups)-1] != p.group {
			groups = append(groups, p.group)
		}
	}
	return groups, nil
}
