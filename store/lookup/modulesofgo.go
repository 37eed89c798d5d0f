package lookup

import (
	"context"

	"patina/store"
	"patina/store/xref"
)

// modulesFor returns a resolver for imports in some language families. To list all files of a large
// tree takes longer than the rest of a question. So a process's first question about Go alone looks
// up the folders in imports; the next question gets the list.
func modulesFor(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, families map[string]bool,
) (*xref.Resolver, error) {
	lazy := store.MemoOf[lazyModules](&snap.Memo)
	lazy.mu.Lock()
	first := lazy.all == nil && !lazy.probed && len(families) == 1 && families["Go"]
	lazy.probed = lazy.probed || first
	lazy.mu.Unlock()
	if first {
		return probingModules(ctx, r, snap)
	}
	return Modules(ctx, r, snap)
}

// probingModules is a resolver for Go alone: Go imports only need to know that files exist. It
// lives as long as its reader.
func probingModules(
	ctx context.Context, r *store.Reader, snap *store.Snapshot,
) (*xref.Resolver, error) {
	var found []store.ListedFile
	const query = `SELECT key, path FROM file
		WHERE path = 'go.mod' OR path GLOB '*/go.mod' ORDER BY key`
	err := r.EachRow(ctx, query, nil, func(scan func(...any) error) error {
		var f store.ListedFile
		err := scan(&f.Key, &f.Path)
		if snap.Members.Has(f.Key) {
			found = append(found, f)
		}
		return err
	})
	if err != nil {
		return nil, store.Damaged(err)
	}
	var named xref.Manifests
	for _, f := range found {
		if err := readManifest(ctx, r, f, &named); err != nil {
			return nil, err
		}
	}
	return xref.NewGoResolver(named, func(folder string) (bool, error) {
		return holdsSources(ctx, r, snap, folder)
	}), nil
}

// The files directly in a folder, and at the top. "0" is the byte after "/".
const (
	filesIn = `SELECT key, language FROM file
		WHERE path > ?1 || '/' AND path < ?1 || '0' AND instr(substr(path, length(?1) + 2), '/') = 0`
	filesTop = `SELECT key, language FROM file WHERE instr(path, '/') = 0`
)

// holdsSources reports whether a source in the view lies directly in a folder.
func holdsSources(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, folder string,
) (bool, error) {
	query, values := filesIn, []any{folder}
	if folder == "" {
		query, values = filesTop, nil
	}
	rows, err := r.Query(ctx, query, values...)
	if err != nil {
		return false, store.Damaged(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var key int64
		var language string
		if err := rows.Scan(&key, &language); err != nil {
			return false, store.Damaged(err)
		}
		if xref.IsSource(language) && snap.Members.Has(key) {
			return true, nil
		}
	}
	return false, store.Damaged(rows.Err())
}
