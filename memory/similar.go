package memory

import (
	"context"

	"patina/store"
	"patina/store/sqlite"
)

// Memories at least so near are similar. It says nothing about whether they agree.
const (
	similarFrom = .7
	maxSimilar  = 5
)

// A Likeness is a memory near to another one.
type Likeness struct {
	ID     string  `json:"id"`
	Cosine float64 `json:"cosine"`
}

// Similar returns the current memories nearest to one, by the vectors that Embed has made.
func (s *Store) Similar(ctx context.Context, model store.Embedder, m Memory) (out []Likeness, err error) {
	allowed, err := s.allowed(ctx, Filter{})
	if err != nil {
		return nil, err
	}
	found, err := s.nearest(ctx, model, VectorOf(model, m), 4*maxSimilar, allowed)
	if err != nil {
		return nil, sqlite.Explain(err)
	}
	for _, n := range found {
		if n.cosine < similarFrom || len(out) == maxSimilar {
			break
		}
		other, err := list(ctx, s.db, ` WHERE key = ?`, n.key)
		if err != nil {
			return nil, err
		}
		if len(other) > 0 && other[0].ID != m.ID {
			out = append(out, Likeness{other[0].ID, n.cosine})
		}
	}
	return out, nil
}
