package build

import (
	"context"
	"errors"
	"strings"

	"patina/store"
	"patina/store/doc"
	"patina/store/format"
	"patina/store/sqlite"
	"patina/store/text"
)

// History returns the state of the history after the last reading.
func (w *Writer) History() (doc.HistoryState, error) {
	var h doc.HistoryState
	return h, w.do(func() error { h = w.read; return nil })
}

// SetHistory records the state after this reading, and whether it belongs to another tree. The
// writer counts commits itself.
func (w *Writer) SetHistory(h doc.HistoryState) error {
	return w.do(func() error { w.read.Head, w.read.Shallow, w.read.Borrowed = h.Head, h.Shallow, h.Borrowed; return nil })
}

// ResetHistory forgets all commits in every view, because they are no longer trusted. Each view's
// next scrape restores its own.
func (w *Writer) ResetHistory() error {
	return w.do(func() error {
		err := w.eachKey(`SELECT key FROM revision`, nil, func(k int64) error {
			w.members.Clear(k)
			w.othersSee.Clear(k)
			for _, v := range w.others {
				v.members.Clear(k)
			}
			return nil
		})
		if err != nil {
			return err
		}
		for i := range w.others {
			v := &w.others[i]
			v.read = doc.HistoryState{}
			const statement = `UPDATE view SET members = ?, last_read = '', commits = 0, shallow = 0 WHERE id = ?`
			if err := w.exec(statement, format.EncodeBitmap(v.members), v.id); err != nil {
				return err
			}
		}
		w.changed, w.read, w.paths = true, doc.HistoryState{}, nil
		for _, table := range []string{"revision", "touch", "move", "tag", "cochange", "path"} {
			if err := w.exec(`DELETE FROM ` + table); err != nil {
				return err
			}
		}
		return nil
	})
}

// ForgetHistory takes every commit out of the view.
func (w *Writer) ForgetHistory() error {
	return w.do(func() error {
		w.read = doc.HistoryState{}
		return w.eachKey(`SELECT key FROM revision`, nil, w.hide)
	})
}

// Hide takes commits out of the view, by full id.
func (w *Writer) Hide(shas []string) error {
	return w.do(func() error {
		for _, sha := range shas {
			err := w.eachKey(`SELECT key FROM revision WHERE sha = ?`, []any{sha}, func(k int64) error {
				if w.members.Has(k) {
					w.read.Commits--
				}
				return w.hide(k)
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func (w *contents) hide(k int64) error {
	if w.members.Has(k) {
		w.members.Clear(k)
		w.changed, w.hidden = true, true
	}
	return nil
}

// Show adds a commit to the view by its full id. It reports whether the store holds it.
func (w *Writer) Show(sha string) (held bool, err error) {
	return held, w.do(func() error {
		return w.eachKey(`SELECT key FROM revision WHERE sha = ?`, []any{sha}, func(k int64) error {
			if held = true; !w.members.Has(k) {
				w.members.Set(k)
				w.read.Commits++
				w.changed = true
			}
			return nil
		})
	})
}

// sweepRevisions removes commits in no view.
func (w *contents) sweepRevisions() error {
	if !w.hidden {
		return nil
	}
	seen := w.seenByAny()
	return w.eachKey(`SELECT key FROM revision`, nil, func(k int64) error {
		if seen.Has(k) {
			return nil
		}
		var blob []byte
		const query = `SELECT files FROM revision WHERE key = ?`
		if err := w.conn.QueryRowContext(context.Background(), query, k).Scan(&blob); err != nil {
			return err
		}
		ids, err := format.DecodeIDs(blob)
		if err != nil {
			return err
		}
		for _, id := range ids {
			for _, statement := range []string{`DELETE FROM touch WHERE path = ? AND revision = ?`, `DELETE FROM move WHERE old = ? AND revision = ?`} {
				if err := w.exec(statement, id, k); err != nil {
					return err
				}
			}
		}
		return w.exec(`DELETE FROM revision WHERE key = ?`, k)
	})
}

// commitLines is the most message lines in a chunk.
const commitLines = 60

// AddRevision adds a commit. Commits come oldest first, so that keys rise with time.
func (w *Writer) AddRevision(v doc.Revision) error {
	chunks := chunksOf(v)
	encoded := w.encodeRevision(v, chunks) // the slowest step: outside the lock
	err := w.do(func() error {
		key := w.nextKey
		w.nextKey++
		w.members.Set(key)
		w.read.Commits++
		w.changed = true
		ids, err := w.pathIDs(v.Files)
		if err != nil {
			return err
		}
		if err := w.exec(`INSERT INTO revision(key, sha, merge, author, email, time, subject, body, files) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			key, v.SHA, v.Merge, v.Author, v.Email, v.Time.Unix(), v.Subject, v.Body, format.EncodeIDs(ids)); err != nil {
			return err
		}
		for _, id := range ids {
			if err := w.exec(`INSERT OR IGNORE INTO touch(path, revision) VALUES(?, ?)`, id, key); err != nil {
				return err
			}
		}
		for _, m := range v.Moves { // both paths are among the files
			const statement = `INSERT OR IGNORE INTO move(old, new, revision) VALUES(?, ?, ?)`
			if err := w.exec(statement, w.paths[m.From], w.paths[m.To], key); err != nil {
				return err
			}
		}
		w.history.invertRevision(v, key, chunks)
		c := w.history.space(string(doc.Commit))
		for i := range encoded.len() {
			c.chunks.push(encoded.passageAt(i))
		}
		return nil
	})
	if err != nil {
		return err
	}
	return errors.Join(w.history.cutSegment(string(doc.Commit)), w.history.cutSegment(store.Subjects))
}

// chunksOf cuts a message into chunks. The subject becomes names, the touched paths the first
// chunk's doc, the rest bodies.
//
// Over commitLines paths are left out. A commit that adds a whole tree would match every word in
// every path. In a repository with one commit, it stood above all files.
func chunksOf(v doc.Revision) [][text.NumFields]string {
	body := v.Body
	if v.Author != "" {
		body += "\n" + v.Author
	}
	var out [][text.NumFields]string
	for len(out) == 0 || body != "" {
		var part string
		part, body = cutLines(body, commitLines)
		f := [text.NumFields]string{1: v.Subject, 3: part}
		if len(out) == 0 && len(v.Files) <= commitLines {
			f[2] = strings.Join(v.Files, "\n")
		}
		out = append(out, f)
	}
	return out
}

// invertRevision indexes a message's chunks, and the subject by itself.
func (k *Worker) invertRevision(v doc.Revision, key int64, chunks [][text.NumFields]string) {
	c := k.space(string(doc.Commit))
	for i := range chunks {
		c.addChunk(key, &chunks[i], i > 0)
	}
	if !v.Merge {
		k.space(store.Subjects).addChunk(key, &[text.NumFields]string{3: v.Subject}, false)
	}
}

// encodeRevision encodes a message's chunks, the first with the touched paths.
func (w *learning) encodeRevision(v doc.Revision, chunks [][text.NumFields]string) (p passages) {
	if w.o.Embedder == nil {
		return p
	}
	for i := range chunks {
		p.addPassage(w.o.Embedder, messagePassage(v, &chunks[i]))
	}
	return p
}

func messagePassage(v doc.Revision, f *[text.NumFields]string) doc.Passage {
	return doc.Passage{Doc: v.Subject, Body: strings.TrimSuffix(f[3], v.Author) + "\n" + f[2]}
}

// MessagePassages returns a commit's chunks as an embedder's passages.
func MessagePassages(v doc.Revision) []doc.Passage {
	chunks := chunksOf(v)
	out := make([]doc.Passage, len(chunks))
	for i := range chunks {
		out[i] = messagePassage(v, &chunks[i])
	}
	return out
}

// cutLines splits a text after its n-th line.
func cutLines(s string, n int) (head, rest string) {
	at := 0
	for range n {
		i := strings.IndexByte(s[at:], '\n')
		if i < 0 {
			return s, ""
		}
		at += i + 1
	}
	return s[:at], s[at:]
}

func (w *contents) pathIDs(names []string) ([]int64, error) {
	if err := w.loadPaths(); err != nil {
		return nil, err
	}
	ids := make([]int64, len(names))
	for i, n := range names {
		id, ok := w.paths[n]
		if !ok {
			id = int64(len(w.paths)) + 1
			w.paths[n] = id
			if err := w.exec(`INSERT INTO path(id, name) VALUES(?, ?)`, id, n); err != nil {
				return nil, err
			}
		}
		ids[i] = id
	}
	return ids, nil
}

// loadPaths reads the path ids once.
func (w *contents) loadPaths() error {
	if w.paths != nil {
		return nil
	}
	w.paths = make(map[string]int64)
	rows, err := w.conn.QueryContext(context.Background(), `SELECT id, name FROM path`)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id int64
		var n string
		if err := rows.Scan(&id, &n); err != nil {
			return err
		}
		w.paths[n] = id
	}
	return rows.Err()
}

// SetTags replaces the tags: names by full sha.
func (w *Writer) SetTags(tags map[string][]string) error {
	return w.do(func() error {
		if err := w.exec(`DELETE FROM tag`); err != nil {
			return err
		}
		for sha, names := range tags {
			for _, n := range names {
				if err := w.exec(`INSERT OR REPLACE INTO tag(name, sha) VALUES(?, ?)`, n, sha); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// Touched calls f with the files in every commit that any view sees, oldest first, without merges.
// then has the paths at that time, later the paths after all renames.
func (w *Writer) Touched(f func(then, later []string)) error {
	return w.do(func() error {
		if err := w.loadPaths(); err != nil {
			return err
		}
		names := make(map[int64]string, len(w.paths))
		for n, id := range w.paths {
			names[id] = n
		}
		seen := w.seenByAny()
		left, err := w.allMoves(seen)
		if err != nil {
			return err
		}
		const query = `SELECT key, files FROM revision WHERE NOT merge ORDER BY key`
		rows, err := w.conn.QueryContext(context.Background(), query)
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			var key int64
			var blob []byte
			if err := rows.Scan(&key, &blob); err != nil {
				return err
			}
			if !seen.Has(key) {
				continue
			}
			ids, err := format.DecodeIDs(blob)
			if err != nil {
				return err
			}
			then, later := make([]string, len(ids)), make([]string, len(ids))
			for i, id := range ids {
				then[i], later[i] = names[id], names[left.LastPath(id, key)]
			}
			f(then, later)
		}
		return rows.Err()
	})
}

// SetCoChanges replaces the pairs that change together. Their paths must be known from commits.
func (w *Writer) SetCoChanges(pairs []doc.CoChange) error {
	return w.do(func() error {
		if err := w.exec(`DELETE FROM cochange`); err != nil {
			return err
		}
		for _, p := range pairs {
			ids, err := w.pathIDs([]string{p.A, p.B})
			if err != nil {
				return err
			}
			for range 2 {
				const statement = `INSERT INTO cochange(a, b, n, lift) VALUES(?, ?, ?, ?)`
				if err := w.exec(statement, ids[0], ids[1], p.Count, p.Lift); err != nil {
					return err
				}
				ids[0], ids[1] = ids[1], ids[0]
			}
		}
		return nil
	})
}

func (w *transaction) allMoves(members doc.Bitmap) (doc.Moves, error) {
	return store.MovesIn(members, func(row func(scan func(...any) error) error) error {
		return sqlite.EachRow(context.Background(), w.conn, store.SelectMoves, nil, row)
	})
}
