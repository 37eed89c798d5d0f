package overlay

import (
	"context"
	"os"
	"slices"
	"time"

	"patina/store"
	"patina/store/folder"
)

// isUpToDate reports whether an Update has nothing to do: no text is missing, nothing is to be
// forgotten, and the files have the stamps that they had when all rows were last compared. It reads
// no row. The error is that of the index.
func (u *updater) isUpToDate(ctx context.Context) (done bool, err error) {
	s, err := readState(u.in, u.name)
	if err != nil || s == nil || s.Dimension != u.model.Dimension() {
		return false, nil // openFiles says why
	}
	stamps := stampsOf(u.in.RowsOf(u.name, s.File))
	if stamps == nil || !slices.Equal(stamps, s.Stamps) {
		return false, nil
	}
	u.state = s
	err = u.pinned(ctx, func(r *store.Reader, snap *store.Snapshot) error {
		secret, err := r.Secret(ctx)
		done = err == nil && s.Seal == secret && u.coversAll(snap)
		return err
	})
	if err != nil || !done {
		return false, err
	}
	return true, u.in.RemoveModel(u.name, true, s.File) // what a crash has left
}

// coversAll reports whether the state covers the wanted kinds of a generation, and no segment that
// is gone.
func (u *updater) coversAll(snap *store.Snapshot) bool {
	if missing, _ := u.missing(snap.Segments); len(missing) > 0 {
		return false
	}
	there := identitiesOf(snap)
	if slices.ContainsFunc(u.state.Segments, func(c covered) bool { return !there[c.Identity] }) {
		return false
	}
	return len(u.state.Segments) == 0 || slices.Equal(u.state.Sampled, sampleID(snap.Model, chooseSample(snap)))
}

// identitiesOf returns the identities of a generation's segments.
func identitiesOf(snap *store.Snapshot) map[key]bool {
	all := make(map[key]bool, len(snap.Segments))
	for _, g := range snap.Segments {
		if id, ok := identityOf(g); ok {
			all[id] = true
		}
	}
	return all
}

// stampsOf returns the stamps of the files of rows and keys, or nil if one is not there.
func stampsOf(rows string) (all []stamp) {
	for _, path := range []string{folder.VectorsOf(rows), folder.KeysOf(rows)} {
		info, err := os.Lstat(path)
		if err != nil || !info.Mode().IsRegular() {
			return nil
		}
		all = append(all, stamp{info.Size(), info.ModTime().UnixNano()})
	}
	return all
}

// Distrust lets the next Update compare all rows again, because a reader has found damage. It
// changes the time of the file of rows. Where it may not, nothing happens.
func (o *Overlay) Distrust() {
	o.mu.Lock()
	s := o.state
	o.mu.Unlock()
	if s == nil {
		return
	}
	in, err := folder.Open(o.dir, true)
	if err != nil {
		return
	}
	defer func() { _ = in.Close() }()
	path := folder.VectorsOf(in.RowsOf(o.name, s.File))
	_ = os.Chtimes(path, time.Time{}, time.Now())
}
