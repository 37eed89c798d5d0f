package knowledge

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"

	"patina/belief"
	"patina/store"
	"patina/store/doc"
)

// An About is a belief about a place in code. Score, from 0 to 1, says how surely.
type About struct {
	ID    string
	Score float64
}

const (
	leastAbout = 0.35 // beliefs with lower scores are not useful to a reader
	maxCommits = 500  // number of cited commits that are read
)

// AboutCode returns the active beliefs whose texts name a file, a symbol in it, or a commit that
// touched it, best first. It does not use words and checks, which take longer (ReachFinder).
func AboutCode(ctx context.Context, r *store.Reader, snap *store.Snapshot, path, symbol string) ([]About, error) {
	if r.Generation().Beliefs == 0 {
		return nil, nil
	}
	active, err := Active(ctx, r, snap)
	if err != nil || len(active) == 0 {
		return nil, err
	}
	best := map[string]float64{}
	note := func(key int64, score float64) {
		if h, ok := active[key]; ok && score >= leastAbout && h.Path != path {
			best[h.ID] = max(best[h.ID], score)
		}
	}
	ways := []func(context.Context, *store.Reader, *store.Snapshot, string, func(int64, float64)) error{
		byPath,
		byCommit,
	}
	for _, way := range ways {
		if err := way(ctx, r, snap, path, note); err != nil {
			return nil, store.Damaged(err)
		}
	}
	if err := bySymbol(ctx, r, symbol, note); err != nil {
		return nil, store.Damaged(err)
	}
	return sortedAbout(best), nil
}

// eachCiting calls f for each file that cites a target.
func eachCiting(ctx context.Context, r *store.Reader, target string, f func(key int64)) error {
	return r.EachRow(ctx, `SELECT file FROM citation WHERE target = ?`, []any{target},
		func(scan func(...any) error) error {
			var key int64
			err := scan(&key)
			f(key)
			return err
		})
}

// byPath notes the files that cite a path, or an end of it that few paths have.
func byPath(ctx context.Context, r *store.Reader, snap *store.Snapshot, path string, note func(int64, float64)) error {
	if err := eachCiting(ctx, r, path, func(key int64) { note(key, citedPath) }); err != nil {
		return err
	}
	for end := path; ; {
		_, rest, ok := strings.Cut(end, "/")
		if !ok {
			return nil
		}
		end = rest
		var by []int64
		if err := eachCiting(ctx, r, end, func(key int64) { by = append(by, key) }); err != nil || len(by) == 0 {
			if err != nil {
				return err
			}
			continue
		}
		n, err := countEndings(ctx, r, snap, end)
		if err != nil {
			return err
		}
		for _, key := range by {
			if n <= maxMeanings {
				note(key, likelyPath/float64(max(1, n)))
			}
		}
	}
}

// countEndings counts the files whose path is end, or ends with it.
func countEndings(ctx context.Context, r *store.Reader, snap *store.Snapshot, end string) (n int, err error) {
	files, err := r.Files(ctx, snap)
	for _, f := range files {
		if f.Path == end || strings.HasSuffix(f.Path, "/"+end) {
			n++
		}
	}
	return n, err
}

// bySymbol notes the files that cite a name that few files define.
func bySymbol(ctx context.Context, r *store.Reader, symbol string, note func(int64, float64)) error {
	name := doc.BareName(symbol)
	name = name[strings.LastIndexByte(name, '.')+1:]
	if name == "" {
		return nil
	}
	var by []int64
	err := eachCiting(ctx, r, belief.SymbolMark+name, func(key int64) { by = append(by, key) })
	if err != nil || len(by) == 0 {
		return err
	}
	n := 0
	const query = `SELECT count(*) FROM (SELECT DISTINCT file FROM symbol WHERE name = ? LIMIT ?)`
	if err := r.QueryRow(ctx, query, name, maxMeanings+1).Scan(&n); err != nil || n > maxMeanings {
		return err
	}
	for _, key := range by {
		note(key, citedSymbol/float64(max(1, n)))
	}
	return nil
}

// AboutNames returns the active beliefs that cite a name for which has returns true, if few files
// define it, best first.
func AboutNames(ctx context.Context, r *store.Reader, snap *store.Snapshot, has func(name string) bool) ([]About, error) {
	active, err := Active(ctx, r, snap)
	if err != nil || len(active) == 0 {
		return nil, err
	}
	names := map[string]bool{}
	const query = `SELECT DISTINCT target FROM citation WHERE target >= '::' AND target < ':;'`
	err = r.EachRow(ctx, query, nil, func(scan func(...any) error) error {
		var target string
		err := scan(&target)
		if name := belief.LastName(strings.TrimPrefix(target, belief.SymbolMark)); has(name) {
			names[name] = true
		}
		return err
	})
	if err != nil {
		return nil, store.Damaged(err)
	}
	best := map[string]float64{}
	for name := range names {
		err := bySymbol(ctx, r, name, func(key int64, score float64) {
			if h, ok := active[key]; ok && score >= leastAbout {
				best[h.ID] = max(best[h.ID], score)
			}
		})
		if err != nil {
			return nil, store.Damaged(err)
		}
	}
	return sortedAbout(best), nil
}

// sortedAbout lists beliefs by score, then by id.
func sortedAbout(best map[string]float64) []About {
	var out []About
	for id, score := range best {
		out = append(out, About{id, score})
	}
	slices.SortFunc(out, func(a, b About) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID)) })
	return out
}

// touched holds the files of cited commits. It is filled once.
type touched struct {
	mu   sync.Mutex
	read bool
	by   map[string][]scored // by path
}

// scored is a file that cites a commit, with its score for each file of the commit.
type scored struct {
	key   int64
	score float64
}

func byCommit(ctx context.Context, r *store.Reader, snap *store.Snapshot, path string,
	note func(int64, float64),
) error {
	t := store.MemoOf[touched](&snap.Memo)
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.read {
		by, err := readTouched(ctx, r, snap)
		if err != nil {
			return err
		}
		t.by, t.read = by, true
	}
	for _, x := range t.by[path] {
		note(x.key, x.score)
	}
	return nil
}

func readTouched(ctx context.Context, r *store.Reader, snap *store.Snapshot) (map[string][]scored, error) {
	cited := map[string][]int64{}
	const query = `SELECT target, file FROM citation WHERE target >= 'commit-' AND target < 'commit.' LIMIT ?`
	err := r.EachRow(ctx, query, []any{maxCommits}, func(scan func(...any) error) error {
		var target string
		var key int64
		err := scan(&target, &key)
		cited[target] = append(cited[target], key)
		return err
	})
	if err != nil {
		return nil, err
	}
	by := map[string][]scored{}
	for target, keys := range cited {
		sha := strings.TrimPrefix(target, belief.CommitMark)
		if len(sha) < shortestHash || strings.Trim(sha, "0123456789abcdef") != "" {
			continue
		}
		v, err := r.Revision(ctx, snap, sha)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return nil, err
		}
		named, err := r.PathsOf(ctx, v.Files)
		if err != nil || len(named) == 0 || len(named) > maxTouched {
			if err != nil {
				return nil, err
			}
			continue
		}
		score := citedCommit / math.Sqrt(float64(len(named)))
		for p := range named {
			for _, key := range keys {
				by[p] = append(by[p], scored{key, score})
			}
		}
	}
	return by, nil
}
