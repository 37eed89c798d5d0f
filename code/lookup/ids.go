package lookup

import (
	"context"

	"patina/belief/knowledge"
	"patina/store"
)

// ReplaceID returns what follows the prefix of a doc_id, with a path in place of the id of a belief
// or a session.
func ReplaceID(ctx context.Context, r *store.Reader, snap *store.Snapshot, docID, rest string) (string, error) {
	path, err := knowledge.PathOf(ctx, r, snap, docID)
	if path == "" {
		return rest, err
	}
	return path, err
}
