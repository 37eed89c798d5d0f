package build

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"patina/store"
	"patina/store/doc"
	"patina/store/format"
	"patina/store/text"
)

// flushAll writes everything the workers have inverted, one segment a space.
func (w *segments) flushAll() error {
	spaces := make(map[string][]*inversion)
	for _, k := range append(w.workers, w.history) {
		for space, v := range k.spaces {
			if v.text.Chunks() > 0 {
				spaces[space] = append(spaces[space], v)
			}
		}
	}
	for _, space := range append(spaceNames(), store.Subjects) {
		if len(spaces[space]) == 0 {
			continue
		}
		if err := w.flush(space, spaces[space]); err != nil {
			return err
		}
	}
	for _, k := range append(w.workers, w.history) {
		k.freeMemory()
	}
	if w.fresh && len(w.pending) > 0 {
		runtime.GC() // the model is then fitted in the memory the words had
	}
	return nil
}

func spaceNames() []string {
	var out []string
	for _, k := range doc.Kinds() {
		out = append(out, string(k))
	}
	return out
}

// flush writes one space's inversions as a segment and empties them.
func (w *segments) flush(space string, vs []*inversion) error {
	texts := make([]*text.Inverter, len(vs))
	var groups []format.Group
	chunks := 0
	for i, v := range vs {
		texts[i] = v.text
		groups = append(groups, v.groups...)
		chunks += v.text.Chunks()
	}
	id, err := w.newSegment(space, chunks, groups)
	if err != nil {
		return err
	}
	err = text.Merge(texts, AveragesOf(space), func(term string, n int, list []byte) error {
		return w.exec(`INSERT INTO posting(segment, term, n, list) VALUES(?, ?, ?, ?)`, id, term, n, list)
	})
	if w.o.Embedder != nil && space != store.Subjects {
		w.pending = append(w.pending, newUnembedded(id, space, groups, vs))
	}
	for _, v := range vs {
		v.clearInversion()
	}
	return err
}

// AveragesOf returns the average lengths for a space: rounded means of the five repositories in
// bench/history/updates.md, which differ little. A repository's own averages change with every
// edit, so an updated index would score unlike a fresh one, one working tree unlike another, and
// two projects in one question by different measures.
func AveragesOf(space string) text.Averages {
	switch space {
	case string(doc.Code):
		return text.CodeAverages
	case string(doc.Commit):
		return text.Averages{Names: 7.7, Text: 21}
	case store.Subjects:
		return text.Averages{Text: 7.4}
	}
	return text.Averages{Path: 4, Names: 6, Text: 96}
}

func (w *segments) newSegment(space string, chunks int, groups []format.Group) (int64, error) {
	const statement = `INSERT INTO segment(space, chunks, groups) VALUES(?, ?, ?)`
	if err := w.exec(statement, space, chunks, format.EncodeGroups(groups)); err != nil {
		return 0, err
	}
	var id int64
	return id, w.conn.QueryRowContext(context.Background(), `SELECT last_insert_rowid()`).Scan(&id)
}

// mergeAt is how many segments with like sizes become one. Every change writes a small segment, and
// a question reads its terms in each. Eight a size keeps both short.
const mergeAt = 8

// tierOf is a segment's size class. Each class is mergeAt times the one below.
func tierOf(chunks uint32) int {
	t := 0
	for n := uint32(64); n < chunks; n *= mergeAt {
		t++
	}
	return t
}

// compact removes segments that no view sees, and merges like-sized ones.
func (w *segments) compact() error {
	for {
		segments, err := store.LoadSegments(context.Background(), w.conn, w.seenByAny())
		if err != nil {
			return err
		}
		like := make(map[string][]*store.Segment)
		for _, g := range segments {
			if g.Live == 0 && g.Chunks > 0 {
				if err := w.drop(g); err != nil {
					return err
				}
				continue
			}
			if g.Chunks < segmentChunks {
				c := fmt.Sprint(g.Space, tierOf(g.Chunks))
				like[c] = append(like[c], g)
			}
		}
		merged := false
		for _, gs := range like {
			if len(gs) >= mergeAt {
				merged = true
				if err := w.merge(gs); err != nil {
					return err
				}
			}
		}
		if !merged {
			return nil
		}
	}
}

func (w *segments) drop(g *store.Segment) error {
	if err := w.exec(`DELETE FROM posting WHERE segment = ?`, g.ID); err != nil {
		return err
	}
	return w.exec(`DELETE FROM segment WHERE id = ?`, g.ID)
}

// merge writes several segments' visible groups as one segment and removes the old ones. It keeps
// impacts, because averages are the same for all.
func (w *segments) merge(gs []*store.Segment) error {
	var groups []format.Group
	// renumber has, by segment, the new number for each group's first chunk, or -1.
	renumber := make(map[int64][]int, len(gs))
	segs := make(map[int64]*store.Segment, len(gs))
	chunks := 0
	for _, g := range gs {
		segs[g.ID] = g
		first := make([]int, len(g.Keys))
		for i, key := range g.Keys {
			if g.Hidden != nil && g.Hidden[i] {
				first[i] = -1
				continue
			}
			n := int(g.Starts[i+1] - g.Starts[i])
			first[i] = chunks
			chunks += n
			groups = append(groups, format.Group{Key: key, Chunks: n})
		}
		renumber[g.ID] = first
	}
	terms, err := w.mergedTerms(gs, segs, renumber)
	if err != nil {
		return err
	}
	for _, g := range gs {
		if err := w.drop(g); err != nil {
			return err
		}
	}
	id, err := w.newSegment(gs[0].Space, chunks, groups)
	if err != nil {
		return err
	}
	for _, t := range terms {
		list := text.EncodeList(t.postings, nil)
		const statement = `INSERT INTO posting(segment, term, n, list) VALUES(?, ?, ?, ?)`
		if err := w.exec(statement, id, t.term, len(t.postings), list); err != nil {
			return err
		}
	}
	return w.mergeVectors(gs, id)
}

type mergedTerm struct {
	term     string
	postings []text.Posting
}

func (w *transaction) mergedTerms(gs []*store.Segment, segs map[int64]*store.Segment, renumber map[int64][]int) ([]mergedTerm, error) {
	ids := make([]string, len(gs))
	for i, g := range gs {
		ids[i] = fmt.Sprint(g.ID)
	}
	rows, err := w.conn.QueryContext(context.Background(), `SELECT term, segment, n, list FROM posting WHERE segment IN (`+strings.Join(ids, ",")+`) ORDER BY term, segment`)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var out []mergedTerm
	for rows.Next() {
		var term string
		var id int64
		var l store.PostingList
		if err := rows.Scan(&term, &id, &l.Len, &l.Bytes); err != nil {
			return nil, err
		}
		if n := len(out); n == 0 || out[n-1].term != term {
			out = append(out, mergedTerm{term: term})
		}
		t := &out[len(out)-1]
		g := segs[id]
		err := g.Walk(l, func(group int, p text.Posting) {
			if first := renumber[id][group]; first >= 0 {
				p.Chunk = p.Chunk - g.Starts[group] + uint32(first)
				t.postings = append(t.postings, p)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	out = slices.DeleteFunc(out, func(t mergedTerm) bool { return len(t.postings) == 0 })
	return out, rows.Err()
}
