package oracles

import (
	"slices"

	"patina/store/doc"
	"patina/store/text"
)

// A holder is a document with chunks that hold all words of a literal.
type holder struct {
	key    int64
	chunks []int // ordinals in the document; nil means anywhere
}

// holding returns the documents with a chunk that holds all runs, as far as the terms of the
// question show it. sure means that no other document, and no commit, can hold them in a row.
func (s *literals) holding(runs []string) (found []holder, sure bool, err error) {
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
	seen := map[int64]bool{}
	for i, g := range s.scoring.segments {
		in, err := s.intersect(i, terms)
		if err != nil {
			return nil, false, err
		}
		kind := doc.Kind(g.Space)
		if len(in) > 0 && kind.Traits().Shape == doc.OfRows {
			sure = false
			continue
		}
		for _, h := range in {
			if doc.Wants(s.filter, kind) && (s.allow == nil || s.allow.Has(h.key)) && !seen[h.key] {
				seen[h.key] = true
				found = append(found, h)
			}
		}
	}
	return found, sure && len(found) <= maxTexts, nil
}

// intersect returns a segment's visible groups that have a chunk with all terms, and these chunks.
// terms must not be empty.
func (s *literals) intersect(segment int, terms []int) (found []holder, err error) {
	g, lists := s.scoring.segments[segment], s.scoring.lists[segment]
	terms = slices.Clone(terms)
	slices.SortFunc(terms, func(a, b int) int { return lists[a].Len - lists[b].Len })
	if lists[terms[0]].Len == 0 {
		return nil, nil
	}
	var left []uint32 // chunks that may hold all
	err = g.Postings(lists[terms[0]], func(ps []text.Posting) {
		left = make([]uint32, len(ps))
		for i, p := range ps {
			left[i] = p.Chunk
		}
	})
	if err != nil {
		return nil, err
	}
	for _, t := range terms[1:] {
		if left, err = text.Keep(lists[t].Bytes, lists[t].Len, left); err != nil {
			return nil, doc.DamagedBy(err)
		}
		if len(left) == 0 {
			return nil, nil
		}
	}
	group, last := 0, -1
	for _, c := range left {
		for g.Starts[group+1] <= c {
			group++
		}
		if g.Hidden != nil && g.Hidden[group] {
			continue
		}
		if group != last {
			found = append(found, holder{key: g.Keys[group]})
			last = group
		}
		h := &found[len(found)-1]
		h.chunks = append(h.chunks, int(c-g.Starts[group]))
	}
	return found, nil
}
