package oracles

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"patina/code/history"
	"patina/store"
	"patina/store/doc"
)

// Temporal ranks files by history: the commits with the closest subjects vote for the files they
// changed.
//
// A subject says in a person's words why a change was made, so it connects a question to files
// without these words. A separate list of co-changes gained nothing for such questions. But if the
// question is the path of a file, the files that changed with it are the answer.
type Temporal struct{}

// Name implements Oracle.
func (Temporal) Name() string { return "temporal" }

// Open implements Oracle. It never fails: everything it needs is in the index.
func (t Temporal) Open(Project) (Channel, error) { return t, nil }

// Close implements Channel.
func (Temporal) Close() error { return nil }

// Query implements Channel. The error wraps ErrUnavailable if there is no history.
func (Temporal) Query(ctx context.Context, r *store.Reader, q Question) ([]List, error) {
	g := r.Generation()
	if g.Commits == 0 {
		reason := g.History
		if reason == "" {
			reason = "no commits"
		}
		return nil, fmt.Errorf("%s: %w", reason, ErrUnavailable)
	}
	if len(q.Filter.Kinds) > 0 && !slices.Contains(q.Filter.Kinds, doc.Code) {
		return nil, nil
	}
	beside, err := rankCompanions(ctx, r, q)
	if err != nil {
		return nil, err
	}
	if len(beside) > 0 {
		return []List{{Channel: "temporal", Kind: doc.Code, Generation: g.Number, Hits: beside, Companions: true}}, nil
	}
	most := voters
	if q.Visit {
		most = visitVoters
	}
	hits, err := bestVotes(ctx, r, q.Parsed, q.Filter, q.Limit, most)
	if err != nil {
		return nil, err
	}
	return []List{{Channel: "temporal", Kind: doc.Code, Generation: g.Number, Hits: hits}}, nil
}

// rankCompanions ranks the files that changed with a file. It returns nil unless the question is a
// path with "/", or the end of the path of exactly one file. A question without "/" and "." is a
// word, whatever files there are.
func rankCompanions(ctx context.Context, r *store.Reader, q Question) ([]doc.Ranked, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	files, err := questionFiles(ctx, r, snap, q.Text)
	if err != nil {
		return nil, err
	}
	path := strings.TrimPrefix(strings.TrimSpace(q.Text), "./")
	whole := strings.Contains(path, "/") && !strings.ContainsAny(path, " \t\n")
	for _, f := range files {
		if len(files) == 1 {
			path = f
		}
		whole = whole || len(files) == 1 || f == path
	}
	if !whole {
		return nil, nil
	}
	return history.Companions(ctx, r, path, q.Filter, q.Limit)
}
