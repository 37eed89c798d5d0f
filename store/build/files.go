package build

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"patina/store"
	"patina/store/doc"
	"patina/store/sqlite"
)

// The roll lists the files in the written view. A scrape that names some files reads only those and
// their neighbours: reading ten thousand rows would take longer than all its other work. Only a
// fresh index keeps the roll in memory.

// selectSeen selects the columns for eachSeen. Joins fix the table order by CROSS JOIN: without
// statistics SQLite may begin with all the view's rows.
const selectSeen = `SELECT f.path, f.key, s.size, s.mtime, s.ctime, s.inode, f.hash `

// eachSeen calls f for each file in a query's result.
func (w *contents) eachSeen(f func(path string, x indexed), query string, values ...any) error {
	return sqlite.EachRow(context.Background(), w.conn, query, values, func(scan func(...any) error) error {
		var path string
		var x indexed
		var inode int64 // SQLite has no unsigned integers
		err := scan(&path, &x.key, &x.Stat.Size, &x.Stat.ModTime, &x.Stat.ChangeTime, &inode, &x.Hash)
		x.Stat.Inode = uint64(inode)
		if err == nil && !doc.IsKey(x.key) {
			err = fmt.Errorf("file %q has key %d: %w", path, x.key, store.ErrDamaged)
		}
		if err == nil {
			f(path, x)
		}
		return err
	})
}

// Files returns the previous generation's files, by path.
func (w *Writer) Files() (map[string]doc.FileState, error) {
	out := make(map[string]doc.FileState, min(max(0, w.last.Files), 1<<16))
	return out, w.do(func() error {
		return w.eachSeen(func(p string, x indexed) {
			out[p] = x.FileState
		}, selectSeen+`FROM seen s JOIN file f ON f.key = s.key WHERE s.view = ?`, w.view.id)
	})
}

// FilesAt returns the entries in Files at or below the given paths.
func (w *Writer) FilesAt(paths []string) (map[string]doc.FileState, error) {
	if slices.Contains(paths, ".") {
		return w.Files()
	}
	out := map[string]doc.FileState{}
	return out, w.do(func() error {
		for _, p := range paths {
			err := w.eachSeen(func(p string, x indexed) {
				out[p] = x.FileState
			}, selectSeen+`FROM file f CROSS JOIN seen s WHERE (f.path = ? OR f.path >= ? AND f.path < ?) AND s.view = ? AND s.key = f.key`, p, p+"/", firstBehind(p), w.view.id)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// firstBehind returns the least name after everything in a folder.
func firstBehind(folder string) string { return folder + string(rune('/'+1)) }

// fileAt returns the view's file at a path.
func (w *contents) fileAt(path string) (x indexed, held bool, err error) {
	if w.fresh {
		x, held = w.files[path]
		return x, held, nil
	}
	err = w.eachSeen(func(_ string, at indexed) {
		x, held = at, true
	}, selectSeen+`FROM file f CROSS JOIN seen s WHERE f.path = ? AND s.view = ? AND s.key = f.key`, path, w.view.id)
	return x, held, err
}

// countFiles counts the view's files.
func (w *contents) countFiles() (n int, err error) {
	if w.fresh {
		return len(w.files), nil
	}
	const query = `SELECT COUNT(*) FROM seen WHERE view = ?`
	return n, w.conn.QueryRowContext(context.Background(), query, w.view.id).Scan(&n)
}

// Beside returns the view's files in a folder ("." for the root), and one file from each folder
// inside, at any depth, so that the result contains every name in the folder. It leaves out files
// accepted by skip, which may be nil.
func (w *Writer) Beside(folder string, skip func(path string) bool) ([]string, error) {
	prefix := ""
	if folder != "." {
		prefix = folder + "/"
	}
	var out []string
	return out, w.do(func() error {
		for from := prefix; ; {
			path, err := w.namesFrom(from, prefix, skip, &out)
			if path == "" || err != nil {
				return err
			}
			name, _, _ := strings.Cut(path[len(prefix):], "/")
			from = firstBehind(prefix + name) // past everything else in that folder
		}
	})
}

// namesFrom adds names with a prefix to out, in order, starting at from. It stops at the first name
// in a deeper folder and returns it.
func (w *contents) namesFrom(from, prefix string, skip func(path string) bool, out *[]string) (deeper string, err error) {
	rows, err := w.query(`SELECT path, key FROM file WHERE path >= ? ORDER BY path`, from)
	if err != nil {
		return "", err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var path string
		var key int64
		if err := rows.Scan(&path, &key); err != nil {
			return "", err
		}
		if !strings.HasPrefix(path, prefix) {
			return "", nil
		}
		if !w.members.Has(key) || skip(path) {
			continue
		}
		*out = append(*out, path)
		if strings.Contains(path[len(prefix):], "/") {
			return path, nil
		}
	}
	return "", rows.Err()
}
