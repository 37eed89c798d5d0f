package store

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"
)

// lazyFiles is the list of the files of a generation's view, read by the first question that has a filter.
type lazyFiles struct {
	mu   sync.Mutex
	read bool
	all  []listedFile
}

type listedFile struct {
	key            int64
	entries        int64 // keys that follow the file's own: the sections of a document
	path, language string
	pkg            string // the package that the file belongs to
}

// What a glob may cost: each path is compared with each of its alternatives, which multiply with each pair of braces.
const (
	maxGlob         = 1000 // bytes
	maxAlternatives = 100
)

// Check tells whether the globs of a filter can be understood, and in little time.
func (f Filter) Check() error {
	for _, g := range f.Paths {
		g = strings.TrimPrefix(g, "!")
		if !bounded(g) {
			return fmt.Errorf("read path filter %.60q: over %d bytes or %d alternatives", g, maxGlob, maxAlternatives)
		}
		if !doublestar.ValidatePattern(g) {
			return fmt.Errorf("read path filter %q: not a valid glob", g)
		}
	}
	return nil
}

// bounded reports whether a path is compared with a glob in little time.
func bounded(glob string) bool {
	if len(glob) > maxGlob {
		return false
	}
	all, open := 1, []int{} // the alternatives of each pair of braces around here
	for i := 0; i < len(glob) && all <= maxAlternatives; i++ {
		switch last := len(open) - 1; glob[i] {
		case '\\':
			i++
		case '{':
			open = append(open, 1)
		case ',':
			if last >= 0 {
				open[last]++
			}
		case '}':
			if last >= 0 {
				all *= open[last]
				open = open[:last]
			}
		}
	}
	for _, n := range open {
		all *= min(n, maxAlternatives+1)
	}
	return all <= maxAlternatives
}

// matches tells whether a path passes the path globs: at least one of those without "!", where there are any, and none of the others.
func (f Filter) matches(path string) bool {
	some, hit := false, false
	for _, g := range f.Paths {
		if not, ok := strings.CutPrefix(g, "!"); ok {
			if globMatch(not, path) {
				return false
			}
			continue
		}
		some = true
		hit = hit || globMatch(g, path)
	}
	return hit || !some
}

// globMatch tells whether a path matches a glob. It matches none that would take long.
func globMatch(glob, path string) bool {
	if !bounded(glob) {
		return false
	}
	ok, err := doublestar.Match(strings.TrimPrefix(glob, "./"), path)
	return err == nil && ok
}

func (f Filter) speaks(language string) bool {
	return len(f.Languages) == 0 || slices.ContainsFunc(f.Languages, func(l string) bool { return strings.EqualFold(l, language) })
}

// Belongs tells whether a package is one of those asked for: by its whole name, or by what follows a "/" in it.
func (f Filter) Belongs(pkg string) bool {
	return len(f.Packages) == 0 || slices.ContainsFunc(f.Packages, func(p string) bool {
		cut := len(pkg) - len(p)
		return cut >= 0 && strings.EqualFold(pkg[cut:], p) && (cut == 0 || pkg[cut-1] == '/')
	})
}

// keeps tells whether a file passes a filter.
func (f Filter) keeps(x listedFile) bool {
	return f.matches(x.path) && f.speaks(x.language) && f.Belongs(x.pkg)
}

// Narrow tells whether a filter asks for some files only.
func (f Filter) Narrow() bool { return len(f.Paths)+len(f.Languages)+len(f.Packages) > 0 }

// allowed returns the keys that pass a filter's globs, languages and packages, or nil where it has none. A commit passes a glob
// if it touched a file that does, by its path then or now, and a package if it touched a file that the tree holds in it; a language
// asks for files only.
func (r *Reader) allowed(ctx context.Context, snap *snapshot, f Filter) (*bitmap, error) {
	if !f.Narrow() {
		return nil, nil
	}
	if err := f.Check(); err != nil {
		return nil, err
	}
	files, err := r.files(ctx, snap)
	if err != nil {
		return nil, err
	}
	allow := new(bitmap)
	kept := make(map[string]bool) // paths
	for _, x := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if f.keeps(x) {
			kept[x.path] = true
			for k := x.key; k <= x.key+x.entries; k++ { // x.key is one of the view
				allow.set(k)
			}
		}
	}
	if wants(f, Commit) && len(f.Languages) == 0 {
		passes := f.matches
		if len(f.Packages) > 0 {
			passes = func(path string) bool { return kept[path] }
		}
		if err := r.allowCommits(ctx, snap.members, files, passes, allow); err != nil {
			return nil, err
		}
	}
	return allow, nil
}

func (r *Reader) files(ctx context.Context, snap *snapshot) ([]listedFile, error) {
	l := &snap.files
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.read {
		return l.all, nil
	}
	rows, err := r.conn.QueryContext(ctx, `SELECT key, path, language, package, kind, CASE kind WHEN 'code' THEN x'' ELSE entries END FROM file`)
	if err != nil {
		return nil, damaged(err)
	}
	defer func() { _ = rows.Close() }()
	l.all = nil
	for rows.Next() {
		var x listedFile
		var kind Kind
		var entries []byte
		if err := rows.Scan(&x.key, &x.path, &x.language, &x.pkg, &kind, &entries); err != nil {
			return nil, damaged(err)
		}
		if !snap.members.has(x.key) {
			continue
		}
		if kind.Traits().Shape == OfSections {
			d := unsealed(entries)
			if x.entries = int64(d.count(8)); d.bad {
				return nil, fmt.Errorf("decode entries of %q: %w", x.path, ErrDamaged)
			}
		}
		l.all = append(l.all, x)
	}
	l.read = rows.Err() == nil
	return l.all, damaged(rows.Err())
}

func (r *Reader) allowCommits(ctx context.Context, members bitmap, files []listedFile, passes func(path string) bool, allow *bitmap) error {
	here := make(map[string]bool, len(files))
	for _, f := range files {
		here[f.path] = true
	}
	names, err := r.pathNames(ctx)
	if err != nil {
		return err
	}
	left, err := allMoves(ctx, r.conn, members)
	if err != nil {
		return damaged(err)
	}
	held := func(id int64) bool { return here[names[id]] }
	var ids []int64
	for id, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		if passes(name) || passes(names[left.now(id, math.MaxInt64, held)]) {
			ids = append(ids, id)
		}
	}
	return damaged(r.rowsIn(ctx, `SELECT revision FROM touch WHERE path IN `, ids, func(scan func(...any) error) error {
		var k int64
		err := scan(&k)
		if members.has(k) {
			allow.set(k)
		}
		return err
	}))
}
