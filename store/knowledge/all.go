// Package knowledge reads the beliefs and sessions in one generation of an index: all of them, by
// name, by words, and where their links lead.
//
// It ranks nothing. Parsing is left to store/belief, and meaning to the oracles.
package knowledge

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"

	"patina/store"
	"patina/store/belief"
)

// A File is a belief with its file's text.
type File struct {
	belief.Belief
	Text string
}

// maxBeliefs bounds the beliefs that are read.
const maxBeliefs = 10_000

// All reads the beliefs that have files of their own, by id, then by path.
func All(ctx context.Context, r *store.Reader) ([]File, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	paths := map[int64]string{}
	const query = `SELECT b.key, f.path FROM belief b JOIN file f ON f.key = b.key WHERE b.source = ?`
	err = r.EachRow(ctx, query, []any{string(belief.OwnFile)}, func(scan func(...any) error) error {
		var key int64
		var path string
		err := scan(&key, &path)
		if snap.Members.Has(key) && len(paths) < maxBeliefs {
			paths[key] = path
		}
		return err
	})
	if err != nil {
		return nil, store.Damaged(err)
	}
	var out []File
	for key, path := range paths {
		text, err := r.Text(ctx, key)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return nil, store.Damaged(err)
		}
		out = append(out, File{belief.Parse(path, text), text})
	}
	slices.SortFunc(out, func(a, b File) int { return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Path, b.Path)) })
	return out, nil
}
