package store

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"

	"golang.org/x/sync/errgroup"

	"patina/store/vector"
)

// Embedded says what a scrape did with vectors.
type Embedded struct {
	Rows    int  // vectors written: of chunks and of the cards of files
	Adapted bool // the vectors of this store are of a table that was fitted to it
}

// A learning is what a Writer knows of vectors. All of it is guarded by Writer.mu.
type learning struct {
	pending []unembedded
	vectors *vector.Writer // nil until something is written
	mapped  *vector.File   // nil until something is read
	rows    int64          // of the file that segments name
	model   string         // of the rows; empty until it is known
	fitted  Embedder       // to this index, now or when it was fresh; nil until it is known
	lent    *vector.File   // holds the table of fitted
	done    Embedded
}

// An unembedded segment waits for the model to be ready: its passages, chunk by chunk, then card by card.
type unembedded struct {
	segment int64
	space   string
	groups  []group
	chunks  []passages
	cards   []passages
}

func newUnembedded(segment int64, space string, groups []group, vs []*inversion) unembedded {
	u := unembedded{segment: segment, space: space, groups: groups}
	for _, v := range vs {
		u.chunks = append(u.chunks, v.chunks)
		u.cards = append(u.cards, v.cards)
	}
	return u
}

// Embed turns what has been put so far into vectors, with a fresh index the first time after fitting the model to all of it. Publish
// does it unless it was done; report, if not nil, hears of "adapting" once and of "embedding" with the rows done and their number.
func (w *Writer) Embed(report func(step string, done, total int)) (Embedded, error) {
	if report == nil {
		report = silent
	}
	err := w.do(func() error {
		if err := w.flushAll(); err != nil {
			return err
		}
		return w.embedPending(report)
	})
	return w.done, err
}

func silent(string, int, int) {}

// embedPending writes the vectors of all pending segments behind those of the file.
func (w *Writer) embedPending(report func(step string, done, total int)) error {
	if w.o.Embedder == nil || len(w.pending) == 0 && (!w.fresh || w.vectors != nil) {
		return nil
	}
	e, err := w.embedder(report)
	if err != nil {
		return err
	}
	switch {
	case w.vectors == nil && w.fresh:
		err = w.createVectors(e)
	case e.Model() != w.model:
		err = fmt.Errorf("the vectors are of model %q, not %q: %w", w.model, e.Model(), ErrDamaged)
	default:
		err = w.appendVectors()
	}
	if err != nil {
		return err
	}
	total := 0
	for _, u := range w.pending {
		total += u.rows()
	}
	done := 0
	for i, u := range w.pending {
		w.pending[i] = unembedded{} // its passages are free as soon as they are read
		first := w.vectors.Rows()
		for _, p := range append(u.chunks, u.cards...) {
			err := w.embedPassages(e, p, func(n int) {
				done += n
				report("embedding", done, total)
			})
			if err != nil {
				return err
			}
		}
		if err := w.nameVectors(u.segment, first); err != nil {
			return err
		}
	}
	w.pending = nil
	w.done.Rows += total
	return nil
}

func (u *unembedded) rows() int {
	n := 0
	for _, p := range append(u.chunks[:len(u.chunks):len(u.chunks)], u.cards...) {
		n += p.len()
	}
	return n
}

// embedder is the model of this store's vectors: fitted to a fresh index, for an update the one that was kept.
func (w *Writer) embedder(report func(step string, done, total int)) (Embedder, error) {
	a, adapts := w.o.Embedder.(Adapter)
	switch {
	case !adapts:
		return w.o.Embedder, nil
	case w.fitted != nil:
		return w.fitted, nil
	case w.fresh:
		return w.adapt(a, report)
	case !w.done.Adapted:
		return a, nil
	}
	err := w.readVectors(func(f *vector.File) error {
		if err := f.Hold(w.rows); err != nil { // a copy would be megabytes for the one file that changed
			return err
		}
		w.lent = f
		kept, err := w.o.Load(f.Header().Table)
		if err != nil {
			return fmt.Errorf("load the table of the vectors: %w", joined{ErrDamaged, err})
		}
		w.fitted = kept
		return nil
	})
	return w.fitted, err
}

func (w *Writer) adapt(a Adapter, report func(step string, done, total int)) (Embedder, error) {
	report("adapting", 0, 0)
	c, err := w.corpus()
	if err != nil {
		return nil, err
	}
	if a, err = a.Adapt(w.ctx, c); err != nil {
		return nil, fmt.Errorf("adapt the model: %w", err)
	}
	w.done.Adapted, w.fitted = len(a.Table()) > 0, a
	return a, nil
}

// createVectors makes the vector file of a fresh index.
func (w *Writer) createVectors(e Embedder) (err error) {
	w.model = e.Model()
	h := vector.Header{Model: w.model, Dimension: e.Dimension()}
	if a, ok := e.(Adapter); ok {
		h.Table = a.Table()
	}
	if w.vectors, err = vector.Create(filepath.Join(w.dir, vectorsOf(w.name)), h); err != nil {
		return err
	}
	for k, v := range map[string]string{"model": w.model, "adapted_at": strconv.FormatInt(w.nextKey, 10)} {
		if err := w.exec(`INSERT INTO meta(key, value) VALUES(?, ?)`, k, v); err != nil {
			return err
		}
	}
	return nil
}

// appendVectors opens the vector file for writing behind the rows that the index names, unless it is open.
func (w *Writer) appendVectors() error {
	if w.vectors != nil {
		return nil
	}
	return w.readVectors(func(f *vector.File) (err error) {
		w.vectors, err = f.Append(w.rows)
		return err
	})
}

// Rows are embedded in blocks, which bounds the memory: a block is divided into parts for all cores.
const (
	blockRows = 8192
	partRows  = 256
)

// embedPassages writes the vectors of passages, in order.
func (w *Writer) embedPassages(e Embedder, p passages, report func(rows int)) error {
	dim := e.Dimension()
	block := make([]int8, min(blockRows, p.len())*dim)
	for at := 0; at < p.len(); at += blockRows {
		n := min(blockRows, p.len()-at)
		group, ctx := errgroup.WithContext(w.ctx)
		group.SetLimit(runtime.GOMAXPROCS(0))
		for from := 0; from < n; from += partRows {
			group.Go(func() error {
				for i := from; i < min(from+partRows, n); i++ {
					e.Embed(block[i*dim:(i+1)*dim], p.at(at+i))
				}
				return ctx.Err()
			})
		}
		if err := group.Wait(); err != nil {
			return err
		}
		if err := w.vectors.Write(block[:n*dim]); err != nil {
			return err
		}
		report(n)
	}
	return nil
}

// nameVectors records that a segment's rows stand in the file from first to its end. Their sum is added by sealVectors.
func (w *Writer) nameVectors(segment, first int64) error {
	w.rows = w.vectors.Rows()
	return w.exec(`UPDATE segment SET vectors = ?, vectors_sum = NULL WHERE id = ?`, first, segment)
}

// sealVectors puts on the disk what was written, and the sum of each new segment's rows into the database.
func (w *Writer) sealVectors() error {
	if w.vectors == nil {
		return nil
	}
	if err := w.vectors.Sync(); err != nil {
		return err
	}
	return w.readVectors(func(f *vector.File) error {
		segments, err := loadSegments(context.Background(), w.conn, w.members)
		if err != nil {
			return err
		}
		for _, g := range segments {
			if g.Vectors < 0 || g.sum.Valid {
				continue
			}
			sum, err := f.Sum(g.Vectors, g.VectorRows())
			if err != nil {
				return err
			}
			if err := w.exec(`UPDATE segment SET vectors_sum = ? WHERE id = ?`, int64(sum), g.Id); err != nil {
				return err
			}
		}
		return w.calibrate(f, segments)
	})
}

// readVectors calls read with the file, which has all rows that were written so far.
func (w *Writer) readVectors(read func(*vector.File) error) error {
	if w.vectors != nil {
		if err := w.vectors.Flush(); err != nil {
			return err
		}
	}
	f, err := w.openVectors()
	if err != nil {
		return err
	}
	if err = f.Hold(w.rows); err == nil {
		err = read(f)
		f.Release()
	}
	return Damaged(err)
}

// openVectors maps the vector file, once more if it has grown.
func (w *Writer) openVectors() (*vector.File, error) {
	if w.mapped != nil && w.mapped.Rows() >= w.rows {
		return w.mapped, nil
	}
	f, err := openVectors(filepath.Join(w.dir, w.name), w.mapped)
	if err == nil {
		w.forgetVectors()
		w.mapped = f
	}
	return f, err
}

// returnTable ends the use of the model.
func (w *Writer) returnTable() {
	if w.lent != nil {
		w.lent.Release()
		w.fitted, w.lent = nil, nil
	}
}

func (w *Writer) forgetVectors() {
	if w.mapped != nil {
		_ = w.mapped.Close() // it was only read
		w.mapped = nil
	}
}

// loadVectors reads what an update must know of the vectors. An index of another embedder, of one that was not adapted as
// is asked for now or the other way round, is rebuilt.
func (w *Writer) loadVectors(snap *Snapshot) error {
	var asked string
	if err := w.conn.QueryRowContext(w.ctx, `SELECT value FROM meta WHERE key = 'embedder'`).Scan(&asked); err != nil {
		return err
	}
	if asked != w.o.asked() {
		return rebuild("its vectors are of another model")
	}
	if asked == "" {
		return nil
	}
	w.model, w.rows = snap.Model, snap.rows
	return w.readVectors(func(f *vector.File) error {
		if f.Header().Model != snap.Model {
			return fmt.Errorf("the vectors are of model %q, not %q: %w", f.Header().Model, snap.Model, ErrDamaged)
		}
		w.done.Adapted = len(f.Header().Table) > 0
		return nil
	})
}

// mergeVectors copies the rows of the visible groups of several segments to the end of the file, as those of one.
func (w *Writer) mergeVectors(gs []*Segment, merged int64) error {
	if w.o.Embedder == nil || gs[0].Space == Subjects {
		return nil
	}
	if err := w.appendVectors(); err != nil {
		return err
	}
	first := w.vectors.Rows()
	err := w.readVectors(func(f *vector.File) error {
		for _, g := range gs {
			if g.sum.Valid { // not one of this update
				if err := compareVectors(f, g); err != nil {
					return err
				}
			}
			for from, to := range g.Visible() {
				if err := w.vectors.Write(f.Slice(g.Vectors+int64(g.Starts[from]), int64(g.Starts[to]-g.Starts[from]))); err != nil {
					return err
				}
			}
		}
		for _, g := range gs {
			if !g.Pooled {
				continue
			}
			for from, to := range g.Visible() {
				if err := w.vectors.Write(f.Slice(g.Vectors+int64(g.Chunks)+int64(from), int64(to-from))); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return w.nameVectors(merged, first)
}

// drifted tells whether more than half of what the view sees came after the model was fitted. Keys are given upward: what is
// newer has a higher one.
func (w *Writer) drifted(snap *Snapshot, adaptedAt int64) bool {
	if _, adapts := w.o.Embedder.(Adapter); !adapts {
		return false
	}
	later := 0
	for _, g := range snap.Segments {
		for i, key := range g.Keys {
			if g.Space != Subjects && key >= adaptedAt && (g.Hidden == nil || !g.Hidden[i]) {
				later += int(g.Starts[i+1] - g.Starts[i])
			}
		}
	}
	return 2*later > snap.total
}

// asked names the embedder that the options ask for, and whether it is to be adapted. An index of another one is rebuilt.
func (o BuildOptions) asked() string {
	switch o.Embedder.(type) {
	case nil:
		return ""
	case Adapter:
		return o.Embedder.Model() + " adapted"
	}
	return o.Embedder.Model()
}

// unfitted is an embedder that is not to be adapted.
type unfitted struct{ Embedder }

// Unfitted returns e as an Embedder that is no Adapter.
func Unfitted(e Embedder) Embedder { return unfitted{e} }
