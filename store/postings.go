package store

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"

	"patina/store/text"
)

// lists reads the posting lists of terms in segments: by segment, by term.
func (r *Reader) lists(ctx context.Context, segments []*segment, terms []string) ([][]list, error) {
	lists := make([][]list, len(segments))
	at := make(map[int64]int, len(segments))
	for i, g := range segments {
		lists[i] = make([]list, len(terms))
		at[g.id] = i
	}
	if len(segments) == 0 || len(terms) == 0 {
		return lists, nil
	}
	rows, err := r.query(ctx, `SELECT segment, term, n, list FROM posting WHERE `+among(segments, len(terms)), args(terms)...)
	if err != nil {
		return nil, damaged(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id int64
		var term string
		var l list
		if err := rows.Scan(&id, &term, &l.n, &l.bytes); err != nil {
			return nil, damaged(err)
		}
		lists[at[id]][slices.Index(terms, term)] = l
	}
	return lists, damaged(rows.Err())
}

type list struct {
	n     int
	bytes []byte
}

func among(segs []*segment, terms int) string {
	ids := make([]string, len(segs))
	for i, g := range segs {
		ids[i] = strconv.FormatInt(g.id, 10)
	}
	return `segment IN (` + strings.Join(ids, ",") + `) AND term IN (?` + strings.Repeat(",?", terms-1) + `)`
}

func args[T any](vs []T) []any {
	as := make([]any, len(vs))
	for i, v := range vs {
		as[i] = v
	}
	return as
}

// seen counts the postings of a list that lie in groups which the view sees.
func (g *segment) seen(l list) (int, error) {
	if g.hidden == nil || l.n == 0 {
		return l.n, nil
	}
	n := 0
	err := g.walk(l, func(group int, _ text.Posting) {
		if !g.hidden[group] {
			n++
		}
	})
	return n, err
}

// walk calls f for every posting of a list, in order, with the group it belongs to.
func (g *segment) walk(l list, f func(group int, p text.Posting)) error {
	buf := postings.Get().(*[]text.Posting)
	defer postings.Put(buf)
	ps, err := text.DecodeList(l.bytes, l.n, g.chunks, (*buf)[:0])
	if err != nil {
		return damagedList(err)
	}
	*buf = ps
	group := 0
	for _, p := range ps {
		for g.starts[group+1] <= p.Chunk {
			group++
		}
		f(group, p)
	}
	return nil
}

var postings = sync.Pool{New: func() any { return new([]text.Posting) }}

func damagedList(err error) error { return joined{ErrDamaged, err} }

// frequencies counts the chunks that hold each term, hidden ones included. A term that occurs nowhere is left out.
func (r *Reader) frequencies(ctx context.Context, segs []*segment, terms []string) (map[string]int, error) {
	n := make(map[string]int, len(terms))
	for batch := range slices.Chunk(terms, 500) {
		rows, err := r.query(ctx, `SELECT term, SUM(n) FROM posting WHERE `+among(segs, len(batch))+` GROUP BY term`, args(batch)...)
		if err != nil {
			return nil, damaged(err)
		}
		for rows.Next() {
			var t string
			var c int
			if err := rows.Scan(&t, &c); err != nil {
				_ = rows.Close()
				return nil, damaged(err)
			}
			n[t] = c
		}
		if err := rows.Err(); err != nil {
			return nil, damaged(err)
		}
	}
	return n, nil
}

// holding lists the groups of a space that hold every one of some terms and that the view sees, by key.
func (r *Reader) holding(ctx context.Context, snap *snapshot, space string, terms []string) (keys []int64, err error) {
	segments := slices.DeleteFunc(slices.Clone(snap.segments), func(g *segment) bool { return g.space != space })
	lists, err := r.lists(ctx, segments, terms)
	if err != nil {
		return nil, err
	}
	for i, g := range segments {
		seen := make(map[int64]int)
		for t, l := range lists[i] {
			if l.n == 0 {
				break
			}
			err := g.walk(l, func(group int, _ text.Posting) {
				if k := g.keys[group]; seen[k] == t && (g.hidden == nil || !g.hidden[group]) {
					seen[k] = t + 1
				}
			})
			if err != nil {
				return nil, err
			}
		}
		for k, n := range seen {
			if n == len(terms) {
				keys = append(keys, k)
			}
		}
	}
	return keys, nil
}
