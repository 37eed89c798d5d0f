package history

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"patina/code/lookup"
	"patina/store"
	"patina/store/doc"
)

// CoChanged returns the existing files that change together with a file, most often first. It
// returns lookup.ErrNoDocument if the history does not know the path.
func CoChanged(ctx context.Context, r *store.Reader, path string, limit int) ([]doc.Link, error) {
	return coChanged(ctx, r, path, limit, byCount, func(string) bool { return true })
}

// These are the orders of co-changes. By count, files that change with everything come first. Lift
// compares the count with chance, but is too high for few commits.
const (
	byCount = `ORDER BY c.n DESC, c.lift DESC, p.name`
	byLift  = `AND c.n >= 3 AND c.lift >= 1 ORDER BY c.lift * c.n / (c.n + 10.0) DESC, c.n DESC, p.name`
)

// coChanged returns at most limit existing files that pass wanted. order must be byCount or byLift.
func coChanged(
	ctx context.Context, r *store.Reader, path string, limit int, order string, wanted func(path string) bool,
) ([]doc.Link, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	var id int64
	err = r.QueryRow(ctx, `SELECT id FROM path WHERE name = ?`, path).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, lookup.ErrNoDocument
	}
	if err != nil {
		return nil, store.Damaged(err)
	}
	rows, err := r.Query(ctx, `SELECT p.name, c.n, c.lift FROM cochange c JOIN path p ON p.id = c.b
		WHERE c.a = ? `+order, id)
	if err != nil {
		return nil, store.Damaged(err)
	}
	defer func() { _ = rows.Close() }()
	var out []doc.Link
	for len(out) < limit && rows.Next() {
		l := doc.Link{Relation: "co-changes"}
		var n int
		var lift float64
		if err := rows.Scan(&l.Target, &n, &lift); err != nil {
			return nil, store.Damaged(err)
		}
		if !wanted(l.Target) {
			continue
		}
		if here, err := Holds(ctx, r, snap, l.Target); err != nil || !here {
			if err != nil {
				return nil, store.Damaged(err)
			}
			continue
		}
		l.Note = fmt.Sprintf("%d commits, lift %.1f", n, lift)
		out = append(out, l)
	}
	return out, store.Damaged(rows.Err())
}

const touchingInEra = `SELECT v.key, v.sha, v.subject, v.time
	FROM touch t JOIN revision v ON v.key = t.revision
	WHERE t.path = ? AND t.revision > ? AND t.revision <= ? ORDER BY v.time DESC, v.key DESC`

// Touching returns the newest commits that touched a file, and their total number. Each note has
// the day, the subject, and the file's path at that time if it differs.
func Touching(
	ctx context.Context, r *store.Reader, path string, limit int,
) (newest []doc.Link, total int, err error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, 0, err
	}
	eras, err := Eras(ctx, r, snap, path)
	if err != nil {
		return nil, 0, store.Damaged(err)
	}
	type dated struct {
		key, at int64
		link    doc.Link
	}
	var found []dated
	seen := make(map[int64]bool) // a commit that renames the file touches both of its paths
	for _, e := range eras {
		n := 0
		era := []any{e.ID, e.After, e.Until}
		err := r.EachRow(ctx, touchingInEra, era, func(scan func(...any) error) error {
			var d dated
			var sha, subject string
			err := scan(&d.key, &sha, &subject, &d.at)
			if err != nil || seen[d.key] || !snap.Members.Has(d.key) {
				return err
			}
			seen[d.key] = true
			if n++; n > limit {
				return nil
			}
			note := doc.Unix(d.at).Format(time.DateOnly)
			if e.Path != path {
				note += " as " + e.Path + ":"
			}
			d.link = doc.Link{
				Relation: "commit", Target: doc.CommitID(sha), Note: note + " " + subject,
			}
			found = append(found, d)
			return nil
		})
		if err != nil {
			return nil, 0, store.Damaged(err)
		}
	}
	slices.SortFunc(found, func(x, y dated) int {
		return cmp.Or(cmp.Compare(y.at, x.at), cmp.Compare(y.key, x.key))
	})
	for _, d := range found[:min(limit, len(found))] {
		newest = append(newest, d.link)
	}
	return newest, len(seen), nil
}
