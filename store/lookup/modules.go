package lookup

import (
	"context"
	"strings"
	"sync"

	"patina/store"
	"patina/store/xref"
)

// lazyModules resolves imports. The first question about calls or imports makes it.
type lazyModules struct {
	mu       sync.Mutex
	all      *xref.Resolver
	probed   bool // a question was answered without the list
	bindings map[int64][]store.Binding
}

// maxManifest bounds the bytes read from a manifest: larger ones are not written by hand.
const maxManifest = 256 << 10

// modules reads the list of files and the manifests' names for folders, once a generation.
func modules(ctx context.Context, r *store.Reader, snap *store.Snapshot) (*xref.Resolver, error) {
	lazy := store.MemoOf[lazyModules](&snap.Memo)
	lazy.mu.Lock()
	defer lazy.mu.Unlock()
	if lazy.all != nil {
		return lazy.all, nil
	}
	listed, err := r.Files(ctx, snap)
	if err != nil {
		return nil, err
	}
	var files []store.ListedFile
	var named xref.Manifests
	for _, f := range listed {
		if !snap.Members.Has(f.Key) {
			continue
		}
		files = append(files, f)
		if !xref.IsManifest(f.Path) {
			continue
		}
		// Otherwise its folder is known by its path alone.
		if body, err := r.Text(ctx, f.Key); err == nil && len(body) <= maxManifest {
			named.Read(f.Path, body)
		}
	}
	lazy.all = xref.NewResolver(files, named)
	return lazy.all, nil
}

// scope returns the scope of a file's calls.
func scope(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, f xref.File, m *xref.Resolver,
) *xref.Scope {
	return xref.NewScope(f, m, func(f store.ListedFile) []store.Binding {
		return bindings(ctx, r, snap, f.Key)
	})
}

// bindings returns another file's bindings, read once a generation. An unreadable file has none.
func bindings(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, key int64,
) []store.Binding {
	lazy := store.MemoOf[lazyModules](&snap.Memo)
	lazy.mu.Lock()
	defer lazy.mu.Unlock()
	list, ok := lazy.bindings[key]
	if ok {
		return list
	}
	var blob []byte
	if r.QueryRow(ctx, `SELECT facts FROM file WHERE key = ?`, key).Scan(&blob) != nil {
		return nil
	}
	if f, err := store.DecodeFacts(blob); err == nil {
		list = make([]store.Binding, len(f.Bindings))
		for i, b := range f.Bindings {
			list[i] = store.Binding{
				Name: strings.Clone(b.Name), Import: strings.Clone(b.Import), Of: strings.Clone(b.Of),
			}
		}
	}
	if lazy.bindings == nil {
		lazy.bindings = make(map[int64][]store.Binding)
	}
	lazy.bindings[key] = list
	return list
}
