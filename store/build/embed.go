package build

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"patina/store"
	"patina/store/doc"
	"patina/store/folder"
	"patina/store/format"
	"patina/store/vector"
)

// Embedded reports a scrape's work on vectors.
type Embedded struct {
	Rows    int  // vectors written, for chunks and file cards
	Adapted bool // the store's table was fitted to it
}

// A learning makes the vectors of an index: its state is guarded by mu.
type learning struct {
	contents
	pending []unembedded
	vectors *vector.Writer // nil until the first write
	mapped  *vector.File   // nil until the first read
	rows    int64          // rows in the file that segments use
	model   string         // empty until known
	fitted  doc.Embedder   // fitted to this index, now or earlier; nil until known
	lent    *vector.File   // holds the table behind fitted
	fitting *fitting       // nil unless PublishWords began it
	done    Embedded
}

// A fitting is a fit beside other work.
type fitting struct {
	cancel context.CancelFunc
	done   chan struct{} // closed at its end
	model  doc.Adapter
	err    error
}

// startFit begins a fit.
func startFit(ctx context.Context, a doc.Adapter, c doc.Corpus) *fitting {
	ctx, cancel := context.WithCancel(ctx)
	f := &fitting{cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(f.done)
		f.model, f.err = a.Adapt(ctx, c)
	}()
	return f
}

// wait waits for the end of a fit, which nobody needs if it is not done yet.
func (f *fitting) wait() {
	if f != nil {
		f.cancel()
		<-f.done
	}
}

// An unembedded segment waits for the model. It has its passages chunk by chunk, then card by card.
type unembedded struct {
	segment int64
	space   string
	groups  []format.Group
	chunks  []passages
	cards   []passages
}

func newUnembedded(segment int64, space string, groups []format.Group, vs []*inversion) unembedded {
	u := unembedded{segment: segment, space: space, groups: groups}
	for _, v := range vs {
		u.chunks = append(u.chunks, v.chunks)
		u.cards = append(u.cards, v.cards)
	}
	return u
}

// Embed writes vectors for everything put so far. With a fresh index, the first call fits the model
// to all of it. Publish calls Embed if nobody did. A non-nil report is called once with "adapting",
// then with "embedding" and the rows done.
func (w *Writer) Embed(report func(step string, done, total int)) (Embedded, error) {
	if report == nil {
		report = noProgress
	}
	err := w.do(func() error {
		if err := w.flushAll(); err != nil {
			return err
		}
		return w.embedPending(report)
	})
	return w.done, err
}

func noProgress(string, int, int) {}

// embedPending appends the vectors for all pending segments to the file.
func (w *learning) embedPending(report func(step string, done, total int)) error {
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
		err = fmt.Errorf("the vectors are of model %q, not %q: %w", w.model, e.Model(), store.ErrDamaged)
	default:
		err = w.appendVectors()
	}
	if err != nil {
		return err
	}
	total := 0
	for _, u := range w.pending {
		total += u.countRows()
	}
	done := 0
	for i, u := range w.pending {
		w.pending[i] = unembedded{} // frees the passages once they are read
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

func (u *unembedded) countRows() int {
	n := 0
	for _, p := range append(u.chunks[:len(u.chunks):len(u.chunks)], u.cards...) {
		n += p.len()
	}
	return n
}

// embedder returns this store's model: fitted anew for a fresh index, the kept one for an update.
func (w *learning) embedder(report func(step string, done, total int)) (doc.Embedder, error) {
	a, adapts := w.o.Embedder.(doc.Adapter)
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
		if err := f.Hold(w.rows); err != nil { // a copy would take megabytes for one changed file
			return err
		}
		w.lent = f
		kept, err := w.o.Load(f.Header().Table)
		if err != nil {
			return fmt.Errorf("load the table of the vectors: %w", doc.DamagedBy(err))
		}
		w.fitted = kept
		return nil
	})
	return w.fitted, err
}

func (w *learning) adapt(a doc.Adapter, report func(step string, done, total int)) (doc.Embedder, error) {
	report("adapting", 0, 0)
	if w.fitting == nil {
		if err := w.beginFit(a); err != nil {
			return nil, err
		}
	}
	<-w.fitting.done
	if w.fitting.err != nil {
		return nil, fmt.Errorf("adapt the model: %w", w.fitting.err)
	}
	w.fitted = w.fitting.model
	w.done.Adapted = len(w.fitting.model.Table()) > 0
	return w.fitted, nil
}

func (w *learning) beginFit(a doc.Adapter) error {
	c, err := w.corpus()
	if err == nil {
		w.fitting = startFit(w.ctx, a, c)
	}
	return err
}

// createVectors makes the vector file for a fresh index.
func (w *learning) createVectors(e doc.Embedder) (err error) {
	w.model = e.Model()
	h := vector.Header{Model: w.model, Dimension: e.Dimension()}
	if a, ok := e.(doc.Adapter); ok {
		h.Table = a.Table()
	}
	if w.vectors, err = vector.Create(filepath.Join(w.dir, folder.VectorsOf(w.name)), h); err != nil {
		return err
	}
	for k, v := range map[string]string{"model": w.model, "adapted_at": strconv.FormatInt(w.nextKey, 10)} {
		if err := w.exec(`INSERT INTO meta(key, value) VALUES(?, ?)`, k, v); err != nil {
			return err
		}
	}
	return nil
}

// appendVectors opens the vector file for writing after its last named row. It does nothing if the
// file is open.
func (w *learning) appendVectors() error {
	if w.vectors != nil {
		return nil
	}
	return w.readVectors(func(f *vector.File) (err error) {
		w.vectors, err = f.Append(w.rows)
		return err
	})
}

// Blocks bound the memory. Each block is divided into parts for all cores.
const (
	blockRows = 8192
	partRows  = 256
)

// embedPassages writes vectors in the order given.
func (w *learning) embedPassages(e doc.Embedder, p passages, report func(rows int)) error {
	dim := e.Dimension()
	block := make([]int8, min(blockRows, p.len())*dim)
	for at := 0; at < p.len(); at += blockRows {
		n := min(blockRows, p.len()-at)
		group, ctx := errgroup.WithContext(w.ctx)
		group.SetLimit(runtime.GOMAXPROCS(0))
		for from := 0; from < n; from += partRows {
			group.Go(func() error {
				for i := from; i < min(from+partRows, n); i++ {
					e.Embed(block[i*dim:(i+1)*dim], p.passageAt(at+i))
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

// nameVectors records that a segment's rows run from first to the file's end. sealVectors adds
// their sum.
func (w *learning) nameVectors(segment, first int64) error {
	w.rows = w.vectors.Rows()
	return w.exec(`UPDATE segment SET vectors = ?, vectors_sum = NULL WHERE id = ?`, first, segment)
}

// sealVectors syncs the vector file, stores the sum for each new segment's rows, and calibrates the
// view again.
func (w *learning) sealVectors() error {
	switch {
	case w.vectors != nil:
		if err := w.vectors.Sync(); err != nil {
			return err
		}
	case w.fresh || !w.changed || w.model == "":
		return nil
	}
	return w.readVectors(func(f *vector.File) error {
		segments, err := store.LoadSegments(context.Background(), w.conn, w.members)
		if err != nil {
			return err
		}
		for _, g := range segments {
			if g.Vectors < 0 || g.Sum.Valid {
				continue
			}
			sum, err := f.Sum(g.Vectors, g.VectorRows())
			if err != nil {
				return err
			}
			if err := w.exec(`UPDATE segment SET vectors_sum = ? WHERE id = ?`, int64(sum), g.ID); err != nil {
				return err
			}
		}
		return w.calibrate(f, segments)
	})
}

// readVectors calls read with the file, after flushing all rows written so far.
func (w *learning) readVectors(read func(*vector.File) error) error {
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
	return store.Damaged(err)
}

// openVectors maps the vector file, and maps it again if it has grown.
func (w *learning) openVectors() (*vector.File, error) {
	if w.mapped != nil && w.mapped.Rows() >= w.rows {
		return w.mapped, nil
	}
	f, err := store.OpenVectors(filepath.Join(w.dir, w.name), w.mapped)
	if err == nil {
		w.forgetVectors()
		w.mapped = f
	}
	return f, err
}

// returnTable ends the model's use.
func (w *learning) returnTable() {
	if w.lent != nil {
		w.lent.Release()
		w.fitted, w.lent = nil, nil
	}
}

func (w *learning) forgetVectors() {
	if w.mapped != nil {
		_ = w.mapped.Close() // opened for reading only
		w.mapped = nil
	}
}

// loadVectors reads the state an update needs. It asks for a rebuild if the options name another
// embedder, or differ about adaptation.
func (w *learning) loadVectors(snap *store.Snapshot) error {
	var asked string
	if err := w.conn.QueryRowContext(w.ctx, `SELECT value FROM meta WHERE key = 'embedder'`).Scan(&asked); err != nil {
		return err
	}
	if model, hasty := strings.CutSuffix(asked, format.DraftMark); w.o.KeepModel && w.o.Embedder != nil &&
		model == w.o.Embedder.Model() {
		w.o.Embedder, w.o.Draft = Unfitted(w.o.Embedder), hasty
	}
	whole, unfitted := strings.CutSuffix(asked, format.WordsOnlyMark)
	switch {
	case whole != w.o.EmbedderName():
		return rebuildError("its vectors are of another model")
	case unfitted && !w.o.KeepModel:
		return rebuildError("its model was not fitted")
	case unfitted:
		w.o.Embedder = nil // the next scrape makes all vectors
	}
	if asked == "" || unfitted {
		return nil
	}
	w.model, w.rows = snap.Model, snap.VectorRows
	return w.readVectors(func(f *vector.File) error {
		if f.Header().Model != snap.Model {
			return fmt.Errorf("the vectors are of model %q, not %q: %w", f.Header().Model, snap.Model, store.ErrDamaged)
		}
		w.done.Adapted = len(f.Header().Table) > 0
		return nil
	})
}

// mergeVectors copies the visible rows from several segments to the file's end, as one segment.
func (w *learning) mergeVectors(gs []*store.Segment, merged int64) error {
	if w.o.Embedder == nil || gs[0].Space == store.Subjects {
		return nil
	}
	if err := w.appendVectors(); err != nil {
		return err
	}
	first := w.vectors.Rows()
	err := w.readVectors(func(f *vector.File) error {
		for _, g := range gs {
			if g.Sum.Valid { // older than this update
				if err := store.CompareVectors(f, g); err != nil {
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

// drifted reports whether over half the view's chunks came after the model was fitted. Keys only
// rise, so newer documents have higher keys.
func (w *transaction) drifted(snap *store.Snapshot, adaptedAt int64) bool {
	if _, adapts := w.o.Embedder.(doc.Adapter); !adapts {
		return false
	}
	later := 0
	for _, g := range snap.Segments {
		for i, key := range g.Keys {
			if g.Space != store.Subjects && key >= adaptedAt && (g.Hidden == nil || !g.Hidden[i]) {
				later += int(g.Starts[i+1] - g.Starts[i])
			}
		}
	}
	return 2*later > snap.Chunks
}

// EmbedderName names the embedder in the options, and adds "adapted" for an Adapter. A change
// causes a rebuild.
func (o Options) EmbedderName() string {
	switch o.Embedder.(type) {
	case nil:
		return ""
	case unfitted:
		if o.Draft {
			return o.Embedder.Model() + format.DraftMark
		}
	case doc.Adapter:
		return o.Embedder.Model() + " adapted"
	}
	return o.Embedder.Model()
}

// unfitted hides an embedder's Adapter methods.
type unfitted struct{ doc.Embedder }

// Unfitted returns e as an Embedder that is not an Adapter.
func Unfitted(e doc.Embedder) doc.Embedder { return unfitted{e} }
