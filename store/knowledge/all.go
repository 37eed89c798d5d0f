// Package knowledge reads the beliefs and sessions in one generation of an index: all of them, by
// name, by words, and where their links lead.
//
// It ranks nothing. Parsing is left to store/belief, standing to package standing.
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

// All reads the beliefs in an index, by id, then by path.
func All(ctx context.Context, r *store.Reader) ([]File, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	files, err := r.Files(ctx, snap)
	if err != nil {
		return nil, err
	}
	var out []File
	for _, f := range files {
		if !belief.IsPath(f.Path) || len(out) == maxBeliefs {
			continue
		}
		text, err := r.Text(ctx, f.Key)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return nil, store.Damaged(err)
		}
		out = append(out, File{belief.Parse(f.Path, text), text})
	}
	slices.SortFunc(out, func(a, b File) int { return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Path, b.Path)) })
	return out, nil
}
