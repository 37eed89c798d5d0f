package knowledge

import (
	"context"
	"strings"
	"sync"

	"patina/belief"
	"patina/belief/standing"
	"patina/store"
)

// A Held is a belief with its key and its standing.
type Held struct {
	belief.Belief
	Key      int64
	Standing float64 // by package standing, from 0 to 1
}

// held keeps the beliefs of a generation once they are read.
type held struct {
	mu     sync.Mutex
	read   bool
	all    []Held
	at     map[int64]int     // places in all, by key
	paths  map[string]string // by id, in lower case
	active map[int64]Held
}

// Active returns the active beliefs by key. They are read once in a generation. Callers must not
// change the map.
func Active(ctx context.Context, r *store.Reader, snap *store.Snapshot) (map[int64]Held, error) {
	h, err := heldOf(ctx, r, snap)
	if err != nil {
		return nil, err
	}
	return h.active, nil
}

// Beliefs returns all beliefs with their standing, by id, then by path. Text, evidence and places
// of application are not set. Callers must not change the slice.
func Beliefs(ctx context.Context, r *store.Reader, snap *store.Snapshot) ([]Held, error) {
	h, err := heldOf(ctx, r, snap)
	if err != nil {
		return nil, err
	}
	return h.all, nil
}

func heldOf(ctx context.Context, r *store.Reader, snap *store.Snapshot) (*held, error) {
	h := store.MemoOf[held](&snap.Memo)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.read {
		return h, nil
	}
	all, err := readHeld(ctx, r, snap)
	if err != nil {
		return nil, store.Damaged(err)
	}
	g := standing.Of(Claims(all))
	h.at, h.paths, h.active = make(map[int64]int, len(all)), make(map[string]string, len(all)), map[int64]Held{}
	for i, x := range all {
		h.at[x.Key] = i
		if id := strings.ToLower(x.ID); h.paths[id] == "" {
			h.paths[id] = x.Path
		}
		all[i].Standing, _ = g.Score(x.ID)
		if x.Status == belief.Active {
			h.active[x.Key] = all[i]
		}
	}
	h.all, h.read = all, true
	return h, nil
}

// Claims returns beliefs in the form that package standing computes with.
func Claims(all []Held) []standing.Claim {
	claims := make([]standing.Claim, len(all))
	for i, b := range all {
		claims[i] = standing.Claim{
			ID: b.ID, Entrenchment: b.Entrenchment, Held: b.Status == belief.Active || b.Status == belief.Scoped,
			Supports: linksOf(b.Supports), Attacks: linksOf(b.Attacks), AttackedBy: linksOf(b.AttackedBy),
		}
	}
	return claims
}

func linksOf(edges []belief.Edge) []standing.Link {
	links := make([]standing.Link, len(edges))
	for i, e := range edges {
		links[i] = standing.Link{Target: e.Target, Status: e.Status, Confidence: e.Confidence}
	}
	return links
}
