package callers

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"patina/code/imports"
	"patina/code/lang"
	"patina/code/lookup"
	"patina/code/xref"
	"patina/store"
	"patina/store/doc"
	"patina/store/format"
)

// lazyModules resolves imports. It is filled by the first questions about calls or imports.
type lazyModules struct {
	mu      sync.Mutex
	all     *imports.Resolver
	outside map[int64]xref.Outside
	types   map[int64][]xref.OuterType
	defined map[string][]xref.Definition // those that scopes have asked for

	declaring sync.Mutex // guards declared
	declared  bool       // DeclarePackages is done
}

// Modules returns a resolver for all files of the view. It reads the list of files and the
// manifests once a generation.
func Modules(ctx context.Context, r *store.Reader, snap *store.Snapshot) (*imports.Resolver, error) {
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
	var files []doc.ListedFile
	var named imports.Manifests
	for _, f := range listed {
		if !snap.Members.Has(f.Key) {
			continue
		}
		files = append(files, f)
		if !imports.IsManifest(f.Path) {
			continue
		}
		if err := readManifest(ctx, r, f, &named); err != nil {
			return nil, err
		}
	}
	lazy.all = imports.NewResolver(files, named)
	return lazy.all, nil
}

// readManifest adds the names in a manifest. If its text is missing or damaged, it adds nothing and
// returns nil.
func readManifest(
	ctx context.Context, r *store.Reader, f doc.ListedFile, named *imports.Manifests,
) error {
	body, err := r.Text(ctx, f.Key)
	if err == nil {
		named.Read(f.Path, body)
	} else if err = store.Damaged(err); !errors.Is(err, store.ErrDamaged) {
		return err // such as a cancelled context: a resolver without names must not be kept
	}
	return nil
}

// DeclarePackages tells a resolver the packages that files declare, once a generation. It must be
// called before imports of a language are resolved, and does nothing for languages without
// packages. Files that cannot be read are found by their path.
func DeclarePackages(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, m *imports.Resolver, language string,
) {
	if !imports.HasPackages(language) {
		return
	}
	lazy := store.MemoOf[lazyModules](&snap.Memo)
	lazy.declaring.Lock()
	defer lazy.declaring.Unlock()
	if lazy.declared {
		return
	}
	var files []imports.File
	var languages []any
	for _, name := range imports.PackagedLanguages() {
		languages = append(languages, name)
	}
	query := `SELECT key, language, entries, facts FROM file WHERE language IN (?` +
		strings.Repeat(",?", len(languages)-1) + `)`
	err := r.EachRow(ctx, query, languages, func(scan func(...any) error) error {
		var f imports.File
		var entries, facts []byte
		if err := scan(&f.Key, &f.Language, &entries, &facts); err != nil || !snap.Members.Has(f.Key) {
			return err
		}
		var damage [2]error
		f.Entries, damage[0] = format.DecodeEntries(entries)
		if f.FileFacts, damage[1] = format.DecodeFacts(facts); errors.Join(damage[:]...) == nil {
			files = append(files, f)
		}
		return nil
	})
	if err == nil {
		m.Declare(files)
		lazy.declared = true
	}
}

// ScopeOf returns the scope of a file's calls.
func ScopeOf(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, f imports.File, m *imports.Resolver,
) *xref.Scope {
	DeclarePackages(ctx, r, snap, m, f.Language)
	return xref.NewScope(f, m, func(f doc.ListedFile) xref.Outside {
		return exportsOf(ctx, r, snap, f)
	}).ReadTypes(func(f doc.ListedFile) []xref.OuterType {
		return typesIn(ctx, r, snap, f)
	}).ReadDefinitions(func(name string) []xref.Definition {
		return definitionsNamed(ctx, r, snap, name)
	})
}

// maxHandedOn bounds the files that HandsOn reads.
const maxHandedOn = 16

// HandsOn reports whether the file that an import leads to re-exports the file to, by itself or
// through index files: pkg/__init__.py re-exports pkg/a.py only if it imports from it. A header
// always re-exports the source of its name.
func HandsOn(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, m *imports.Resolver,
	from doc.ListedFile, imported, to string,
) bool {
	target, ok := m.Resolve(from.Language, from.Path, imported)
	if !ok || lang.Named(from.Language).Names().Modules == lang.HeaderIncludes {
		return ok
	}
	for _, b := range exportsOf(ctx, r, snap, from).Bindings { // from shop import money
		if b.Import != imported {
			continue
		}
		if named, ok := m.Resolve(from.Language, from.Path, importedModule(b)); ok && named.Path() == to {
			return true
		}
	}
	var seen []doc.ListedFile
	queue := target.Files()
	for len(queue) > 0 && len(seen) < maxHandedOn {
		f := queue[0]
		queue, seen = queue[1:], append(seen, f)
		for _, b := range exportsOf(ctx, r, snap, f).Bindings {
			t, ok := m.Resolve(f.Language, f.Path, b.Import)
			if !ok || b.Import == "" {
				continue
			}
			for _, next := range t.Files() {
				if next.Path == to {
					return true
				}
				if imports.IsIndex(next.Path) && !slices.Contains(seen, next) && !slices.Contains(queue, next) {
					queue = append(queue, next)
				}
			}
			if named, ok := m.Resolve(f.Language, f.Path, importedModule(b)); ok && named.Path() == to {
				return true
			}
		}
	}
	return false
}

// importedModule returns the module named by "from . import a", if a is a module.
func importedModule(b doc.Binding) string {
	if strings.Trim(b.Import, ".") == "" {
		return b.Import + b.Of
	}
	return b.Import + "." + b.Of
}

// exportsOf returns the names that another file exports, read once a generation. They are empty if
// the file cannot be read.
func exportsOf(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, file doc.ListedFile,
) (of xref.Outside) {
	lazy := store.MemoOf[lazyModules](&snap.Memo)
	lazy.mu.Lock()
	defer lazy.mu.Unlock()
	of, ok := lazy.outside[file.Key]
	if ok {
		return of
	}
	var blob []byte
	if r.QueryRow(ctx, `SELECT facts FROM file WHERE key = ?`, file.Key).Scan(&blob) != nil {
		return of
	}
	if f, err := format.DecodeFacts(blob); err == nil {
		of.Bindings = make([]doc.Binding, len(f.Bindings))
		for i, b := range f.Bindings {
			of.Bindings[i] = doc.Binding{
				Name: strings.Clone(b.Name), Import: strings.Clone(b.Import), Of: strings.Clone(b.Of),
			}
		}
		if m := lang.Named(file.Language).Names().Modules; m == lang.HeaderIncludes || m == lang.FolderPackages {
			for _, name := range f.Imports {
				of.Imports = append(of.Imports, strings.Clone(name))
			}
		}
	}
	if lazy.outside == nil {
		lazy.outside = make(map[int64]xref.Outside)
	}
	lazy.outside[file.Key] = of
	return of
}

// typesIn returns the types of another file, read once a generation. It returns nil if the file
// cannot be read.
func typesIn(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, file doc.ListedFile,
) []xref.OuterType {
	lazy := store.MemoOf[lazyModules](&snap.Memo)
	lazy.mu.Lock()
	defer lazy.mu.Unlock()
	types, ok := lazy.types[file.Key]
	if ok {
		return types
	}
	var entries, facts []byte
	if r.QueryRow(ctx, `SELECT entries, facts FROM file WHERE key = ?`, file.Key).Scan(&entries, &facts) != nil {
		return nil
	}
	es, err := format.DecodeEntries(entries)
	if err != nil {
		return nil
	}
	f, err := format.DecodeFacts(facts)
	if err != nil {
		return nil
	}
	for _, t := range xref.TypesIn(es, f.Typed) {
		t.Name, t.Title = strings.Clone(t.Name), strings.Clone(t.Title)
		for i, x := range t.Fields {
			t.Fields[i].Name, t.Fields[i].Type = strings.Clone(x.Name), strings.Clone(x.Type)
		}
		types = append(types, t)
	}
	if lazy.types == nil {
		lazy.types = make(map[int64][]xref.OuterType)
	}
	lazy.types[file.Key] = types
	return types
}

// definitionsNamed returns the definitions of a name, read once a generation. It returns nil if
// they cannot be read.
func definitionsNamed(ctx context.Context, r *store.Reader, snap *store.Snapshot, name string) []xref.Definition {
	lazy := store.MemoOf[lazyModules](&snap.Memo)
	lazy.mu.Lock()
	ds, ok := lazy.defined[name]
	lazy.mu.Unlock()
	if ok || name == "" {
		return ds
	}
	ds, err := lookup.Defined(ctx, r, snap, name)
	if err != nil {
		return nil
	}
	lazy.mu.Lock()
	defer lazy.mu.Unlock()
	if lazy.defined == nil {
		lazy.defined = make(map[string][]xref.Definition)
	}
	lazy.defined[strings.Clone(name)] = ds
	return ds
}
