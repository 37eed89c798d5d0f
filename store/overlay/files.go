package overlay

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"patina/store"
	"patina/store/doc"
	"patina/store/folder"
	"patina/store/vector"
)

// openFiles reads the state and the rows. Damaged rows are left out, named in the
// report, and made anew.
func (u *updater) openFiles(ctx context.Context) error {
	secret := ""
	err := u.pinned(ctx, func(r *store.Reader, _ *store.Snapshot) (err error) {
		secret, err = r.Secret(ctx)
		return err
	})
	if err != nil {
		return err
	}
	s, err := readState(u.in, u.name)
	if err != nil && !errors.Is(err, doc.ErrDamaged) {
		return err
	}
	u.damaged(err)
	if s != nil && (s.Seal != secret || s.Dimension != u.model.Dimension()) {
		s = nil // another user's, or another build of the model
	}
	if s == nil {
		if err := u.in.RemoveModel(u.name, false, 0); err != nil {
			return err
		}
		s = &state{Format: stateFormat, Model: u.model.Model(), Dimension: u.model.Dimension(), Seal: secret, File: newFile(0)}
		if err := s.writeState(u.in); err != nil { // even if no segment gets completed
			return err
		}
	}
	u.state, s.Stamps = s, nil
	if err := u.in.RemoveModel(u.name, true, s.File); err != nil { // left by a crash
		return err
	}
	u.log, err = openLog(u.in.RowsOf(u.name, s.File), u.header())
	if errors.Is(err, doc.ErrDamaged) {
		u.damaged(err)
		return u.renewFiles()
	}
	if err != nil {
		return err
	}
	return u.verify()
}

// newFile returns a number for new files that no files of the model have had, so that a reader
// never takes them for older ones.
func newFile(last uint64) uint64 { return max(last+1, uint64(time.Now().UnixMilli())) }

func (u *updater) header() vector.Header {
	return vector.Header{Model: u.model.Model(), Dimension: u.model.Dimension()}
}

// damaged notes damage for the report.
func (u *updater) damaged(err error) {
	if err != nil && u.report.Damaged == "" {
		u.report.Damaged = err.Error()
	}
}

// renewFiles begins new files, without any rows, because the present ones cannot be used.
func (u *updater) renewFiles() (err error) {
	u.state.File = newFile(u.state.File)
	u.state.Segments, u.state.Sample, u.state.Sampled = nil, nil, nil
	if err := u.state.writeState(u.in); err != nil {
		return err
	}
	u.log, err = openLog(u.in.RowsOf(u.name, u.state.File), u.header())
	return err
}

// verify compares the segments of the state with the rows, and leaves damaged ones out. If the
// keys lack rows that readers may use, the rows must not be cut off, so all sound ones are written
// to new files.
func (u *updater) verify() error {
	need := u.state.rowsNeeded()
	if u.log.damaged > 0 {
		u.damaged(fmt.Errorf("%d rows of %s are not as written", u.log.damaged, folder.VectorsOf(u.log.path)))
	}
	cut := u.log.rows < need
	u.state.Segments = slices.DeleteFunc(u.state.Segments, func(c covered) bool {
		if c.First+c.Rows > u.log.rows {
			u.damaged(fmt.Errorf("%s lacks rows", folder.KeysOf(u.log.path)))
			u.changed = true
			return true
		}
		if u.log.damaged == 0 { // all blocks were compared
			return false
		}
		sum, err := u.log.sum(c.First, c.Rows)
		if err == nil && sum == c.Sum {
			return false
		}
		u.damaged(fmt.Errorf("vectors of %s are not as written", folder.VectorsOf(u.log.path)))
		u.changed = true
		return true
	})
	if !cut {
		return nil
	}
	return u.rewrite(u.log.at)
}

// fewGarbage is the number of unused rows that are never worth a compaction.
const fewGarbage = 1024

// dropUnused writes the rows in use to new files if over half of the rows are not.
func (u *updater) dropUnused() error {
	if used := u.state.live() + int64(len(u.state.Sample)); u.log.rows <= 2*used+fewGarbage {
		return nil
	}
	also := make(map[key]int64, len(u.state.Sample))
	for _, k := range u.state.Sample {
		if row, ok := u.log.at[k]; ok {
			also[k] = row
		}
	}
	return u.rewrite(also)
}

// rewrite copies all segments to new files, and the rows of other texts. Readers go over to them
// with the new state.
func (u *updater) rewrite(also map[key]int64) (err error) {
	number := newFile(u.state.File)
	to, err := openLog(u.in.RowsOf(u.name, number), u.header())
	if err != nil {
		return err
	}
	keys, err := u.log.allKeys()
	if err == nil {
		err = copyRows(u.log, to, keys, u.state.Segments, also)
	}
	if err == nil {
		err = to.sync()
	}
	if err != nil {
		return errors.Join(err, to.closeFiles())
	}
	old := u.log
	u.log, u.state.File = to, number
	if err := errors.Join(u.commitRows(), old.closeFiles()); err != nil {
		return err
	}
	return u.in.RemoveModel(u.name, true, u.state.File)
}

// copyRows copies segments, whose places it changes, and the rows of texts that are then missing.
func copyRows(from, to *rowLog, keys []key, segments []covered, also map[key]int64) error {
	for i, c := range segments {
		first := to.rows
		for at := c.First; at < c.First+c.Rows; at += windowRows {
			n := min(windowRows, c.First+c.Rows-at)
			rows, err := from.slice(at, n)
			if err != nil {
				return err
			}
			if err := to.appendRows(keys[at:at+n], rows); err != nil {
				return err
			}
		}
		segments[i].First = first
	}
	for k, row := range also {
		if _, has := to.at[k]; has {
			continue
		}
		rows, err := from.slice(row, 1)
		if err != nil {
			return err
		}
		if err := to.appendRows([]key{k}, rows); err != nil {
			return err
		}
	}
	return nil
}

// Remove removes the vectors of a model, given by its id, from an index's folder. It reports
// whether there were some. The error wraps store.ErrLocked if vectors are being made.
func Remove(ctx context.Context, x Index, model string) (removed bool, err error) {
	return removeAll(ctx, x, func(name string) bool { return name == folder.ModelName(model) })
}

// Keep removes the vectors of all models but the given ones.
func Keep(ctx context.Context, x Index, models []string) error {
	var kept []string
	for _, m := range models {
		kept = append(kept, folder.ModelName(m))
	}
	_, err := removeAll(ctx, x, func(name string) bool { return !slices.Contains(kept, name) })
	return err
}

func removeAll(ctx context.Context, x Index, remove func(name string) bool) (removed bool, err error) {
	in, err := folder.Open(x.Dir, x.Seal.Anyone)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	names, err := in.ModelNames()
	names = slices.DeleteFunc(names, func(name string) bool { return !remove(name) })
	if err != nil || len(names) == 0 {
		return false, err
	}
	lock, err := in.LockModels(ctx, lockWait)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	for _, name := range names {
		if err := in.RemoveModel(name, false, 0); err != nil {
			return false, fmt.Errorf("remove the vectors of a model: %w", err)
		}
	}
	return true, nil
}
