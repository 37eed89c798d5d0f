package text

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
)

// Merge calls emit for each term in vs, ascending by bytes, with the number of postings and their
// encoded list. Chunks are numbered as if one Inverter had been given all of them in this order.
// emit must not keep the list, because its memory is reused. Merge stops at the first error from
// emit and returns it. The inverters are unchanged.
func Merge(vs []*Inverter, avg Averages, emit func(term string, n int, list []byte) error) error {
	cursors := make([]cursor, len(vs))
	base := uint32(0)
	for i, v := range vs {
		cursors[i] = newCursor(v, &avg, base)
		base += uint32(v.Chunks())
	}
	var e encoder
	for {
		term, ok := leastTerm(cursors)
		if !ok {
			return nil
		}
		e.restart(e.buf[:0])
		for i := range cursors {
			if c := &cursors[i]; c.has(term) {
				c.passPostings(&e)
			}
		}
		if err := emit(term, e.n, e.finish()); err != nil {
			return err
		}
	}
}

// A cursor walks over one inverter's terms in order.
type cursor struct {
	v       *Inverter
	weights [][NumFields]float32 // by chunk
	base    uint32
	order   []uint32 // terms not taken yet
	raw     []byte   // reused
}

func newCursor(v *Inverter, avg *Averages, base uint32) cursor {
	c := cursor{v: v, base: base, order: v.sorted(), weights: make([][NumFields]float32, v.Chunks())}
	for i := range c.weights {
		c.weights[i] = avg.fieldWeights(&v.lengths[i])
	}
	return c
}

// has reports whether term is the cursor's next one.
func (c *cursor) has(term string) bool { return len(c.order) > 0 && c.v.terms[c.order[0]] == term }

// passPostings passes the next term's postings to e.
func (c *cursor) passPostings(e *encoder) {
	p := &c.v.lists[c.order[0]]
	c.order = c.order[1:]
	c.raw = c.v.bytes.readFrom(&p.chain, c.raw[:0])
	chunk := uint32(0)
	for b := c.raw; len(b) > 0; {
		delta, n := binary.Uvarint(b)
		chunk += uint32(delta)
		mask := b[n]
		b = b[n+1:]
		var tf [NumFields]uint8
		for f := range tf {
			if mask&(1<<f) != 0 {
				tf[f] = b[0]
				b = b[1:]
			}
		}
		e.addPosting(c.base+chunk, impactOf(&tf, &c.weights[chunk]))
	}
}

// leastTerm returns the smallest of the next terms. ok is false if all cursors are at their end.
func leastTerm(cursors []cursor) (term string, ok bool) {
	for i := range cursors {
		c := &cursors[i]
		if len(c.order) == 0 {
			continue
		}
		if t := c.v.terms[c.order[0]]; !ok || t < term {
			term, ok = t, true
		}
	}
	return term, ok
}

// sorted returns the terms that have postings, ascending by bytes.
func (v *Inverter) sorted() []uint32 {
	type key struct {
		prefix uint64 // first eight bytes, enough for most comparisons
		term   uint32
	}
	keys := make([]key, 0, len(v.terms))
	for t := range v.terms {
		if v.lists[t].n > 0 {
			var b [8]byte
			copy(b[:], v.terms[t])
			keys = append(keys, key{binary.BigEndian.Uint64(b[:]), uint32(t)})
		}
	}
	slices.SortFunc(keys, func(a, b key) int {
		if a.prefix != b.prefix {
			return cmp.Compare(a.prefix, b.prefix)
		}
		return strings.Compare(v.terms[a.term], v.terms[b.term])
	})
	order := make([]uint32, len(keys))
	for i, k := range keys {
		order[i] = k.term
	}
	return order
}
