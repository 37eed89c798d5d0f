package memory

import (
	"context"
	"slices"

	"patina/memory/merge"
)

// Bounds of a comparison, so that it ends for any notes.
const (
	maxKept     = 50      // memories with the same words with which each one is compared
	maxCompared = 100_000 // pairs
)

// Propose returns the pairs of current memories that say the same. It changes nothing. tell is
// called with the progress, and may be nil.
func (s *Store) Propose(ctx context.Context, tell func(done, total int)) (Consolidation, error) {
	all, err := listMemories(ctx, s.db, ` WHERE valid_to IS NULL ORDER BY key`)
	if err != nil {
		return Consolidation{}, err
	}
	slices.SortStableFunc(all, betterFirst)
	if tell == nil {
		tell = func(int, int) {}
	}
	c := Consolidation{Proposals: []Proposal{}}
	kept, compared := map[string]*kin{}, 0
	for i, m := range all {
		if err := ctx.Err(); err != nil {
			return Consolidation{}, err
		}
		tell(i, len(all))
		key := merge.LooseKey(m.Content)
		if kept[key] == nil {
			kept[key] = new(kin)
		}
		if p, ok := kept[key].proposed(m, &compared); ok {
			c.Proposals = append(c.Proposals, p)
		} else if kept[key].full {
			c.Uncompared++
		}
	}
	return c, nil
}

// A kin is memories with the same words, of which none can replace another.
type kin struct {
	kept []Memory
	full bool // there are more memories
}

// proposed looks for a memory that can replace m, and keeps m if there is no such memory. A pinned
// memory is never replaced.
func (k *kin) proposed(m Memory, compared *int) (Proposal, bool) {
	for _, old := range k.kept {
		if m.Pinned || !sameStanding(old, m) {
			continue
		}
		if _, err := cleanTags(slices.Concat(old.Tags, m.Tags)); err != nil {
			continue
		}
		if _, err := cleanAliases(slices.Concat(old.Aliases, m.Aliases)); err != nil {
			continue
		}
		if *compared++; *compared > maxCompared {
			k.full = true
			return Proposal{}, false
		}
		if reason, ok := merge.Propose(old.Content, m.Content); ok {
			return Proposal{old.ID, m.ID, old.Content, m.Content, reason, false, old, m}, true
		}
	}
	if len(k.kept) < maxKept {
		k.kept = append(k.kept, m)
	} else {
		k.full = true
	}
	return Proposal{}, false
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
