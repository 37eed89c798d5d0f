package knowledge

import (
	"context"
	"slices"
	"strings"
	"sync"

	"patina/standing"
	"patina/store"
	"patina/store/belief"
)

// A Held is an active belief.
type Held struct {
	Key      int64
	ID, Path string
	Standing float64 // package standing, from 0 to 1
}

// held keeps the active beliefs of a generation, once they were read.
type held struct {
	mu   sync.Mutex
	read bool
	all  map[int64]Held
}

// Active returns the active beliefs by key. They are read once a generation; callers must not
// change them.
func Active(ctx context.Context, r *store.Reader, snap *store.Snapshot) (map[int64]Held, error) {
	h := store.MemoOf[held](&snap.Memo)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.read {
		return h.all, nil
	}
	all, err := active(ctx, r, snap)
	if err != nil {
		return nil, store.Damaged(err)
	}
	h.all, h.read = all, true
	return all, nil
}

func active(ctx context.Context, r *store.Reader, snap *store.Snapshot) (map[int64]Held, error) {
	claims := map[int64]*standing.Claim{}
	all := map[int64]Held{}
	const beliefs = `SELECT b.key, b.id, b.status, b.entrenchment, f.path FROM belief b JOIN file f ON f.key = b.key`
	err := r.EachRow(ctx, beliefs, nil, func(scan func(...any) error) error {
		var x Held
		var status string
		c := &standing.Claim{}
		err := scan(&x.Key, &x.ID, &status, &c.Entrenchment, &x.Path)
		if err == nil && snap.Members.Has(x.Key) && len(claims) < maxBeliefs {
			c.ID, c.Held = x.ID, status == belief.Active || status == belief.Scoped
			if claims[x.Key] = c; status == belief.Active {
				all[x.Key] = x
			}
		}
		return err
	})
	if err != nil || len(claims) == 0 {
		return nil, err
	}
	if err := addEdges(ctx, r, claims); err != nil {
		return nil, err
	}
	inOrder := make([]standing.Claim, 0, len(claims))
	for _, c := range claims {
		inOrder = append(inOrder, *c)
	}
	slices.SortFunc(inOrder, func(a, b standing.Claim) int { return strings.Compare(a.ID, b.ID) })
	g := standing.Of(inOrder)
	for k, x := range all {
		x.Standing, _ = g.Score(x.ID)
		all[k] = x
	}
	return all, nil
}

func addEdges(ctx context.Context, r *store.Reader, claims map[int64]*standing.Claim) error {
	const edges = `SELECT belief, relation, target, status, confidence FROM belief_edge ORDER BY belief, ordinal`
	return r.EachRow(ctx, edges, nil, func(scan func(...any) error) error {
		var key int64
		var relation string
		var l standing.Link
		err := scan(&key, &relation, &l.Target, &l.Status, &l.Confidence)
		if c := claims[key]; c != nil {
			switch relation {
			case "supports":
				c.Supports = append(c.Supports, l)
			case "attacks":
				c.Attacks = append(c.Attacks, l)
			default:
				c.AttackedBy = append(c.AttackedBy, l)
			}
		}
		return err
	})
}
