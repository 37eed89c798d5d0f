package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"
)

// lazyFiles is the list of a generation's files, read by the first question that has a filter.
type lazyFiles struct {
	mu   sync.Mutex
	read bool
	all  []listedFile
}

type listedFile struct {
	key            int64
	entries        int64 // keys that follow the file's own: the sections of a document
	path, language string
}

// Check tells whether the globs of a filter can be understood.
func (f Filter) Check() error {
	for _, g := range f.Paths {
		if !doublestar.ValidatePattern(strings.TrimPrefix(g, "!")) {
			return fmt.Errorf("read path filter %q: not a valid glob", g)
		}
	}
	return nil
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

func globMatch(glob, path string) bool {
	ok, err := doublestar.Match(strings.TrimPrefix(glob, "./"), path)
	return err == nil && ok
}

func (f Filter) speaks(language string) bool {
	return len(f.Languages) == 0 || slices.ContainsFunc(f.Languages, func(l string) bool { return strings.EqualFold(l, language) })
}

// allowed returns the keys that pass a filter's globs and languages, or nil where it has none. A commit passes a glob if it
// touched a file that does; a language asks for files only.
func (r *Reader) allowed(ctx context.Context, snap *snapshot, f Filter) (*bitmap, error) {
	if len(f.Paths) == 0 && len(f.Languages) == 0 {
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
	for _, x := range files {
		if f.speaks(x.language) && f.matches(x.path) {
			for k := x.key; k <= x.key+x.entries; k++ {
				allow.set(k)
			}
		}
	}
	if wants(f, Commit) && len(f.Languages) == 0 {
		if err := r.allowCommits(ctx, f, allow); err != nil {
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
	rows, err := r.conn.QueryContext(ctx, `SELECT key, path, language, kind, CASE kind WHEN 'code' THEN x'' ELSE entries END FROM file`)
	if err != nil {
		return nil, damaged(err)
	}
	defer func() { _ = rows.Close() }()
	l.all = nil
	for rows.Next() {
		var x listedFile
		var kind Kind
		var entries []byte
		if err := rows.Scan(&x.key, &x.path, &x.language, &kind, &entries); err != nil {
			return nil, damaged(err)
		}
		if kind != Code {
			d := decoder{b: entries}
			x.entries = int64(d.count())
		}
		l.all = append(l.all, x)
	}
	l.read = rows.Err() == nil
	return l.all, damaged(rows.Err())
}

func (r *Reader) allowCommits(ctx context.Context, f Filter, allow *bitmap) error {
	rows, err := r.conn.QueryContext(ctx, `SELECT id, name FROM path`)
	if err != nil {
		return damaged(err)
	}
	defer func() { _ = rows.Close() }()
	var ids []int64
	for rows.Next() {
		var id int64
		var name string
		if err := rows.Scan(&id, &name); err != nil {
			return damaged(err)
		}
		if f.matches(name) {
			ids = append(ids, id)
		}
	}
	if err := rows.Err(); err != nil {
		return damaged(err)
	}
	return damaged(r.rowsIn(ctx, `SELECT revision FROM touch WHERE path IN `, ids, func(scan func(...any) error) error {
		var k int64
		err := scan(&k)
		allow.set(k)
		return err
	}))
}
