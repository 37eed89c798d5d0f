package oracles

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"patina/store"
	"patina/store/lookup"
	"patina/store/text"
)

// Constants for the vote (docs/ranking.md, "History"): the 50 best among the newest 6,000 commits
// with 1 to 20 files in the index.
const (
	voters = 50
	newest = 6000
)

// Votes ranks files by similar commits. Each of the best commits, by BM25 over subjects, votes for
// the files it touched with score/√files. Merges have no files and do not vote.
func Votes(
	ctx context.Context, r *store.Reader, q text.Question, f store.Filter, limit int,
) ([]store.Ranked, error) {
	s, err := prepare(ctx, r, q, true)
	if err != nil {
		return nil, err
	}
	oldest := s.oldestVoter()
	var found []scored
	err = s.groups(allSpaces, func(_ *store.Segment, key int64, scores []float32) {
		if key >= oldest {
			found = append(found, scored{key: key, score: float64(scores[0])})
		}
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(found, func(x, y scored) int {
		return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(y.key, x.key))
	})
	votes, err := count(ctx, r, s.snap, found)
	if err != nil {
		return nil, store.Damaged(err)
	}
	allow, err := r.Allowed(ctx, s.snap, f)
	if err != nil {
		return nil, err
	}
	out := make([]store.Ranked, 0, len(votes))
	for file, v := range votes {
		if allow == nil || allow.Has(file.Key) {
			out = append(out, store.Ranked{DocID: file.Path, Path: file.Path, Raw: v})
		}
	}
	slices.SortFunc(out, func(a, b store.Ranked) int {
		return cmp.Or(cmp.Compare(b.Raw, a.Raw), strings.Compare(a.Path, b.Path))
	})
	return out[:min(len(out), limit)], nil
}

// oldestVoter returns the key of the oldest commit with a vote: keys rise with time.
func (s *scoring) oldestVoter() int64 {
	var keys []int64
	for _, g := range s.segments {
		for i, k := range g.Keys {
			if g.Hidden == nil || !g.Hidden[i] {
				keys = append(keys, k)
			}
		}
	}
	if len(keys) <= newest {
		return 0
	}
	slices.Sort(keys)
	return keys[len(keys)-newest]
}

// count counts votes from the best commits with 1 to maxVoteFiles files in the index.
func count(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, found []scored,
) (map[lookup.HeldFile]float64, error) {
	votes := make(map[lookup.HeldFile]float64)
	left := voters
	for batch := range slices.Chunk(found, voters) {
		keys := make([]int64, len(batch))
		for i, c := range batch {
			keys[i] = c.key
		}
		touched, err := lookup.Touched(ctx, r, snap, keys)
		if err != nil {
			return nil, err
		}
		for _, c := range batch {
			files := touched[c.key]
			if left == 0 || len(files) == 0 || len(files) > store.MaxVoteFiles {
				continue
			}
			left--
			for _, f := range files {
				votes[f] += c.score / math.Sqrt(float64(len(files)))
			}
		}
		if left == 0 {
			break
		}
	}
	return votes, nil
}
