package store

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"patina/internal/glob"
)

// lazyFiles lists the files in a generation's view. The first question with a filter fills it.
type lazyFiles struct {
	mu   sync.Mutex
	read bool
	all  []ListedFile
}

// A ListedFile is a file with the properties a Filter looks at.
type ListedFile struct {
	Key            int64
	Entries        int64 // keys after the file's own: a document's sections
	Path, Language string
	Pkg            string // the file's package
}

// OneFile returns the path of the only file that a filter lets pass, if it names one.
func (f Filter) OneFile() (path string, ok bool) {
	for _, g := range f.Paths {
		if strings.HasPrefix(g, "!") {
			continue
		}
		if path != "" || strings.ContainsAny(g, `*?[{\`) {
			return "", false
		}
		path = g
	}
	return path, path != ""
}

// Check returns an error for a glob that is invalid or takes long to match.
func (f Filter) Check() error {
	for _, g := range f.Paths {
		g = strings.TrimPrefix(g, "!")
		if !glob.Bounded(g) {
			return fmt.Errorf("read path filter %.60q: over %d bytes or %d alternatives", g, glob.MaxLength, glob.MaxAlternatives)
		}
		if !glob.Valid(g) {
			return fmt.Errorf("read path filter %q: not a valid glob", g)
		}
	}
	return nil
}

// matches reports whether a path passes the path globs. It must match a glob without "!", if there
// are any, and none with "!".
func (f Filter) matches(path string) bool {
	some, hit := false, false
	for _, g := range f.Paths {
		if not, ok := strings.CutPrefix(g, "!"); ok {
			if glob.Match(not, path) {
				return false
			}
			continue
		}
		some = true
		hit = hit || glob.Match(g, path)
	}
	return hit || !some
}

func (f Filter) speaks(language string) bool {
	return len(f.Languages) == 0 || slices.ContainsFunc(f.Languages, func(l string) bool { return strings.EqualFold(l, language) })
}

// Belongs reports whether a package was asked for, by its whole name or by the part after a "/".
func (f Filter) Belongs(pkg string) bool {
	return len(f.Packages) == 0 || slices.ContainsFunc(f.Packages, func(p string) bool {
		cut := len(pkg) - len(p)
		return cut >= 0 && strings.EqualFold(pkg[cut:], p) && (cut == 0 || pkg[cut-1] == '/')
	})
}

// Keeps reports whether a file passes the filter.
func (f Filter) Keeps(x ListedFile) bool {
	return f.matches(x.Path) && f.speaks(x.Language) && f.Belongs(x.Pkg)
}

// Narrow reports whether the filter asks for some files only.
func (f Filter) Narrow() bool { return len(f.Paths)+len(f.Languages)+len(f.Packages) > 0 }

// Allowed returns the keys that pass a filter's globs, languages, packages and dates. It returns
// nil if the filter has none.
//
// A commit passes a glob if it touched a matching file, by its path then or now. It passes a
// package if it touched a file there that still exists. No commit passes a language.
func (r *Reader) Allowed(ctx context.Context, snap *Snapshot, f Filter) (*Bitmap, error) {
	allow, err := r.allowedPlaces(ctx, snap, f)
	if err != nil || !f.When.Set() {
		return allow, err
	}
	if allow == nil {
		all := slices.Clone(snap.Members)
		allow = &all
	}
	d, err := r.byAuthor(ctx, snap, f.When)
	if err != nil {
		return nil, err
	}
	d.removeOutside(f.When, allow)
	return allow, nil
}

// allowedPlaces is Allowed without the dates.
func (r *Reader) allowedPlaces(ctx context.Context, snap *Snapshot, f Filter) (*Bitmap, error) {
	if !f.Narrow() {
		return nil, nil
	}
	if err := f.Check(); err != nil {
		return nil, err
	}
	files, err := r.Files(ctx, snap)
	if err != nil {
		return nil, err
	}
	allow := new(Bitmap)
	kept := make(map[string]bool) // by path
	for _, x := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if f.Keeps(x) {
			kept[x.Path] = true
			for k := x.Key; k <= x.Key+x.Entries; k++ { // x.Key is in the view
				allow.Set(k)
			}
		}
	}
	if Wants(f, Commit) && len(f.Languages) == 0 {
		passes := f.matches
		if len(f.Packages) > 0 {
			passes = func(path string) bool { return kept[path] }
		}
		if err := r.allowCommits(ctx, snap.Members, files, passes, allow); err != nil {
			return nil, err
		}
	}
	return allow, nil
}

// Files lists the view's files. The list is read once a generation; callers must not change it.
func (r *Reader) Files(ctx context.Context, snap *Snapshot) ([]ListedFile, error) {
	l := &snap.files
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.read {
		return l.all, nil
	}
	rows, err := r.Query(ctx, `SELECT key, path, language, package, kind, CASE kind WHEN 'code' THEN x'' ELSE entries END FROM file`)
	if err != nil {
		return nil, Damaged(err)
	}
	defer func() { _ = rows.Close() }()
	l.all = nil
	for rows.Next() {
		var x ListedFile
		var kind Kind
		var entries []byte
		if err := rows.Scan(&x.Key, &x.Path, &x.Language, &x.Pkg, &kind, &entries); err != nil {
			return nil, Damaged(err)
		}
		if !snap.Members.Has(x.Key) {
			continue
		}
		if kind.Traits().Shape == OfSections {
			d := Unsealed(entries)
			if x.Entries = int64(d.Count(8)); d.Bad {
				return nil, fmt.Errorf("decode entries of %q: %w", x.Path, ErrDamaged)
			}
		}
		l.all = append(l.all, x)
	}
	l.read = rows.Err() == nil
	return l.all, Damaged(rows.Err())
}

func (r *Reader) allowCommits(ctx context.Context, members Bitmap, files []ListedFile, passes func(path string) bool, allow *Bitmap) error {
	here := make(map[string]bool, len(files))
	for _, f := range files {
		here[f.Path] = true
	}
	names, err := r.PathNames(ctx)
	if err != nil {
		return err
	}
	left, err := r.AllMoves(ctx, members)
	if err != nil {
		return Damaged(err)
	}
	held := func(id int64) bool { return here[names[id]] }
	var ids []int64
	for id, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		if passes(name) || passes(names[left.Now(id, math.MaxInt64, held)]) {
			ids = append(ids, id)
		}
	}
	return Damaged(r.RowsIn(ctx, `SELECT revision FROM touch WHERE path IN `, ids, func(scan func(...any) error) error {
		var k int64
		err := scan(&k)
		if members.Has(k) {
			allow.Set(k)
		}
		return err
	}))
}

// Wants reports whether a filter asks for a kind.
func Wants(f Filter, k Kind) bool { return len(f.Kinds) == 0 || slices.Contains(f.Kinds, k) }
