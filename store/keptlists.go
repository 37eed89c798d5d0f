package store

import (
	"context"
	"slices"
	"sync"
)

const (
	// leastKeptList is the bytes of a term's lists from which they are kept: shorter ones cost little
	// more than the statement, which other terms need anyway.
	leastKeptList = 1 << 10
	// keptListBytes bounds the lists that a generation keeps. At the bound all are forgotten. Those
	// of the Go standard library have 13 MB, half of it in 300 words.
	keptListBytes = 4 << 20
)

// keptLists are the posting lists of frequent terms that were read in a generation, because
// questions often use the same words.
type keptLists struct {
	mu    sync.Mutex
	bytes int
	lists map[segmentTerm]PostingList
}

type segmentTerm struct {
	segment int64
	term    string
}

// KeptLists is Lists, from memory for frequent terms.
func (r *Reader) KeptLists(
	ctx context.Context, snap *Snapshot, segments []*Segment, terms []string,
) ([][]PostingList, error) {
	kept := MemoOf[keptLists](&snap.Memo)
	lists, unknown := kept.get(segments, terms)
	if len(unknown) == 0 {
		return lists, nil
	}
	read, err := r.Lists(ctx, segments, unknown)
	if err != nil {
		return nil, err
	}
	for i := range segments {
		for u, term := range unknown {
			lists[i][slices.Index(terms, term)] = read[i][u]
		}
	}
	kept.keepLists(segments, unknown, read)
	return lists, nil
}

// get returns the lists, by segment, then by term, and the terms that some segment's are not known
// of.
func (k *keptLists) get(segments []*Segment, terms []string) (lists [][]PostingList, unknown []string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	lists = make([][]PostingList, len(segments))
	for i := range segments {
		lists[i] = make([]PostingList, len(terms))
	}
	for t, term := range terms {
		known := true
		for i := 0; known && i < len(segments); i++ {
			lists[i][t], known = k.lists[segmentTerm{segments[i].ID, term}]
		}
		if !known {
			unknown = append(unknown, term)
		}
	}
	return lists, unknown
}

// hasLists reports whether another question has read a term's lists meanwhile.
func (k *keptLists) hasLists(segments []*Segment, term string) bool {
	return !slices.ContainsFunc(segments, func(g *Segment) bool {
		_, ok := k.lists[segmentTerm{g.ID, term}]
		return !ok
	})
}

func (k *keptLists) keepLists(segments []*Segment, terms []string, read [][]PostingList) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for t, term := range terms {
		size := 0
		for i := range segments {
			size += len(read[i][t].Bytes)
		}
		if size < leastKeptList || size > keptListBytes/4 || k.hasLists(segments, term) {
			continue
		}
		if k.lists == nil || k.bytes+size > keptListBytes {
			k.bytes, k.lists = 0, make(map[segmentTerm]PostingList)
		}
		k.bytes += size
		for i, g := range segments {
			k.lists[segmentTerm{g.ID, term}] = read[i][t]
		}
	}
}
