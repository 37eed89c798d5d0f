package history

import (
	"context"
	"math"
	"slices"

	"patina/store"
)

// PathsNow returns the present paths of files named in a commit, by path id. It leaves out files
// that no longer exist.
func PathsNow(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, ids []int64, commit int64,
) (map[int64]string, error) {
	here := make(heldFiles)
	if err := addHeld(ctx, r, snap, ids, here); err != nil {
		return nil, err
	}
	left, err := traceMoves(ctx, r, snap, slices.DeleteFunc(slices.Clone(ids), here.isHeld), here)
	now := make(map[int64]string, len(ids))
	for _, id := range ids {
		if to := here[left.Now(id, commit, here.isHeld)].Path; to != "" {
			now[id] = to
		}
	}
	return now, err
}

// An Era is a time in which a file had a path: the commits with keys above After, up to Until.
type Era struct {
	ID           int64
	Path         string
	After, Until int64
}

// Eras returns the paths of a file: its own first, then earlier ones. It returns nil if no commit
// touched the path. A file's own path counts for all time, even if another file had it before, as
// in git log PATH.
func Eras(ctx context.Context, r *store.Reader, snap *store.Snapshot, path string) ([]Era, error) {
	var out []Era
	seen := make(map[[2]int64]bool) // by path id and commit
	begin := func(scan func(...any) error) error {
		var e Era
		err := scan(&e.ID, &e.Path, &e.Until)
		if m := [2]int64{e.ID, e.Until}; err == nil && !seen[m] &&
			(e.Until == math.MaxInt64 || snap.Members.Has(e.Until)) {
			seen[m] = true
			out = append(out, e)
		}
		return err
	}
	err := r.EachRow(ctx, `SELECT id, name, ? FROM path WHERE name = ?`, []any{int64(math.MaxInt64), path}, begin)
	for i := 0; i < len(out) && err == nil; i++ {
		if i > 0 {
			err = findBounds(ctx, r, snap, &out[i])
		}
		if err == nil {
			err = r.EachRow(ctx, `SELECT p.id, p.name, m.revision FROM move m JOIN path p ON p.id = m.old
				WHERE m.new = ? AND m.revision > ? AND m.revision <= ? ORDER BY m.revision DESC, p.name`,
				[]any{out[i].ID, out[i].After, out[i].Until}, begin)
		}
	}
	return out, err
}

// findBounds sets the beginning of an era, and its end if it has one. e.Until must be the commit
// that renamed the path.
func findBounds(ctx context.Context, r *store.Reader, snap *store.Snapshot, e *Era) error {
	last := int64(0)
	err := r.EachRow(ctx, `SELECT revision FROM move WHERE old = ?`, []any{e.ID}, func(scan func(...any) error) error {
		var at int64
		err := scan(&at)
		if err == nil && snap.Members.Has(at) {
			last = max(last, at)
			if at < e.Until {
				e.After = max(e.After, at)
			}
		}
		return err
	})
	if err != nil || last != e.Until {
		return err
	}
	if here, err := Holds(ctx, r, snap, e.Path); here || err != nil {
		return err
	}
	e.Until = math.MaxInt64 // no other file has had the path since, as in doc.Moves.Now
	return nil
}

// Holds reports whether the view has a file with a path.
func Holds(ctx context.Context, r *store.Reader, snap *store.Snapshot, path string) (bool, error) {
	rows, err := r.Query(ctx, `SELECT key FROM file WHERE path = ?`, path)
	if err != nil {
		return false, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var key int64
		if err := rows.Scan(&key); err != nil {
			return false, store.Damaged(err)
		}
		if snap.Members.Has(key) {
			return true, nil
		}
	}
	return false, rows.Err()
}
