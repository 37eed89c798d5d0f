package memory

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	"patina/memory/recall"
	"patina/store/doc"
	"patina/store/sqlite"
	"patina/store/vector"
)

// A Query is a search for memories.
type Query struct {
	Text    string
	Filter  Filter // Limit is the number of results; 0 means 10
	Scoring recall.Scoring
	Defined []recall.Definition // abbreviations beside the common ones and those in the memories
	Model   doc.BatchEmbedder   // nil: search by words only; recall.SpecificationWords never uses it
}

// A Found memory answers a question.
type Found struct {
	Memory
	Score     float64 `json:"score"`
	Relevance float64 `json:"relevance"` // how well it covers the question, 0 to 1
}

// The numbers of memories that are selected by words and by meaning, and then scored exactly.
const (
	byWords   = 64
	byMeaning = 48
)

// Recall returns the memories that answer a question, best first. Memories below the floor of
// relevance (recall.Leads, recall.Follows) are left out. Of two that may contradict each other, the
// newer comes first.
func (s *Store) Recall(ctx context.Context, q Query) ([]Found, error) {
	found, err := s.recall(ctx, q)
	return found, sqlite.Explain(err)
}

func (s *Store) recall(ctx context.Context, q Query) ([]Found, error) {
	if q.Scoring == recall.SpecificationWords {
		q.Model = nil
	}
	allowed, err := s.allowed(ctx, q.Filter)
	if err != nil {
		return nil, err
	}
	terms, err := s.termsOf(ctx, q)
	if err != nil {
		return nil, err
	}
	words, length, err := s.lexical(ctx, terms, q.Scoring, max(byWords, q.Filter.Limit), allowed)
	if err != nil {
		return nil, err
	}
	list := make([]candidate, 0, byWords+byMeaning)
	at := map[int64]int{}
	for i, w := range words {
		at[w.key] = len(list)
		c := candidate{key: w.key, share: w.share}
		c.Words, c.BM25, c.WordRank = w.score, w.score, i+1
		list = append(list, c)
	}
	if q.Model != nil {
		if list, err = s.addNear(ctx, q, list, at, allowed); err != nil {
			return nil, err
		}
	}
	if err := s.weighCandidates(ctx, list, at, cmp.Or(q.Filter.AsOf, s.now())); err != nil {
		return nil, err
	}
	return s.best(ctx, q, list, length)
}

// A candidate is a memory on the shortlist.
type candidate struct {
	recall.Candidate
	key   int64
	share float64
	score float64
}

func (c candidate) relevance() float64 { return recall.Relevance(c.share, c.Cosine) }

// allowed returns a function that reports whether the memory with a key passes a filter.
func (s *Store) allowed(ctx context.Context, f Filter) (func(int64) bool, error) {
	plain := len(f.Types) == 0 && len(f.Tags) == 0 && f.Path == "" && !f.Pinned && !f.Grounded && !f.All &&
		f.AsOf.IsZero()
	query, args := `SELECT key FROM memory WHERE valid_to IS NOT NULL`, []any(nil)
	if !plain {
		var where string
		where, args = f.condition()
		query = `SELECT key FROM memory` + where
	}
	keys, err := readIntegers(ctx, s.db, query, args...)
	if err != nil {
		return nil, err
	}
	if len(keys) == 0 {
		return func(int64) bool { return plain }, nil
	}
	listed := make([]uint64, slices.Max(keys)/64+1)
	for _, k := range keys {
		listed[k/64] |= 1 << (k % 64)
	}
	return func(k int64) bool {
		in := k/64 < int64(len(listed)) && listed[k/64]&(1<<(k%64)) != 0
		return in != plain
	}, nil
}

// addNear adds the memories that are near by meaning, and the cosines of all candidates.
func (s *Store) addNear(ctx context.Context, q Query, list []candidate, at map[int64]int,
	allowed func(int64) bool,
) ([]candidate, error) {
	question := make([]int8, q.Model.Dimension())
	asked, err := q.Model.EmbedQuestion(ctx, []doc.QuestionPart{{Text: q.Text, Weight: 1}})
	if err != nil {
		return nil, modelError(ctx, err)
	}
	vector.Quantise(question, asked)
	found, err := s.nearestMemories(ctx, q.Model, question, byMeaning, allowed)
	if err != nil || len(found) == 0 {
		return list, err
	}
	var others []int64
	for _, c := range list {
		if !slices.ContainsFunc(found, func(x near) bool { return x.key == c.key }) {
			others = append(others, c.key)
		}
	}
	more, err := s.cosines(ctx, q.Model, question, others)
	if err != nil {
		return nil, err
	}
	for rank, x := range append(found, more...) {
		i, ok := at[x.key]
		if !ok {
			i = len(list)
			at[x.key] = i
			list = append(list, candidate{key: x.key})
		}
		list[i].Cosine = x.cosine
		if rank < len(found) {
			list[i].VectorRank = rank + 1
		}
	}
	return list, nil
}

// weighCandidates adds the confidence, the pin and the age of each memory. The age is in whole
// hours, so that a repeated question has the same answer.
func (s *Store) weighCandidates(ctx context.Context, list []candidate, at map[int64]int, now time.Time) error {
	keys := make([]int64, len(list))
	for i, c := range list {
		keys[i] = c.key
	}
	slices.Sort(keys)
	rows, err := s.db.QueryContext(ctx, `SELECT memory.key, confidence, pinned, created_at
		FROM json_each(?) AS listed CROSS JOIN memory ON memory.key = listed.value`, jsonOf(keys))
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var key, created int64
		var confidence float64
		var pinned bool
		if err := rows.Scan(&key, &confidence, &pinned, &created); err != nil {
			return err
		}
		c := &list[at[key]]
		c.Confidence, c.Pinned, c.Age = confidence, pinned, now.Sub(time.Unix(created, 0)).Truncate(time.Hour)
	}
	return rows.Err()
}

// best scores the candidates of a question of some length (recall.LengthOfMass), and reads the best
// ones.
func (s *Store) best(ctx context.Context, q Query, candidates []candidate, length float64) ([]Found, error) {
	plain := make([]recall.Candidate, len(candidates))
	for i, c := range candidates {
		plain[i] = c.Candidate
	}
	score := recall.ScaleOf(plain).Score
	if q.Scoring.Published() {
		score = q.Scoring.SpecifiedScore(plain)
	}
	answered := slices.ContainsFunc(candidates, func(c candidate) bool { return recall.Leads(recall.Floor, c.share, c.Cosine, length) })
	for i, c := range candidates {
		if q.Scoring.Published() || answered && recall.Follows(recall.Floor, c.share, c.Cosine, length) {
			candidates[i].score = score(plain[i])
		}
	}
	candidates = slices.DeleteFunc(candidates, func(c candidate) bool { return c.score <= 0 })
	slices.SortFunc(candidates,
		func(a, b candidate) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.key, a.key)) })
	candidates = candidates[:min(len(candidates), cmp.Or(q.Filter.Limit, 10))]
	out, keys := make([]Found, 0, len(candidates)), make([]int64, 0, len(candidates))
	shares := make([]float64, 0, len(candidates))
	for _, c := range candidates {
		m, err := listMemories(ctx, s.db, ` WHERE key = ?`, c.key)
		if err != nil {
			return nil, err
		}
		if len(m) == 1 { // another process may have removed it
			out = append(out, Found{Memory: m[0], Score: c.score, Relevance: c.relevance()})
			keys, shares = append(keys, c.key), append(shares, c.share)
		}
	}
	preferNewer(out, keys, shares)
	return out, nil
}

// Ask recalls from the store at a path, which may be read-only. Missing vectors are made first if
// the store can be written. A missing store has no results.
func Ask(ctx context.Context, path string, q Query) (found []Found, err error) {
	ask := func() (behind bool, err error) {
		err = Look(ctx, path, func(s *Store) error {
			found, err = s.Recall(ctx, q)
			if err != nil || q.Model == nil || q.Scoring == recall.SpecificationWords {
				return err
			}
			done, err := s.embedded(ctx, q.Model)
			behind = !done
			return err
		})
		return behind, err
	}
	behind, err := ask()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && behind && catchUp(ctx, path, q.Model) == nil {
		_, err = ask()
	}
	return found, err
}

func catchUp(ctx context.Context, path string, model doc.BatchEmbedder) error {
	s, err := Open(ctx, path)
	if err != nil {
		return err
	}
	return errors.Join(s.Embed(ctx, model), s.Close())
}
