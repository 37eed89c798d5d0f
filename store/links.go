package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// CoChanged returns the files that change together with one, most often first. ErrNoDocument says that the history does
// not know the path.
func (r *Reader) CoChanged(ctx context.Context, path string, limit int) ([]Link, error) {
	var id int64
	err := r.conn.QueryRowContext(ctx, `SELECT id FROM path WHERE name = ?`, path).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrNoDocument
	}
	if err != nil {
		return nil, damaged(err)
	}
	rows, err := r.conn.QueryContext(ctx, `SELECT p.name, c.n, c.lift FROM cochange c JOIN path p ON p.id = c.b
		WHERE c.a = ? ORDER BY c.n DESC, c.lift DESC, p.name LIMIT ?`, id, limit)
	if err != nil {
		return nil, damaged(err)
	}
	defer func() { _ = rows.Close() }()
	var out []Link
	for rows.Next() {
		l := Link{Relation: "co-changes"}
		var n int
		var lift float64
		if err := rows.Scan(&l.Target, &n, &lift); err != nil {
			return nil, damaged(err)
		}
		l.Note = fmt.Sprintf("%d commits, lift %.1f", n, lift)
		out = append(out, l)
	}
	return out, damaged(rows.Err())
}

// Touching returns the newest commits that touched a file.
func (r *Reader) Touching(ctx context.Context, path string, limit int) ([]Link, error) {
	snap, err := r.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := r.conn.QueryContext(ctx, `SELECT v.key, v.sha, v.subject FROM path p JOIN touch t ON t.path = p.id
		JOIN revision v ON v.key = t.revision WHERE p.name = ? ORDER BY v.time DESC, v.key DESC`, path)
	if err != nil {
		return nil, damaged(err)
	}
	defer func() { _ = rows.Close() }()
	var out []Link
	for rows.Next() && len(out) < limit {
		var k int64
		var sha, subject string
		if err := rows.Scan(&k, &sha, &subject); err != nil {
			return nil, damaged(err)
		}
		if snap.members.has(k) {
			out = append(out, Link{Relation: "commit", Target: CommitID(sha), Note: subject})
		}
	}
	return out, damaged(rows.Err())
}
