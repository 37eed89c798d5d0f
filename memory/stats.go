package memory

import (
	"context"

	"patina/internal/secrets"
)

// Stats counts memories. The counts by type and origin are of current ones.
type Stats struct {
	Current    int            `json:"current"`
	Superseded int            `json:"superseded"`
	Forgotten  int            `json:"forgotten"`
	Types      map[string]int `json:"types"`
	Origins    map[string]int `json:"origins"`
	Pinned     int            `json:"pinned"`
	Grounded   int            `json:"grounded"`
	Unembedded int            `json:"unembedded"` // without a vector: found only by words
	Moved      int            `json:"moved"`      // set by callers that know the tree
	Secrets    []Leak         `json:"secrets,omitempty"`
}

// A Leak is a memory with a secret in it or in its history.
type Leak struct {
	ID   string `json:"id"`
	Rule string `json:"rule"`
}

// Stats counts the memories in the store. With find, it also looks for secrets in all memories and
// their history.
func (s *Store) Stats(ctx context.Context, find bool) (Stats, error) {
	n := Stats{Types: map[string]int{}, Origins: map[string]int{}}
	all, err := listMemories(ctx, s.db, ` ORDER BY created_at, key`)
	if err != nil {
		return n, err
	}
	for _, m := range all {
		n.countMemory(m)
		if !find {
			continue
		}
		if m.Log, err = readEvents(ctx, s.db, m.ID); err != nil {
			return n, err
		}
		for _, f := range namedTexts(m) {
			if found := secrets.FindKept(f[1]); len(found) > 0 {
				n.Secrets = append(n.Secrets, Leak{m.ID, found[0].Rule})
				break
			}
		}
	}
	return n, s.db.QueryRowContext(ctx, `SELECT count(*) FROM unembedded`).Scan(&n.Unembedded)
}

func (n *Stats) countMemory(m Memory) {
	switch {
	case m.Current():
		n.Current++
		n.Types[m.Type]++
		n.Origins[m.Origin]++
		n.Pinned += boolToInt(m.Pinned)
		n.Grounded += boolToInt(m.Ground != "")
	case m.SupersededBy != "":
		n.Superseded++
	default:
		n.Forgotten++
	}
}
