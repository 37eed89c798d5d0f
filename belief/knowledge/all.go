// Package knowledge reads the beliefs and sessions in one generation of an index: all of them, by
// name, by words, the targets of their links, and the code that they are about.
//
// It ranks nothing. Parsing is left to belief, and meaning to the oracles. It is not a part of
// belief because it imports store, which imports belief.
package knowledge

import (
	"context"
	"database/sql"
	"errors"

	"patina/belief"
	"patina/store"
)

// A File is a belief with its file's text.
type File struct {
	belief.Belief
	Text string
}

// All returns the beliefs with files of their own and the active decisions, by id, then by path.
func All(ctx context.Context, r *store.Reader) ([]File, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	h, err := heldOf(ctx, r, snap)
	if err != nil {
		return nil, err
	}
	var out []File
	for _, x := range h.all {
		if x.Source == belief.Decision && x.Status != belief.Active {
			continue
		}
		text, err := r.Text(ctx, x.Key)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return nil, store.Damaged(err)
		}
		b := x.Belief
		if x.Source == belief.OwnFile {
			b = belief.Parse(x.Path, text)
			b.ByOthers = x.ByOthers
		}
		out = append(out, File{b, text})
	}
	return out, nil
}
