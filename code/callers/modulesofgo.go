package callers

import (
	"context"
	"strings"
	"sync"

	"patina/code/imports"
	"patina/code/lang"
	"patina/store"
	"patina/store/doc"
)

// fewResolvers is the number of resolvers for Go alone that a generation makes before it lists all
// files. A question makes at most two for each result.
const fewResolvers = 64

// modulesFor returns a resolver for imports in some language families. Listing all files of a large
// tree takes longer than the rest of a question, so the first questions of a process about Go alone
// look up each imported folder instead.
func modulesFor(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, families map[string]bool,
) (*imports.Resolver, error) {
	if onlyFolderPackages(families) {
		if m, err := probingModules(ctx, r, snap); m != nil || err != nil {
			return m, err
		}
	}
	return Modules(ctx, r, snap)
}

// onlyFolderPackages reports whether there is only one family and its imports are folders.
func onlyFolderPackages(families map[string]bool) bool {
	for family := range families {
		return len(families) == 1 && lang.Named(family).Scope.Modules == lang.FolderPackages
	}
	return false
}

// goFolders are the Go modules and folders of a generation that are known without a list of its
// files.
type goFolders struct {
	mu        sync.Mutex
	manifests *imports.Manifests // nil if not read yet
	holds     map[string]bool    // whether a source is directly in a folder
	resolvers int
}

// probingModules returns a resolver for Go alone, which only needs to know that files exist. It
// must not be used after r is closed. It is nil if Modules is already known or has become cheaper.
func probingModules(
	ctx context.Context, r *store.Reader, snap *store.Snapshot,
) (*imports.Resolver, error) {
	lazy := store.MemoOf[lazyModules](&snap.Memo)
	lazy.mu.Lock()
	listed := lazy.all != nil
	lazy.mu.Unlock()
	known := store.MemoOf[goFolders](&snap.Memo)
	known.mu.Lock()
	defer known.mu.Unlock()
	if listed || known.resolvers == fewResolvers {
		return nil, nil
	}
	if known.manifests == nil {
		named, err := readGoManifests(ctx, r, snap)
		if err != nil {
			return nil, err
		}
		known.manifests, known.holds = named, make(map[string]bool)
	}
	known.resolvers++
	return imports.NewGoResolver(*known.manifests, func(folder string) (bool, error) {
		known.mu.Lock()
		defer known.mu.Unlock()
		if holds, ok := known.holds[folder]; ok {
			return holds, nil
		}
		holds, err := holdsSources(ctx, r, snap, folder)
		if err == nil {
			known.holds[strings.Clone(folder)] = holds
		}
		return holds, err
	}), nil
}

// readGoManifests reads all go.mod files of the view.
func readGoManifests(
	ctx context.Context, r *store.Reader, snap *store.Snapshot,
) (*imports.Manifests, error) {
	var found []doc.ListedFile
	// The plus makes SQLite use the index of paths and sort, instead of scanning all rows in key
	// order.
	const query = `SELECT key, path FROM file
		WHERE path = 'go.mod' OR path GLOB '*/go.mod' ORDER BY +key`
	err := r.EachRow(ctx, query, nil, func(scan func(...any) error) error {
		var f doc.ListedFile
		err := scan(&f.Key, &f.Path)
		if snap.Members.Has(f.Key) {
			found = append(found, f)
		}
		return err
	})
	if err != nil {
		return nil, store.Damaged(err)
	}
	var named imports.Manifests
	for _, f := range found {
		if err := readManifest(ctx, r, f, &named); err != nil {
			return nil, err
		}
	}
	return &named, nil
}

// These list the files directly in a folder, and at the top. "0" is the byte after "/".
const (
	filesIn = `SELECT key, language FROM file
		WHERE path > ?1 || '/' AND path < ?1 || '0' AND instr(substr(path, length(?1) + 2), '/') = 0`
	filesTop = `SELECT key, language FROM file WHERE instr(path, '/') = 0`
)

// holdsSources reports whether a source in the view is directly in a folder.
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
		if imports.IsSource(language) && snap.Members.Has(key) {
			return true, nil
		}
	}
	return false, store.Damaged(rows.Err())
}
