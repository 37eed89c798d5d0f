package lookup

import (
	"context"

	"patina/belief/knowledge"
	"patina/store"
)

// ReplaceID replaces the id of a belief or a session by its path. rest must be the doc_id without
// its prefix, and is returned if docID has no such id.
func ReplaceID(ctx context.Context, r *store.Reader, snap *store.Snapshot, docID, rest string) (string, error) {
	path, err := knowledge.PathOf(ctx, r, snap, docID)
	if path == "" {
		return rest, err
	}
	return path, err
}
