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
	mu     sync.Mutex
	all    *xref.Modules
	probed bool // a question was answered without the list
}

// maxManifest bounds the bytes read from a manifest: larger ones are not written by hand.
const maxManifest = 256 << 10

// modules reads the list of files and the manifests' names for folders, once a generation.
func modules(ctx context.Context, r *store.Reader, snap *store.Snapshot) (*xref.Modules, error) {
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
	named := xref.Packages{Crates: make(map[string]string), Scripts: make(map[string]string)}
	for _, f := range listed {
		if !snap.Members.Has(f.Key) {
			continue
		}
		files = append(files, f)
		read := named.Manifest(f.Path)
		if read == nil {
			continue
		}
		// Otherwise it is known by its path alone.
		if body, err := r.Text(ctx, f.Key); err == nil && len(body) <= maxManifest {
			read(xref.FolderOf(f.Path), body)
		}
	}
	lazy.all = xref.NewModules(files, named)
	return lazy.all, nil
}

// site returns the place of a file's calls.
func site(ctx context.Context, r *store.Reader, f xref.File, m *xref.Modules) *xref.Site {
	return xref.NewSite(f, m, func(i int) []store.Binding { return bindings(ctx, r, m, i) })
}

// bindings returns another file's bindings. An unreadable file has none.
func bindings(ctx context.Context, r *store.Reader, m *xref.Modules, i int) []store.Binding {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	list, ok := m.Bound[i]
	if ok {
		return list
	}
	var blob []byte
	if r.QueryRow(ctx, `SELECT facts FROM file WHERE key = ?`, m.Files[i].Key).Scan(&blob) == nil {
		if f, err := store.DecodeFacts(blob); err == nil {
			list = make([]store.Binding, len(f.Bindings))
			for i, b := range f.Bindings {
				list[i] = store.Binding{Name: strings.Clone(b.Name), Import: strings.Clone(b.Import), Of: strings.Clone(b.Of)}
			}
		}
		m.Bound[i] = list
	}
	return list
}
