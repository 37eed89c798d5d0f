package memory

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"slices"
	"sync"
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
	Model   doc.Embedder // nil: search by words only; recall.SpecificationWords never uses it
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
// relevance are left out. Of two that may contradict each other, the newer comes first.
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
	words, err := s.lexical(ctx, recall.Question(q.Text), q.Scoring, max(byWords, q.Filter.Limit), allowed)
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
	return s.best(ctx, q, list)
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

// A matched is a memory with words of the question.
type matched struct {
	key          int64
	score, share float64
}

// sums holds the scores of all memories by key. It is reused between questions.
type sums struct {
	score, share []float32
	dirty        []int64
}

var sumsPool = sync.Pool{New: func() any { return new(sums) }}

func (a *sums) clearSums(n int64) {
	for _, k := range a.dirty {
		a.score[k], a.share[k] = 0, 0
	}
	a.dirty = a.dirty[:0]
	if missing := n - int64(len(a.score)); missing > 0 {
		a.score, a.share = append(a.score, make([]float32, missing)...), append(a.share, make([]float32, missing)...)
	}
}

func (a *sums) addScore(key int64, score, share float32) {
	if a.share[key] == 0 {
		a.dirty = append(a.dirty, key)
	}
	a.score[key] += score
	a.share[key] += share
}

// lexical returns the best memories by words, at most limit.
func (s *Store) lexical(ctx context.Context, words []string, scoring recall.Scoring, limit int,
	allowed func(int64) bool,
) ([]matched, error) {
	var all, total int
	var upto int64
	if err := s.db.QueryRowContext(ctx, `SELECT memories, words, upto
		FROM corpus`).Scan(&all, &total, &upto); err != nil || all == 0 {
		return nil, err
	}
	a := sumsPool.Get().(*sums)
	defer sumsPool.Put(a)
	a.clearSums(upto + 1)
	average, mass := float64(total)/float64(all), 0.0
	for _, w := range words {
		blocks, n, err := s.postings(ctx, w)
		if err != nil {
			return nil, err
		}
		share := recall.Rarity(n, all)
		mass += share
		value := valuesOf(scoring, n, all, average)
		for _, b := range blocks {
			for i := 0; i+entrySize <= len(b.list); i += entrySize {
				key := b.first + int64(binary.LittleEndian.Uint16(b.list[i:]))
				if key <= upto {
					a.addScore(key, value(b.list[i+2], b.list[i+3]), float32(share))
				}
			}
		}
	}
	best := newTop(limit)
	for _, k := range a.dirty {
		if best.fits(a.score[k]) && allowed(k) {
			best.addKey(k, a.score[k])
		}
	}
	var out []matched
	for _, k := range best.keys() {
		out = append(out, matched{k, float64(a.score[k]), float64(a.share[k]) / mass})
	}
	return out, nil
}

var marked = []struct {
	mark  byte
	field recall.Field
}{{inTags, recall.Tags}, {inPath, recall.Path}, {inSymbol, recall.Symbol}}

// valuesOf returns the function that scores an entry, for a word in n of all memories.
func valuesOf(scoring recall.Scoring, n, all int, average float64) func(marks, length byte) float32 {
	idf := recall.IDF(n, all)
	if scoring.Published() {
		idf = recall.PlainIDF(n, all)
	}
	var known [1 << 15]float32 // computed once for each pair
	return func(marks, length byte) float32 {
		i := int(marks&0x7f)<<8 | int(length)
		if known[i] == 0 {
			tf := recall.Weigh(recall.Own, float64(marks&timesIn), float64(recall.LengthOf(length)), average)
			if !scoring.Published() {
				for _, x := range marked {
					if marks&x.mark != 0 {
						tf += recall.Weigh(x.field, 1, 0, 0)
					}
				}
			}
			known[i] = float32(idf * recall.Saturated(tf))
		}
		return known[i]
	}
}

// A block is a part of a word's list, or of the sketches, for adjacent keys.
type block struct {
	first int64 // key
	list  []byte
}

// postings returns a word's list, and the number of memories with the word in their texts. If that
// is 0, it is the number with the word in another field.
func (s *Store) postings(ctx context.Context, word string) (out []block, n int, err error) {
	out, err = blocksOf(ctx, s.db, `SELECT (posting.key & 0xffffff) << 10, list FROM word JOIN posting
		ON posting.key BETWEEN word.key << 24 AND (word.key + 1 << 24) - 1 WHERE word = ?`, word)
	all := 0
	for _, b := range out {
		for i := 2; i < len(b.list); i += entrySize {
			n += min(1, int(b.list[i]&timesIn))
		}
		all += len(b.list) / entrySize
	}
	if n == 0 {
		n = all
	}
	return out, n, err
}

// addNear adds the memories that are near by meaning, and the cosines of all candidates.
func (s *Store) addNear(ctx context.Context, q Query, list []candidate, at map[int64]int,
	allowed func(int64) bool,
) ([]candidate, error) {
	question := make([]int8, q.Model.Dimension())
	vector.Quantise(question, q.Model.Question([]doc.QuestionPart{{Text: q.Text, Weight: 1}}))
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
	more, err := s.cosines(ctx, question, others)
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

// best scores the candidates and reads the best ones.
func (s *Store) best(ctx context.Context, q Query, candidates []candidate) ([]Found, error) {
	plain := make([]recall.Candidate, len(candidates))
	for i, c := range candidates {
		plain[i] = c.Candidate
	}
	score := recall.ScaleOf(plain).Score
	if q.Scoring.Published() {
		score = q.Scoring.SpecifiedScore(plain)
	}
	for i, c := range plain {
		candidates[i].score = score(c)
		if !q.Scoring.Published() && candidates[i].relevance() < recall.Floor {
			candidates[i].score = 0
		}
	}
	candidates = slices.DeleteFunc(candidates, func(c candidate) bool { return c.score <= 0 })
	slices.SortFunc(candidates,
		func(a, b candidate) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.key, a.key)) })
	candidates = candidates[:min(len(candidates), cmp.Or(q.Filter.Limit, 10))]
	out, keys := make([]Found, 0, len(candidates)), make([]int64, 0, len(candidates))
	for _, c := range candidates {
		m, err := listMemories(ctx, s.db, ` WHERE key = ?`, c.key)
		if err != nil {
			return nil, err
		}
		if len(m) == 1 { // another process may have removed it
			out = append(out, Found{Memory: m[0], Score: c.score, Relevance: c.relevance()})
			keys = append(keys, c.key)
		}
	}
	preferNewer(out, keys)
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

func catchUp(ctx context.Context, path string, model doc.Embedder) error {
	s, err := Open(ctx, path)
	if err != nil {
		return err
	}
	return errors.Join(s.Embed(ctx, model), s.Close())
}
