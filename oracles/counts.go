package oracles

import (
	"sync"

	"patina/store"
)

const (
	// frequent is the lowest number of postings of a term whose counts are kept, because shorter
	// lists are quickly read.
	frequent = 256
	// maxCounts bounds the counts kept for a generation, to about half a megabyte.
	maxCounts = 4096
)

// counts keeps how many chunks, or files, of a generation hold a frequent term, because questions
// use the same words again and again and each count reads whole lists. It may be used concurrently.
type counts struct {
	mu sync.Mutex
	of map[counted]int
}

type counted struct {
	space string // a kind for its documents, store.Subjects for commits, empty for all chunks
	term  string
}

// chunksWith counts the live chunks with a term, given by its index in the scoring.
func (s *scoring) chunksWith(t int) (int, error) {
	space := ""
	if len(s.segments) > 0 && s.segments[0].Space == store.Subjects {
		space = store.Subjects
	}
	return s.countSegments(t, space, (*store.Segment).Seen)
}

// countSegments returns the sum of f over all segments. f must count the items that space names,
// because the sum is cached under space.
func (s *scoring) countSegments(
	t int, space string, f func(*store.Segment, store.PostingList) (int, error),
) (total int, err error) {
	postings := 0
	for i := range s.segments {
		postings += s.lists[i][t].Len
	}
	key, kept := counted{space, s.terms[t]}, store.MemoOf[counts](&s.snap.Memo)
	if postings >= frequent {
		if n, ok := kept.get(key); ok {
			return n, nil
		}
	}
	for i, g := range s.segments {
		n, err := f(g, s.lists[i][t])
		if err != nil {
			return 0, err
		}
		total += n
	}
	if postings >= frequent {
		kept.keepCount(key, total)
	}
	return total, nil
}

func (c *counts) get(key counted) (n int, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n, ok = c.of[key]
	return n, ok
}

// keepCount keeps a count. At maxCounts it drops all others.
func (c *counts) keepCount(key counted, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of == nil || len(c.of) >= maxCounts {
		c.of = make(map[counted]int)
	}
	c.of[key] = n
}
