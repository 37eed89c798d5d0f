package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// CoChanged returns the files of the tree that change together with one, most often first: what is gone leads nowhere.
// ErrNoDocument says that the history does not know the path.
func (r *Reader) CoChanged(ctx context.Context, path string, limit int) ([]Link, error) {
	return r.coChanged(ctx, path, limit, func(string) bool { return true })
}

// coChanged returns the files that pass wanted.
func (r *Reader) coChanged(ctx context.Context, path string, limit int, wanted func(path string) bool) ([]Link, error) {
	snap, err := r.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	var id int64
	err = r.conn.QueryRowContext(ctx, `SELECT id FROM path WHERE name = ?`, path).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrNoDocument
	}
	if err != nil {
		return nil, damaged(err)
	}
	rows, err := r.conn.QueryContext(ctx, `SELECT p.name, c.n, c.lift FROM cochange c JOIN path p ON p.id = c.b
		WHERE c.a = ? ORDER BY c.n DESC, c.lift DESC, p.name`, id)
	if err != nil {
		return nil, damaged(err)
	}
	defer func() { _ = rows.Close() }()
	var out []Link
	for len(out) < limit && rows.Next() {
		l := Link{Relation: "co-changes"}
		var n int
		var lift float64
		if err := rows.Scan(&l.Target, &n, &lift); err != nil {
			return nil, damaged(err)
		}
		if !wanted(l.Target) {
			continue
		}
		if here, err := r.holds(ctx, snap, l.Target); err != nil || !here {
			if err != nil {
				return nil, damaged(err)
			}
			continue
		}
		l.Note = fmt.Sprintf("%d commits, lift %.1f", n, lift)
		out = append(out, l)
	}
	return out, damaged(rows.Err())
}

// holds tells whether the view has a file of that path.
func (r *Reader) holds(ctx context.Context, snap *snapshot, path string) (bool, error) {
	rows, err := r.conn.QueryContext(ctx, `SELECT key FROM file WHERE path = ?`, path)
	if err != nil {
		return false, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var key int64
		if err := rows.Scan(&key); err != nil {
			return false, err
		}
		if snap.members.has(key) {
			return true, nil
		}
	}
	return false, rows.Err()
}

// Touching returns the newest commits that touched a file, each with its day and subject.
func (r *Reader) Touching(ctx context.Context, path string, limit int) ([]Link, error) {
	snap, err := r.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := r.conn.QueryContext(ctx, `SELECT v.key, v.sha, v.subject, v.time FROM path p JOIN touch t ON t.path = p.id
		JOIN revision v ON v.key = t.revision WHERE p.name = ? ORDER BY v.time DESC, v.key DESC`, path)
	if err != nil {
		return nil, damaged(err)
	}
	defer func() { _ = rows.Close() }()
	var out []Link
	for rows.Next() && len(out) < limit {
		var k, at int64
		var sha, subject string
		if err := rows.Scan(&k, &sha, &subject, &at); err != nil {
			return nil, damaged(err)
		}
		if snap.members.has(k) {
			out = append(out, Link{Relation: "commit", Target: CommitID(sha), Note: unix(at).Format(time.DateOnly) + " " + subject})
		}
	}
	return out, damaged(rows.Err())
}
