package build

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"patina/store/doc"
	"patina/store/format"
)

// A view is the writer's state of one working tree.
type view struct {
	id      int64
	name    string
	members doc.Bitmap
	read    doc.HistoryState
	tests   bool // mostlyTests' last answer
	copies  doc.Bitmap
}

func (w *contents) loadViews() ([]view, error) {
	const query = `SELECT id, name, members, last_read, shallow, commits, mostly_tests, copies FROM view ORDER BY id`
	rows, err := w.conn.QueryContext(w.ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var vs []view
	for rows.Next() {
		var v view
		var members, copies []byte
		if err := rows.Scan(&v.id, &v.name, &members, &v.read.Head, &v.read.Shallow, &v.read.Commits, &v.tests, &copies); err != nil {
			return nil, err
		}
		if v.copies, err = format.DecodeBitmap(copies); err != nil {
			return nil, err
		}
		if v.members, err = format.DecodeBitmap(members); err != nil {
			return nil, err
		}
		vs = append(vs, v)
	}
	return vs, rows.Err()
}

// enterView finds or begins the written view and loads the others' members. It drops views whose
// working tree is gone.
func (w *contents) enterView() error {
	vs, err := w.loadViews()
	if err != nil {
		return err
	}
	var gone []view
	for _, v := range vs {
		w.view.id = max(w.view.id, v.id+1)
		switch {
		case v.name == w.o.View:
		case w.o.Views != nil && !slices.Contains(w.o.Views, v.name):
			gone = append(gone, v)
		default:
			w.others = append(w.others, v)
			w.othersSee.AddAll(v.members)
		}
	}
	if i := slices.IndexFunc(vs, func(v view) bool { return v.name == w.o.View }); i >= 0 {
		w.view = vs[i]
	} else {
		w.view.name = w.o.View
		w.changed = true
		if err := w.borrowHistory(); err != nil {
			return err
		}
	}
	w.members, w.read, w.repeated.copies = w.view.members, w.view.read, w.view.copies
	for _, v := range gone {
		if err := w.dropView(v); err != nil {
			return err
		}
	}
	return w.loadLast()
}

// loadLast reads the view's last published state, for a scrape that leaves the history alone.
func (w *contents) loadLast() error {
	g := &w.last
	const query = `SELECT head, branch, history, shallow, files FROM view WHERE id = ?`
	err := w.conn.QueryRowContext(w.ctx, query, w.view.id).Scan(&g.Head, &g.Branch, &g.History, &g.Shallow, &g.Files)
	if errors.Is(err, sql.ErrNoRows) { // a new view
		return nil
	}
	return err
}

// borrowHistory begins a new view with another view's commits, so that only differences need a
// look-up.
func (w *contents) borrowHistory() error {
	i := slices.IndexFunc(w.others, func(v view) bool { return v.read.Head != "" })
	if i < 0 {
		return nil
	}
	from := w.others[i]
	w.view.read = from.read
	w.view.read.Borrowed = true
	return w.eachKey(`SELECT key FROM revision`, nil, func(k int64) error {
		if from.members.Has(k) {
			w.view.members.Set(k)
		}
		return nil
	})
}

// dropView forgets a working tree and the files that only it sees.
func (w *contents) dropView(v view) error {
	var files []int64
	err := w.eachKey(`SELECT key FROM seen WHERE view = ?`, []any{v.id}, func(k int64) error {
		if !w.members.Has(k) && !w.othersSee.Has(k) {
			files = append(files, k)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, k := range files {
		f, err := w.fileParts(k)
		if err != nil {
			return err
		}
		if err := w.erase(k, f); err != nil {
			return err
		}
	}
	w.hidden = true
	if err := w.exec(`DELETE FROM seen WHERE view = ?`, v.id); err != nil {
		return err
	}
	return w.exec(`DELETE FROM view WHERE id = ?`, v.id)
}

// firstView returns the members for which the index was built, or the written view's if those are
// gone. Anything fitted to the whole index is judged by them alone. Otherwise two dissimilar trees
// would rebuild it in turn.
func (w *contents) firstView() doc.Bitmap {
	for _, v := range w.others {
		if v.id == 1 {
			return v.members
		}
	}
	return w.members
}

// seenByAny returns the members of all views.
func (w *contents) seenByAny() doc.Bitmap {
	var all doc.Bitmap
	all.AddAll(w.othersSee)
	all.AddAll(w.members)
	return all
}

// eachKey reads all rows, then calls f with each one's single column.
func (w *transaction) eachKey(query string, values []any, f func(int64) error) error {
	rows, err := w.conn.QueryContext(context.Background(), query, values...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	var keys []int64
	for rows.Next() {
		var k int64
		if err := rows.Scan(&k); err != nil {
			return err
		}
		keys = append(keys, k)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for _, k := range keys {
		if err := f(k); err != nil {
			return err
		}
	}
	return nil
}

// Adopt adds a file to the view without reading it. It needs another view with the same path and
// content.
func (w *Writer) Adopt(path string, s doc.FileState) (adopted bool, err error) {
	if len(w.others) == 0 {
		return false, nil
	}
	return adopted, w.do(func() error {
		var found []int64
		err := w.eachKey(`SELECT key FROM file WHERE path = ? AND hash = ?`, []any{path, s.Hash}, func(k int64) error {
			if w.othersSee.Has(k) {
				found = append(found, k)
			}
			return nil
		})
		if err != nil || len(found) == 0 {
			return err
		}
		if err := w.remove(path); err != nil {
			return err
		}
		f, err := w.fileParts(found[0])
		if err != nil {
			return err
		}
		for k := found[0]; k <= found[0]+f.sections(); k++ {
			w.members.Set(k)
		}
		if err := w.touchFile(found[0]); err != nil {
			return err
		}
		w.sorts[f.sort]++
		adopted, w.changed = true, true
		return w.noteFile(path, found[0], s)
	})
}

// noteFile records that the view holds a file.
func (w *contents) noteFile(path string, key int64, s doc.FileState) error {
	if w.fresh {
		w.files[path] = indexed{key, s}
	}
	return w.exec(`INSERT OR REPLACE INTO seen(view, key, size, mtime, ctime, inode) VALUES(?, ?, ?, ?, ?, ?)`,
		w.view.id, key, s.Stat.Size, s.Stat.ModTime, s.Stat.ChangeTime, int64(s.Stat.Inode))
}

// fileParts are needed to remove a file.
type fileParts struct {
	sort
	entries []doc.Entry
	imports []string
}

// A sort decides whether a file counts as a test.
type sort struct {
	kind  doc.Kind
	class doc.Class
}

// sections counts the keys after the file's own.
func (f fileParts) sections() int64 {
	if f.kind.Traits().Shape == doc.OfSections {
		return int64(len(f.entries))
	}
	return 0
}

func (w *transaction) fileParts(key int64) (f fileParts, err error) {
	var entries, facts []byte
	const query = `SELECT kind, class, entries, facts FROM file WHERE key = ?`
	if err := w.conn.QueryRowContext(w.ctx, query, key).Scan(&f.kind, &f.class, &entries, &facts); err != nil {
		return f, err
	}
	if f.entries, err = format.DecodeEntries(entries); err != nil {
		return f, err
	}
	said, err := format.DecodeFacts(facts)
	f.imports = said.Imports
	return f, err
}
