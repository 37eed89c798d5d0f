package store

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"

	"patina/store/doc"
	"patina/store/text"
)

// Lists reads the posting lists, by segment, then by term.
func (r *Reader) Lists(ctx context.Context, segments []*Segment, terms []string) ([][]PostingList, error) {
	lists := make([][]PostingList, len(segments))
	at := make(map[int64]int, len(segments))
	for i, g := range segments {
		lists[i] = make([]PostingList, len(terms))
		at[g.ID] = i
	}
	if len(segments) == 0 || len(terms) == 0 {
		return lists, nil
	}
	rows, err := r.Query(ctx, `SELECT segment, term, n, list FROM posting WHERE `+segmentCondition(segments, len(terms)), toAny(terms)...)
	if err != nil {
		return nil, Damaged(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id int64
		var term string
		var l PostingList
		if err := rows.Scan(&id, &term, &l.Len, &l.Bytes); err != nil {
			return nil, Damaged(err)
		}
		lists[at[id]][slices.Index(terms, term)] = l
	}
	return lists, Damaged(rows.Err())
}

// A PostingList is a term's encoded list in one segment, with its number of postings. Without the
// term it is empty.
type PostingList struct {
	Len   int
	Bytes []byte
}

func segmentCondition(segs []*Segment, terms int) string {
	ids := make([]string, len(segs))
	for i, g := range segs {
		ids[i] = strconv.FormatInt(g.ID, 10)
	}
	return `segment IN (` + strings.Join(ids, ",") + `) AND term IN (?` + strings.Repeat(",?", terms-1) + `)`
}

func toAny[T any](vs []T) []any {
	as := make([]any, len(vs))
	for i, v := range vs {
		as[i] = v
	}
	return as
}

// Seen counts the list's postings in visible groups.
func (g *Segment) Seen(l PostingList) (int, error) {
	if g.Hidden == nil || l.Len == 0 {
		return l.Len, nil
	}
	n := 0
	err := g.Walk(l, func(group int, _ text.Posting) {
		if !g.Hidden[group] {
			n++
		}
	})
	return n, err
}

// Groups counts the groups that the view sees.
func (g *Segment) Groups() int {
	n := len(g.Keys)
	for _, h := range g.Hidden {
		if h {
			n--
		}
	}
	return n
}

// SeenGroups counts the visible groups with a posting in a list.
func (g *Segment) SeenGroups(l PostingList) (n int, err error) {
	if l.Len == 0 {
		return 0, nil
	}
	err = g.Postings(l, func(ps []text.Posting) {
		group, end := -1, uint32(0)
		for _, p := range ps {
			if p.Chunk < end {
				continue
			}
			for end <= p.Chunk {
				group++
				end = g.Starts[group+1]
			}
			if g.Hidden == nil || !g.Hidden[group] {
				n++
			}
		}
	})
	return n, err
}

// Walk calls f for every posting, in order, with its group.
func (g *Segment) Walk(l PostingList, f func(group int, p text.Posting)) error {
	return g.Postings(l, func(ps []text.Posting) {
		group := 0
		for _, p := range ps {
			for g.Starts[group+1] <= p.Chunk {
				group++
			}
			f(group, p)
		}
	})
}

// Postings calls f with a list's postings, valid only during the call.
func (g *Segment) Postings(l PostingList, f func([]text.Posting)) error {
	buf := postings.Get().(*[]text.Posting)
	defer postings.Put(buf)
	ps, err := text.DecodeList(l.Bytes, l.Len, g.Chunks, (*buf)[:0])
	if err != nil {
		return doc.DamagedBy(err)
	}
	*buf = ps
	f(ps)
	return nil
}

var postings = sync.Pool{New: func() any { return new([]text.Posting) }}

// Frequencies counts the chunks with each term, hidden ones included. Unknown terms are left out.
func (r *Reader) Frequencies(ctx context.Context, segs []*Segment, terms []string) (map[string]int, error) {
	n := make(map[string]int, len(terms))
	for batch := range slices.Chunk(terms, 500) {
		rows, err := r.Query(ctx, `SELECT term, SUM(n) FROM posting WHERE `+segmentCondition(segs, len(batch))+` GROUP BY term`, toAny(batch)...)
		if err != nil {
			return nil, Damaged(err)
		}
		for rows.Next() {
			var t string
			var c int
			if err := rows.Scan(&t, &c); err != nil {
				_ = rows.Close()
				return nil, Damaged(err)
			}
			n[t] = c
		}
		if err := rows.Err(); err != nil {
			return nil, Damaged(err)
		}
	}
	return n, nil
}

// Holding returns the keys of visible groups in a space that hold every term.
func (r *Reader) Holding(ctx context.Context, snap *Snapshot, space string, terms []string) (keys []int64, err error) {
	segments := slices.DeleteFunc(slices.Clone(snap.Segments), func(g *Segment) bool { return g.Space != space })
	lists, err := r.Lists(ctx, segments, terms)
	if err != nil {
		return nil, err
	}
	for i, g := range segments {
		seen := make(map[int64]int)
		for t, l := range lists[i] {
			if l.Len == 0 {
				break
			}
			err := g.Walk(l, func(group int, _ text.Posting) {
				if k := g.Keys[group]; seen[k] == t && (g.Hidden == nil || !g.Hidden[group]) {
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
