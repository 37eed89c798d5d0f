package store

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// moves records renames in commits, oldest first, by the old path's id.
type moves map[int64][]moved

// A moved file has another path since the commit with key at.
type moved struct{ to, at int64 }

// next returns a path's first rename at or after a commit.
func (m moves) next(path, commit int64) (x moved, ok bool) {
	ms := m[path]
	i, _ := slices.BinarySearchFunc(ms, commit, func(x moved, at int64) int { return cmp.Compare(x.at, at) })
	if i == len(ms) {
		return moved{}, false
	}
	return ms[i], true
}

// last follows all renames at or after a commit.
func (m moves) last(path, commit int64) int64 {
	for {
		x, ok := m.next(path, commit)
		if !ok {
			return path
		}
		path, commit = x.to, x.at+1
	}
}

// Now returns the present path for a path in a commit, both by id and key. It follows renames from
// that commit on until a path is held. If there is no later rename, the last one counts: a merged
// branch can come after a rename it does not know. The result may not be held: then the file is
// gone.
func (m moves) Now(path, commit int64, held func(path int64) bool) int64 {
	for first := true; !held(path); first = false {
		x, ok := m.next(path, commit)
		if ms := m[path]; !ok && first && len(ms) > 0 {
			x, ok = ms[len(ms)-1], true
		}
		if !ok {
			return path
		}
		path, commit = x.to, x.at+1
	}
	return path
}

// later returns all new paths in the renames.
func (m moves) later() (paths []int64) {
	for _, ms := range m {
		for _, x := range ms {
			paths = append(paths, x.to)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// By reports whether a commit renamed the path.
func (m moves) By(path, commit int64) bool {
	return slices.ContainsFunc(m[path], func(x moved) bool { return x.at == commit })
}

func (m moves) add(from, to, at int64) { m[from] = append(m[from], moved{to, at}) }

func (m moves) sort() {
	for _, ms := range m {
		slices.SortFunc(ms, func(x, y moved) int { return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.to, y.to)) })
	}
}

// AllMoves returns the renames in members' commits.
func AllMoves(ctx context.Context, q querier, members Bitmap) (moves, error) {
	m := make(moves)
	err := eachRow(ctx, q, `SELECT old, new, revision FROM move`, nil, func(scan func(...any) error) error {
		var from, to, at int64
		err := scan(&from, &to, &at)
		if members.Has(at) {
			m.add(from, to, at)
		}
		return err
	})
	m.sort()
	return m, err
}

// movesOf returns the renames for paths, by id, and for their new paths, in the view's commits.
func (r *Reader) movesOf(ctx context.Context, snap *Snapshot, paths []int64) (moves, error) {
	m := make(moves)
	asked := make(map[int64]bool)
	for len(paths) > 0 {
		for _, p := range paths {
			asked[p] = true
		}
		var next []int64
		err := r.RowsIn(ctx, `SELECT old, new, revision FROM move WHERE old IN `, paths, func(scan func(...any) error) error {
			var from, to, at int64
			err := scan(&from, &to, &at)
			if err == nil && snap.Members.Has(at) {
				m.add(from, to, at)
				if !asked[to] {
					asked[to] = true
					next = append(next, to)
				}
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		paths = next
	}
	m.sort()
	return m, nil
}

// heldFiles are files in a view, by path id.
type heldFiles map[int64]HeldFile

// A HeldFile is a file in a view.
type HeldFile struct {
	Key  int64
	Path string
	kind Kind
}

func (h heldFiles) held(path int64) bool { return h[path].Path != "" }

// hold adds the view's files with the given path ids.
func (r *Reader) hold(ctx context.Context, snap *Snapshot, paths []int64, to heldFiles) error {
	return r.RowsIn(ctx, `SELECT p.id, f.key, f.path, f.kind FROM path p JOIN file f ON f.path = p.name WHERE p.id IN `, paths, func(scan func(...any) error) error {
		var id int64
		var x HeldFile
		err := scan(&id, &x.Key, &x.Path, &x.kind)
		if err == nil && snap.Members.Has(x.Key) {
			to[id] = x
		}
		return err
	})
}

// trace follows missing paths. It returns their renames and adds the files these lead to.
func (r *Reader) trace(ctx context.Context, snap *Snapshot, gone []int64, to heldFiles) (moves, error) {
	left, err := r.movesOf(ctx, snap, gone)
	if err != nil {
		return nil, err
	}
	return left, r.hold(ctx, snap, left.later(), to)
}

// PathsNow returns the present paths for files named in a commit, by path id. Missing files are
// left out.
func (r *Reader) PathsNow(ctx context.Context, snap *Snapshot, ids []int64, commit int64) (map[int64]string, error) {
	here := make(heldFiles)
	if err := r.hold(ctx, snap, ids, here); err != nil {
		return nil, err
	}
	left, err := r.trace(ctx, snap, slices.DeleteFunc(slices.Clone(ids), here.held), here)
	now := make(map[int64]string, len(ids))
	for _, id := range ids {
		if to := here[left.Now(id, commit, here.held)].Path; to != "" {
			now[id] = to
		}
	}
	return now, err
}

// An era is the time in which a file had a path: commits with keys above After, up to Until.
type era struct {
	Id           int64
	Path         string
	After, Until int64
}

// Eras returns a file's paths: its own first, then earlier ones. A path that no commit touched has
// none. A file's own path counts for all time, even if another file had it before, as in git log
// PATH.
func (r *Reader) Eras(ctx context.Context, snap *Snapshot, path string) ([]era, error) {
	var out []era
	seen := make(map[moved]bool) // by path id and commit
	begin := func(scan func(...any) error) error {
		var e era
		err := scan(&e.Id, &e.Path, &e.Until)
		if m := (moved{e.Id, e.Until}); err == nil && !seen[m] && (e.Until == math.MaxInt64 || snap.Members.Has(e.Until)) {
			seen[m] = true
			out = append(out, e)
		}
		return err
	}
	err := r.EachRow(ctx, `SELECT id, name, ? FROM path WHERE name = ?`, []any{int64(math.MaxInt64), path}, begin)
	for i := 0; i < len(out) && err == nil; i++ {
		if i > 0 {
			err = r.bound(ctx, snap, &out[i])
		}
		if err == nil {
			err = r.EachRow(ctx, `SELECT p.id, p.name, m.revision FROM move m JOIN path p ON p.id = m.old WHERE m.new = ? AND m.revision > ? AND m.revision <= ?
				ORDER BY m.revision DESC, p.name`, []any{out[i].Id, out[i].After, out[i].Until}, begin)
		}
	}
	return out, err
}

// bound finds an era's beginning, and whether it has ended. Until is the commit that took the path
// away.
func (r *Reader) bound(ctx context.Context, snap *Snapshot, e *era) error {
	last := int64(0)
	err := r.EachRow(ctx, `SELECT revision FROM move WHERE old = ?`, []any{e.Id}, func(scan func(...any) error) error {
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
	if here, err := r.Holds(ctx, snap, e.Path); here || err != nil {
		return err
	}
	e.Until = math.MaxInt64 // no file has it since, as in Now
	return nil
}

// PathNames returns all paths in the history, by id.
func (r *Reader) PathNames(ctx context.Context) (map[int64]string, error) {
	rows, err := r.Query(ctx, `SELECT id, name FROM path`)
	if err != nil {
		return nil, Damaged(err)
	}
	defer func() { _ = rows.Close() }()
	names := make(map[int64]string)
	for rows.Next() {
		var id int64
		var name string
		if err := rows.Scan(&id, &name); err != nil {
			return nil, Damaged(err)
		}
		names[id] = name
	}
	return names, Damaged(rows.Err())
}

// Holds reports whether the view has a file at a path.
func (r *Reader) Holds(ctx context.Context, snap *Snapshot, path string) (bool, error) {
	rows, err := r.Query(ctx, `SELECT key FROM file WHERE path = ?`, path)
	if err != nil {
		return false, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var key int64
		if err := rows.Scan(&key); err != nil {
			return false, Damaged(err)
		}
		if snap.Members.Has(key) {
			return true, nil
		}
	}
	return false, rows.Err()
}
