package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
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
	err = r.queryRow(ctx, `SELECT id FROM path WHERE name = ?`, path).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrNoDocument
	}
	if err != nil {
		return nil, damaged(err)
	}
	rows, err := r.query(ctx, `SELECT p.name, c.n, c.lift FROM cochange c JOIN path p ON p.id = c.b
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

// Touching returns the newest commits that touched a file, each with its day and subject, and its path where it had another one, and
// how many there are in all.
func (r *Reader) Touching(ctx context.Context, path string, limit int) (newest []Link, total int, err error) {
	snap, err := r.snapshot(ctx)
	if err != nil {
		return nil, 0, err
	}
	eras, err := r.eras(ctx, snap, path)
	if err != nil {
		return nil, 0, damaged(err)
	}
	type dated struct {
		key, at int64
		link    Link
	}
	var found []dated
	seen := make(map[int64]bool) // a commit that renames the file touches it under both of its paths
	for _, e := range eras {
		n := 0
		err := r.eachRow(ctx, `SELECT v.key, v.sha, v.subject, v.time FROM touch t JOIN revision v ON v.key = t.revision
			WHERE t.path = ? AND t.revision > ? AND t.revision <= ? ORDER BY v.time DESC, v.key DESC`, []any{e.id, e.after, e.until}, func(scan func(...any) error) error {
			var d dated
			var sha, subject string
			if err := scan(&d.key, &sha, &subject, &d.at); err != nil || seen[d.key] || !snap.members.has(d.key) {
				return err
			}
			seen[d.key] = true
			if n++; n > limit {
				return nil
			}
			note := unix(d.at).Format(time.DateOnly)
			if e.path != path {
				note += " as " + e.path + ":"
			}
			d.link = Link{Relation: "commit", Target: CommitID(sha), Note: note + " " + subject}
			found = append(found, d)
			return nil
		})
		if err != nil {
			return nil, 0, damaged(err)
		}
	}
	slices.SortFunc(found, func(x, y dated) int { return cmp.Or(cmp.Compare(y.at, x.at), cmp.Compare(y.key, x.key)) })
	for _, d := range found[:min(limit, len(found))] {
		newest = append(newest, d.link)
	}
	return newest, len(seen), nil
}
