package oracles

import (
	"context"
	"fmt"
	"slices"

	"patina/store"
)

// Temporal ranks files by history: the commits with the closest subjects vote for the files they
// changed.
//
// A subject says in a person's words why a change was made. So it connects a question to files
// without these words. A separate list of co-changes gained nothing; they serve as links.
type Temporal struct{}

// Name implements Oracle.
func (Temporal) Name() string { return "temporal" }

// Open implements Oracle: everything it needs is in the index.
func (t Temporal) Open(Project) (Channel, error) { return t, nil }

// Close implements Channel.
func (Temporal) Close() error { return nil }

// Query implements Channel. Without a history it is unavailable.
func (Temporal) Query(ctx context.Context, r *store.Reader, q Question) ([]List, error) {
	g := r.Generation()
	if g.Commits == 0 {
		reason := g.History
		if reason == "" {
			reason = "no commits"
		}
		return nil, fmt.Errorf("%s: %w", reason, ErrUnavailable)
	}
	if len(q.Filter.Kinds) > 0 && !slices.Contains(q.Filter.Kinds, store.Code) {
		return nil, nil
	}
	hits, err := Votes(ctx, r, q.Parsed, q.Filter, q.Limit)
	if err != nil {
		return nil, err
	}
	return []List{{Channel: "temporal", Kind: store.Code, Generation: g.Number, Hits: hits}}, nil
}
