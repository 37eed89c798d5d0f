package overlay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"patina/store"
	"patina/store/doc"
	"patina/store/folder"
)

// An Index says which index an overlay belongs to.
type Index struct {
	Dir  string // the store's folder
	View string // the working tree by which it is opened; store.MainView for the main one
	Seal store.Seal
}

// A Report describes the work of an Update. It counts texts, of which there is one a row.
type Report struct {
	Texts    int    // that were missing
	Embedded int    // by the model
	Copied   int    // known from before, or the same as another
	Damaged  string // what was damaged and made anew; empty if nothing was
}

const (
	batch      = 32   // texts given to the model at once: a large model takes seconds for them
	windowRows = 4096 // rows read at once

	lockWait   = 5 * time.Second
	stateEvery = 2 * time.Second // between two writings of the state
)

// Update makes the vectors of kinds that are missing, by a model. It needs an index with built-in
// vectors; without some it returns an error that wraps store.ErrNoVectors. progress gets the number
// of texts that are done, and of those to do; it may be nil.
//
// Vectors of other kinds stay. If ctx ends, Update returns its error within a batch of the model;
// embedded texts are kept, and the next Update goes on there. Meanwhile the index may be asked
// and scraped. If another process updates vectors of models, Update waits a moment and returns an
// error that wraps store.ErrLocked.
func Update(
	ctx context.Context, x Index, model doc.BatchEmbedder, kinds []doc.Kind, progress func(done, total int),
) (Report, error) {
	u := &updater{index: x, model: model, kinds: kinds, progress: progress}
	if u.progress == nil {
		u.progress = func(int, int) {}
	}
	err := u.runUpdate(ctx)
	if err == nil {
		err = buildGraph(ctx, x, model.Model())
	}
	if err != nil {
		err = fmt.Errorf("embed by a model: %w", err)
	}
	return u.report, err
}

// An updater is one Update.
type updater struct {
	index    Index
	model    doc.BatchEmbedder
	kinds    []doc.Kind
	progress func(done, total int)

	in      *folder.Folder
	store   *store.Store
	name    string // of the model's files
	state   *state // as it will be written
	log     *rowLog
	changed bool // the state is to be written
	written time.Time
	current *partial
	report  Report
	done    int
}

// A partial is a segment of which some rows are written.
type partial struct {
	*store.Segment
	identity    key
	first, rows int64
	left        int64
}

func (u *updater) runUpdate(ctx context.Context) (err error) {
	if u.in, err = folder.Open(u.index.Dir, u.index.Seal.Anyone); errors.Is(err, fs.ErrNotExist) {
		return store.ErrNoIndex
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, u.in.Close()) }()
	lock, err := u.in.LockModels(ctx, lockWait)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	if u.store, err = store.OpenSealed(u.index.Dir, u.index.View, u.index.Seal); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, u.store.Close()) }()
	u.name = folder.ModelName(u.model.Model())
	if done, err := u.isUpToDate(ctx); done || err != nil {
		return err
	}
	if err := u.openFiles(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, u.log.closeFiles()) }()
	for {
		more, err := u.step(ctx)
		if err != nil {
			return errors.Join(err, u.keep())
		}
		if !more {
			break
		}
	}
	u.in.Settle()
	return u.in.RemoveModel(u.name, true, u.state.File) // files that were damaged
}

// pinned calls f with a reader of the newest generation.
func (u *updater) pinned(ctx context.Context, f func(r *store.Reader, snap *store.Snapshot) error) error {
	p, err := u.store.Pin(ctx, 1)
	if err != nil {
		return err
	}
	defer p.Close()
	snap, err := p.Readers[0].Snapshot(ctx)
	if err != nil {
		return err
	}
	if snap.Model == "" {
		return store.ErrNoVectors
	}
	return f(p.Readers[0], snap)
}

// step embeds some rows of one segment. more is false once all segments have rows and the state is
// written.
func (u *updater) step(ctx context.Context) (more bool, err error) {
	var w *window
	err = u.pinned(ctx, func(r *store.Reader, snap *store.Snapshot) error {
		if !u.chooseSegment(snap) {
			return u.finishUpdate(ctx, r, snap)
		}
		w, err = u.readWindow(ctx, r)
		return err
	})
	if err != nil || w == nil {
		return false, err
	}
	u.progress(u.done, max(u.done, u.report.Texts)) // the first texts may take seconds
	if err := u.embedWindow(ctx, w); err != nil {
		return false, err
	}
	return true, u.advance(int64(len(w.keys)))
}

// chooseSegment sets the segment to go on with. It reports false if all have rows.
func (u *updater) chooseSegment(snap *store.Snapshot) bool {
	missing, left := u.missing(snap.Segments)
	if u.current != nil {
		i := slices.IndexFunc(missing, func(p *partial) bool { return p.identity == u.current.identity })
		if i >= 0 {
			u.current.Segment = missing[i].Segment
			u.report.Texts = u.done + int(left-u.current.rows)
			return true
		}
		u.current = nil // merged or removed meanwhile
	}
	u.report.Texts = u.done + int(left)
	if len(missing) == 0 {
		return false
	}
	u.current = missing[0]
	u.current.first = u.log.rows
	return true
}

// missing returns the segments without rows, the kinds with the fewest first, and counts their
// rows.
func (u *updater) missing(segments []*store.Segment) (out []*partial, rows int64) {
	of := make(map[string]int64)
	for _, g := range segments {
		id, ok := identityOf(g)
		if !ok || !slices.Contains(u.kinds, doc.Kind(g.Space)) {
			continue
		}
		of[g.Space] += g.VectorRows()
		if _, has := u.state.segment(id); !has {
			out = append(out, &partial{Segment: g, identity: id, left: g.VectorRows()})
			rows += g.VectorRows()
		}
	}
	slices.SortStableFunc(out, func(a, b *partial) int { return cmp.Compare(of[a.Space], of[b.Space]) })
	return out, rows
}

// A window is some rows of a segment, read together.
type window struct {
	keys    []key
	texts   []doc.Passage // of new ones
	of      []int         // by row: an index into texts, or known, or none
	newKeys map[key]int
}

const (
	knownRow = -1 // its text has a row
	noText   = -2
)

// readWindow reads the next rows of the current segment.
func (u *updater) readWindow(ctx context.Context, r *store.Reader) (*window, error) {
	w := &window{newKeys: make(map[key]int)}
	p := &passageReader{r: r, g: u.current.Segment}
	for row := u.current.rows; row < u.current.VectorRows(); row++ {
		if len(w.keys) == windowRows || len(w.texts) == batch {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x, ok, err := p.passage(ctx, row)
		if err != nil {
			return nil, fmt.Errorf("read the texts of segment %d: %w", u.current.ID, err)
		}
		if !ok {
			w.keys, w.of = append(w.keys, key{}), append(w.of, noText)
			continue
		}
		u.addText(w, x)
	}
	return w, nil
}

// addText adds a row with a passage to a window.
func (u *updater) addText(w *window, x doc.Passage) {
	k := passageKey(x)
	w.keys = append(w.keys, k)
	if _, has := u.log.at[k]; has {
		w.of = append(w.of, knownRow)
		return
	}
	i, has := w.newKeys[k]
	if !has {
		i = len(w.texts)
		w.newKeys[k] = i
		w.texts = append(w.texts, x)
	}
	w.of = append(w.of, i)
}

// embedWindow makes the rows of a window and appends them.
func (u *updater) embedWindow(ctx context.Context, w *window) error {
	dim := int64(u.model.Dimension())
	made := make([]int8, int64(len(w.texts))*dim)
	if len(w.texts) > 0 {
		if err := u.model.EmbedPassages(ctx, made, w.texts); err != nil {
			return cmp.Or(ctx.Err(), err)
		}
	}
	rows := make([]int8, int64(len(w.keys))*dim)
	for i, of := range w.of {
		to := rows[int64(i)*dim : int64(i+1)*dim]
		switch of {
		case noText:
		case knownRow:
			from, err := u.log.slice(u.log.at[w.keys[i]], 1)
			if err != nil {
				return err
			}
			copy(to, from)
		default:
			copy(to, made[int64(of)*dim:])
		}
	}
	u.report.Embedded += len(w.texts)
	for _, of := range w.of {
		if of == knownRow {
			u.report.Copied++
		}
	}
	return u.log.appendRows(w.keys, rows)
}

// advance notes that some rows of the current segment are written, and ends it with its last ones.
func (u *updater) advance(n int64) error {
	c := u.current
	c.rows += n
	u.done += int(n)
	u.progress(u.done, max(u.done, u.report.Texts))
	if c.rows < c.VectorRows() {
		return nil
	}
	sum, err := u.log.sum(c.first, c.rows)
	if err != nil {
		return err
	}
	u.state.Segments = append(u.state.Segments,
		covered{Space: c.Space, Identity: c.identity, First: c.first, Rows: c.rows, Sum: sum})
	u.current, u.changed = nil, true
	if time.Since(u.written) < stateEvery {
		return nil
	}
	return u.commitRows()
}

// commitRows puts the rows on the disk, then the state.
func (u *updater) commitRows() error {
	if err := u.log.sync(); err != nil {
		return err
	}
	u.changed, u.written = false, time.Now()
	return u.state.writeState(u.in)
}

// keep writes the rows made before an Update that failed ends.
func (u *updater) keep() error {
	if !u.changed {
		return u.log.sync()
	}
	return u.commitRows()
}

// finishUpdate forgets segments that the index no longer has, calibrates, and writes the state. All
// rows have been compared then, so the state gets the stamps of the files.
func (u *updater) finishUpdate(ctx context.Context, r *store.Reader, snap *store.Snapshot) error {
	there := identitiesOf(snap)
	u.state.Segments = slices.DeleteFunc(u.state.Segments, func(c covered) bool { return !there[c.Identity] })
	if err := u.calibrate(ctx, r, snap); err != nil {
		return err
	}
	if err := u.dropUnused(); err != nil {
		return err
	}
	if err := u.log.sync(); err != nil {
		return err
	}
	u.state.Stamps = stampsOf(u.log.path)
	return u.commitRows()
}
