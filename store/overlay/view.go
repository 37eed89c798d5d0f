package overlay

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"patina/store"
	"patina/store/doc"
	"patina/store/folder"
)

// ErrIncomplete is wrapped by errors about kinds that have segments without rows: the next Update
// completes them.
var ErrIncomplete = errors.New("not all texts are embedded yet")

// An Overlay reads the vectors of one model beside an index, as the last Update left them. It is
// safe for concurrent use, also while an Update runs.
type Overlay struct {
	dir, model, name string

	mu    sync.Mutex
	seen  os.FileInfo // the state that was read last; nil before the first
	state *state
	err   error       // of reading it
	rows  *store.Side // of the state's files; nil without a state
}

// Open returns the overlay of a model, given by its id, in a store's folder. Nothing is read before
// the first View.
func Open(dir, model string) *Overlay {
	return &Overlay{dir: dir, model: model, name: folder.ModelName(model)}
}

// Close closes the files until the next View. Views stay valid until they are released.
func (o *Overlay) Close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.rows != nil {
		o.rows.Close()
		o.rows, o.seen = nil, nil
	}
}

// A View is an overlay as one generation of the index sees it.
type View struct {
	*store.Vectors
	// Segments are those of the generation that have rows, with their places there. Their order is
	// that of the generation.
	Segments []*store.Segment
	// Random has the quantiles of the cosines of random pairs of texts by this model, and Table
	// those of the same pairs by the built-in one. Both are empty if there are too few texts.
	Random, Table doc.Calibration

	missing map[doc.Kind]Amount
}

// Covers returns nil if all documents of a kind that the generation sees have rows. Otherwise the
// error wraps ErrIncomplete and says how many have.
func (v *View) Covers(k doc.Kind) error {
	a := v.missing[k]
	if a.Left == 0 {
		return nil
	}
	return fmt.Errorf("%w: %d of %d %s texts", ErrIncomplete, a.Texts-a.Left, a.Texts, k.Label())
}

// View returns the overlay for a generation, which r must see. The caller releases it. It returns
// nil and an error that wraps ErrIncomplete if there is no overlay yet, and one that wraps
// store.ErrDamaged if its files are not as written.
func (o *Overlay) View(ctx context.Context, r *store.Reader) (*View, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	secret, err := r.Secret(ctx)
	if err != nil {
		return nil, err
	}
	for range 3 { // an Update may replace the files between the state and its rows
		var v *View
		if v, err = o.view(snap, secret); err == nil || !errors.Is(err, store.ErrDamaged) {
			return v, err
		}
		o.Close()
	}
	return nil, err
}

func (o *Overlay) view(snap *store.Snapshot, secret string) (*View, error) {
	s, rows, err := o.current()
	if err != nil {
		return nil, err
	}
	if s == nil || s.Seal != secret {
		return nil, ErrIncomplete
	}
	v := &View{Random: s.Random, Table: s.Table, missing: make(map[doc.Kind]Amount)}
	ids := store.MemoOf[identities](&snap.Memo).of(snap)
	end := int64(0)
	for i, g := range snap.Segments {
		if g.Vectors < 0 || g.Live == 0 {
			continue
		}
		k := doc.Kind(g.Space)
		a := v.missing[k]
		a.Texts += g.Live
		if c, ok := s.segment(ids[i]); ok && ids[i] != (key{}) && c.Rows == g.VectorRows() && c.Space == g.Space {
			v.Segments = append(v.Segments, g.At(c.First, c.Sum))
			end = max(end, c.First+c.Rows)
		} else {
			a.Left += g.Live
		}
		v.missing[k] = a
	}
	if v.Vectors, err = rows.Vectors(end); err != nil {
		return nil, err
	}
	if h := v.Header(); h.Model != o.model || h.Dimension != s.Dimension {
		v.Release()
		return nil, fmt.Errorf("the rows are of model %q: %w", h.Model, store.ErrDamaged)
	}
	return v, nil
}

// current returns the state and its rows, read again if the state was replaced. Without a state it
// is nil.
func (o *Overlay) current() (*state, *store.Side, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	info, err := os.Lstat(filepath.Join(o.dir, folder.StateOf(o.name)))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if o.seen != nil && os.SameFile(o.seen, info) && o.seen.ModTime().Equal(info.ModTime()) && o.seen.Size() == info.Size() {
		return o.state, o.rows, o.err
	}
	in, err := folder.Open(o.dir, true) // the seal says whose it is
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = in.Close() }()
	before := o.state
	o.seen = info
	if o.state, o.err = readState(in, o.name); o.err != nil || o.state == nil {
		return o.state, o.rows, o.err
	}
	if o.rows == nil || before == nil || before.File != o.state.File {
		if o.rows != nil {
			o.rows.Close()
		}
		o.rows = store.NewSide(in.RowsOf(o.name, o.state.File), manyVectors)
	}
	return o.state, o.rows, nil
}

// identities are those of a generation's segments, which a view compares.
type identities struct {
	once sync.Once
	all  []key
}

func (x *identities) of(snap *store.Snapshot) []key {
	x.once.Do(func() {
		x.all = make([]key, len(snap.Segments))
		for i, g := range snap.Segments {
			x.all[i], _ = identityOf(g)
		}
	})
	return x.all
}
