package overlay

import (
	"cmp"
	"context"
	"encoding/binary"
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"patina/store"
	"patina/store/doc"
	"patina/store/vector"
)

// mostSampled is the number of texts whose cosines tell the scale of a model. They are of all
// kinds, also of those that the model is not for, because texts of one kind are more alike than
// others.
const mostSampled = 256

// A sampled is a text of the sample.
type sampled struct {
	segment *store.Segment
	row     int64
	hash    uint64
}

// calibrate makes the quantiles again if the sample has changed.
func (u *updater) calibrate(ctx context.Context, r *store.Reader, snap *store.Snapshot) error {
	if len(u.state.Segments) == 0 {
		return nil
	}
	sample := chooseSample(snap)
	id := sampleID(snap.Model, sample)
	if slices.Equal(u.state.Sampled, id) && u.hasSample() {
		return nil
	}
	w := &window{newKeys: make(map[key]int)}
	table, err := r.Vectors(snap)
	if err != nil {
		return err
	}
	defer table.Release()
	var rows [][]int8 // by the built-in model
	readers := make(map[int64]*passageReader)
	for _, x := range sample {
		p := readers[x.segment.ID]
		if p == nil {
			p = &passageReader{r: r, g: x.segment}
			readers[x.segment.ID] = p
			if err := table.Check(x.segment); err != nil {
				return err
			}
		}
		text, ok, err := p.passage(ctx, x.row)
		if err != nil {
			return err
		}
		if ok {
			u.addText(w, text)
			rows = append(rows, table.Slice(x.segment.Vectors+x.row, 1))
		}
	}
	if err := u.embedSample(ctx, w); err != nil {
		return err
	}
	own := make([][]int8, len(w.keys))
	for i, k := range w.keys {
		row, err := u.log.slice(u.log.at[k], 1)
		if err != nil {
			return err
		}
		own[i] = slices.Clone(row)
	}
	u.state.Sample, u.state.Sampled = w.keys, id
	u.state.Random, u.state.Table = quantiles(own), quantiles(rows)
	u.changed = true
	return nil
}

// embedSample embeds the texts of a sample that have no rows.
func (u *updater) embedSample(ctx context.Context, w *window) error {
	for at := 0; at < len(w.texts); at += batch {
		part := &window{}
		for i, x := range w.texts[at:min(at+batch, len(w.texts))] {
			part.texts = append(part.texts, x)
			part.keys, part.of = append(part.keys, passageKey(x)), append(part.of, i)
		}
		if err := u.embedWindow(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

// hasSample reports whether all texts of the sample have rows.
func (u *updater) hasSample() bool {
	return !slices.ContainsFunc(u.state.Sample, func(k key) bool {
		_, has := u.log.at[k]
		return !has
	})
}

// sampleID returns bytes that change with a sample, and with the built-in model.
func sampleID(model string, sample []sampled) []byte {
	h := fnv.New128a()
	_, _ = h.Write([]byte(model))
	for _, x := range sample {
		var b [16]byte
		binary.LittleEndian.PutUint64(b[:], uint64(x.segment.Keys[groupOf(x.segment, x.row)]))
		binary.LittleEndian.PutUint64(b[8:], x.hash)
		_, _ = h.Write(b[:])
	}
	return h.Sum(nil)
}

// chooseSample returns the rows with the least hashes of document and place. Both stay when
// segments are merged.
func chooseSample(snap *store.Snapshot) []sampled {
	var all []sampled
	for _, g := range snap.Segments {
		for from, to := range g.LiveRows() {
			for row := from - g.Vectors; row < to-g.Vectors; row++ {
				if all = append(all, sampled{g, row, hashOf(g, row)}); len(all) == 64*mostSampled {
					all = leastOf(all)
				}
			}
		}
	}
	return leastOf(all)
}

// leastOf returns the rows with the least hashes, in order. It changes the order of all.
func leastOf(all []sampled) []sampled {
	slices.SortFunc(all, func(a, b sampled) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.segment.ID, b.segment.ID), cmp.Compare(a.row, b.row))
	})
	return all[:min(len(all), mostSampled)]
}

// groupOf returns the group of a row, which counts from the segment's first.
func groupOf(g *store.Segment, row int64) int {
	if row >= int64(g.Chunks) {
		return int(row - int64(g.Chunks))
	}
	i, exact := slices.BinarySearch(g.Starts, uint32(row))
	if !exact {
		return i - 1
	}
	for g.Starts[i+1] == uint32(row) { // groups without chunks
		i++
	}
	return i
}

// hashOf returns a number drawn by the document and place of a row.
func hashOf(g *store.Segment, row int64) uint64 {
	group := groupOf(g, row)
	place := row - int64(g.Starts[group])
	if row >= int64(g.Chunks) {
		place = -1 // the card
	}
	x := uint64(g.Keys[group])*0x9e3779b97f4a7c15 ^ uint64(place+2)*0xbf58476d1ce4e5b9
	x ^= x >> 31
	x *= 0x94d049bb133111eb
	return x ^ x>>29
}

// quantiles returns the quantiles of cosines between random pairs of rows, or nil if there are too
// few rows. The pairs depend on the number of rows only.
func quantiles(rows [][]int8) doc.Calibration {
	if len(rows) < 2 {
		return nil
	}
	rnd := rand.New(rand.NewPCG(1, uint64(len(rows))))
	cosines := make([]float64, doc.RandomPairs)
	var dot [1]int32
	for i := range cosines {
		a := rnd.IntN(len(rows))
		b := rnd.IntN(len(rows) - 1)
		if b >= a {
			b++
		}
		vector.Dots(dot[:], rows[a], rows[b])
		cosines[i] = float64(dot[0]) / (doc.VectorScale * doc.VectorScale)
	}
	slices.Sort(cosines)
	out := make(doc.Calibration, doc.Quantiles)
	for i := range out {
		out[i] = cosines[i*(doc.RandomPairs-1)/(doc.Quantiles-1)]
	}
	return out
}
