package text

import (
	"encoding/binary"
	"math"
	"strings"
)

// Bounds on an Inverter's caches. They are reached only by texts in which every word differs: Go's
// sources, 104 MB, have 330,000 different runs.
const (
	maxCachedRuns = 1 << 18 // at most some 50 MB, with everything they point to
	maxKeptTerms  = 1 << 18 // over a Reset
)

// An Inverter collects the postings of chunks in memory. It must be used by one goroutine at a
// time; Merge joins several. It keeps no reference to the texts.
type Inverter struct {
	ids      map[string]uint32 // by term
	terms    []string
	lists    []postings         // by term
	counts   [][NumFields]uint8 // by term: occurrences in the current chunk
	touched  []uint32           // terms with counts
	cache    map[string]uint32  // run → place in pool: a count, then term ids
	pool     []uint32
	lengths  [][NumFields]uint16 // by chunk
	runCache *runCache           // looked at before cache
	bytes    arena               // holds the lists
}

// postings is the list for one term. Each chunk has a varint (the distance from the last chunk), a
// mask of the fields with the term, and the occurrences in each of these fields.
type postings struct {
	chain
	last uint32 // chunk
	n    uint32 // chunks
}

// NewInverter returns an empty Inverter.
func NewInverter() *Inverter {
	return &Inverter{ids: map[string]uint32{}, cache: map[string]uint32{}, runCache: new(runCache)}
}

// Chunks returns the number of chunks added.
func (v *Inverter) Chunks() int { return len(v.lengths) }

// Reset drops all chunks and keeps the caches. If there are more than maxKeptTerms terms, it drops
// the caches too.
func (v *Inverter) Reset() {
	if len(v.terms) > maxKeptTerms {
		*v = *NewInverter()
		return
	}
	clear(v.lists)
	v.lengths = v.lengths[:0]
	v.bytes.clearPages()
}

// Add adds one chunk. Chunks are numbered from 0. In each field at most 255 occurrences of a term
// count, and at most 65,535 words.
func (v *Inverter) Add(fields *[NumFields]string) {
	var lengths [NumFields]uint16
	for f, s := range fields {
		n := v.countWords(f, s)
		lengths[f] = uint16(min(n, math.MaxUint16))
	}
	chunk := uint32(len(v.lengths))
	v.lengths = append(v.lengths, lengths)
	for _, t := range v.touched {
		v.post(t, chunk)
	}
	v.touched = v.touched[:0]
}

// countWords counts the words in one field and returns the field's length.
func (v *Inverter) countWords(field int, s string) (n int) {
	Runs(s, func(run string) {
		words := v.termsOf(run)
		n += len(words)
		for _, t := range words {
			c := &v.counts[t]
			if *c == ([NumFields]uint8{}) {
				v.touched = append(v.touched, t)
			}
			if c[field] < math.MaxUint8 {
				c[field]++
			}
		}
	})
	return n
}

// post writes a term's posting for the current chunk and clears its counts.
func (v *Inverter) post(t, chunk uint32) {
	p, counts := &v.lists[t], &v.counts[t]
	var buf [binary.MaxVarintLen32 + 1 + NumFields]byte
	at := binary.PutUvarint(buf[:], uint64(chunk-p.last))
	mask := at
	at++
	for f, c := range counts {
		if c > 0 {
			buf[mask] |= 1 << f
			buf[at] = c
			at++
		}
	}
	v.bytes.appendTo(&p.chain, buf[:at])
	p.last = chunk
	p.n++
	*counts = [NumFields]uint8{}
}

// termsOf returns the terms in a run. The slice is valid until the next call.
func (v *Inverter) termsOf(run string) []uint32 {
	at := v.placeInPool(run)
	return v.pool[at+1 : at+1+v.pool[at]]
}

// placeInPool returns the run's place in the pool.
func (v *Inverter) placeInPool(run string) uint32 {
	if len(run) > maxCachedRun {
		return v.findRun(run)
	}
	key := runKeyOf(run)
	slot := &v.runCache.slots[key.slot()]
	if slot.key != key {
		at := v.findRun(run) // may clear runCache
		slot.key, slot.at = key, at
	}
	return slot.at
}

func (v *Inverter) findRun(run string) uint32 {
	at, ok := v.cache[run]
	if !ok {
		at = v.learn(run)
	}
	return at
}

// learn puts a run into the cache and returns its place in the pool.
func (v *Inverter) learn(run string) uint32 {
	if len(v.cache) >= maxCachedRuns {
		clear(v.cache)
		v.pool = v.pool[:0]
		*v.runCache = runCache{}
	}
	run = strings.Clone(run) // terms may be parts of run, and must not keep a whole file in memory
	at := uint32(len(v.pool))
	v.pool = append(v.pool, 0)
	Words(run, func(word string) {
		id, ok := v.ids[word]
		if !ok {
			id = uint32(len(v.terms))
			v.ids[word] = id
			v.terms = append(v.terms, word)
			v.lists = append(v.lists, postings{})
			v.counts = append(v.counts, [NumFields]uint8{})
		}
		v.pool = append(v.pool, id)
	})
	v.pool[at] = uint32(len(v.pool)) - at - 1
	v.cache[run] = at
	return at
}
