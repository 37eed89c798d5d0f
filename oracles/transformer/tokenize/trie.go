package tokenize

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
)

// trie finds the keys that a text begins with. Its nodes are in breadth-first order, so that the
// children of a node lie side by side, ordered by their byte.
type trie struct {
	first []uint32    // of each node, its first child; one more at the end
	label []byte      // of each node, the byte that leads to it
	value []int32     // of each node, the value of the key that ends there; -1 if no key does
	root  [256]uint32 // the children of the root; 0 if there is no such child
}

// newTrie returns a trie of keys with their values. Of equal keys the last one counts. An empty key
// is never found.
func newTrie(keys []string, values []int32) *trie {
	order, nodes := sortKeys(keys)
	type span struct{ from, to, depth int32 } // the keys below a node
	t := &trie{first: make([]uint32, 0, nodes+1), label: make([]byte, 0, nodes), value: make([]int32, 0, nodes)}
	spans := append(make([]span, 0, nodes), span{to: int32(len(order))})
	t.label, t.value = append(t.label, 0), append(t.value, -1)
	for node := 0; node < len(spans); node++ {
		s := spans[node]
		t.first = append(t.first, uint32(len(spans)))
		for s.from < s.to && len(keys[order[s.from]]) == int(s.depth) {
			if s.depth > 0 {
				t.value[node] = values[order[s.from]]
			}
			s.from++
		}
		for s.from < s.to {
			b := keys[order[s.from]][s.depth]
			end := s.from + 1
			for end < s.to && keys[order[end]][s.depth] == b {
				end++
			}
			if node == 0 {
				t.root[b] = uint32(len(spans))
			}
			spans = append(spans, span{s.from, end, s.depth + 1})
			t.label, t.value = append(t.label, b), append(t.value, -1)
			s.from = end
		}
	}
	t.first = append(t.first, uint32(len(spans)))
	return t
}

// sortKeys returns the places of keys in their order, those of equal keys ascending, and the number
// of nodes of their trie.
func sortKeys(keys []string) (order []int32, nodes int) {
	type head struct {
		bytes uint64 // the first eight of the key, which mostly decide
		place int32
	}
	heads := make([]head, len(keys))
	for i, key := range keys {
		var first [8]byte
		copy(first[:], key)
		heads[i] = head{binary.BigEndian.Uint64(first[:]), int32(i)}
	}
	slices.SortFunc(heads, func(a, b head) int {
		if a.bytes != b.bytes {
			return cmp.Compare(a.bytes, b.bytes)
		}
		return cmp.Or(strings.Compare(keys[a.place], keys[b.place]), cmp.Compare(a.place, b.place))
	})
	order, nodes = make([]int32, len(keys)), 1
	last := ""
	for i, h := range heads {
		order[i] = h.place
		key := keys[h.place]
		shared := 0
		for shared < min(len(key), len(last)) && key[shared] == last[shared] {
			shared++
		}
		nodes += len(key) - shared
		last = key
	}
	return order, nodes
}

// child returns the node that a byte leads to, or 0.
func (t *trie) child(node uint32, b byte) uint32 {
	if node == 0 {
		return t.root[b]
	}
	from, to := t.first[node], t.first[node+1]
	for to-from > 8 {
		if middle := (from + to) / 2; t.label[middle] <= b {
			from = middle
		} else {
			to = middle
		}
	}
	for ; from < to; from++ {
		if t.label[from] == b {
			return from
		}
	}
	return 0
}

// walk returns the node that a whole text leads to, or 0.
func (t *trie) walk(text string) uint32 {
	node := uint32(0)
	for i := range len(text) {
		if node = t.child(node, text[i]); node == 0 {
			return 0
		}
	}
	return node
}

// longest returns the value and the length of the longest key that a text begins with, where the
// keys continue the path to node. The length is 0 if there is no such key.
func (t *trie) longest(node uint32, text string) (value int32, length int) {
	for i := range len(text) {
		if node = t.child(node, text[i]); node == 0 {
			break
		}
		if v := t.value[node]; v >= 0 {
			value, length = v, i+1
		}
	}
	return value, length
}
