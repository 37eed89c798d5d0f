package build

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"path/filepath"
	"strconv"
	"time"

	"patina/store"
	"patina/store/doc"
	"patina/store/folder"
	"patina/store/format"
	"patina/store/sqlite"
)

// Publish makes the written generation visible to readers. It takes head, branch, time, history and
// shallow from g, and counts the rest.
func (w *Writer) Publish(g doc.Generation) (doc.Generation, error) {
	err := w.do(func() error {
		if err := w.embedAll(); err != nil {
			return err
		}
		if err := w.finish(&g); err != nil {
			return err
		}
		if w.fresh && !w.out {
			return w.publishFresh()
		}
		_, err := w.conn.ExecContext(context.Background(), "COMMIT")
		return err
	})
	if err != nil {
		w.Abort()
		return doc.Generation{}, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.fresh || w.out {
		w.checkpoint()
	}
	w.close()
	w.in.Sweep(w.name)
	w.in.Settle()
	w.unlock()
	return g, nil
}

// PublishWords publishes the words and history of a fresh index while its model is fitted, if no
// index answers yet. The fit goes on concurrently. Embed waits for it, and Publish adds the
// vectors. published reports whether it did anything. If the writer is aborted after that, the
// words stay, and the next scrape builds the index anew.
func (w *Writer) PublishWords(g doc.Generation) (published bool, err error) {
	err = w.do(func() error {
		a, adapts := w.o.Embedder.(doc.Adapter)
		if !adapts || !w.fresh || w.out || w.vectors != nil || w.last.Number > 0 {
			return nil
		}
		if err := w.flushAll(); err != nil {
			return err
		}
		if err := w.beginFit(a); err != nil {
			return err
		}
		if err := w.noteEmbedder(format.WordsOnlyMark); err != nil {
			return err
		}
		w.changed = false // the whole index is generation 1, as without this
		if err := w.finish(&g); err != nil {
			return err
		}
		if err := w.publishFresh(); err != nil {
			return err
		}
		w.in.Settle()
		published = true
		return w.goOn()
	})
	return published, err
}

// noteEmbedder stores the name of the requested embedder, with a mark.
func (w *transaction) noteEmbedder(mark string) error {
	return w.exec(`INSERT OR REPLACE INTO meta(key, value) VALUES('embedder', ?)`, w.o.EmbedderName()+mark)
}

// goOn begins the transaction that adds the vectors.
func (w *Writer) goOn() error {
	w.out, w.changed, w.stmts = true, true, make(map[string]*sql.Stmt)
	w.publication++
	if err := w.connect(sqlite.Update(&format.Schema)); err != nil {
		return err
	}
	if _, err := w.conn.ExecContext(w.ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	return w.noteEmbedder("")
}

// checkpoint moves the log into the database, which bounds the log, and updates the checksums. A
// reader busy with the log only postpones both.
func (w *transaction) checkpoint() {
	path := filepath.Join(w.dir, w.name)
	before := format.ReadSums(path)
	changed, err := format.LoggedBlocks(path)
	if err != nil || before == nil || before.Publication != w.publication {
		changed = nil // sum all blocks
	}
	if !sqlite.Checkpoint(context.Background(), w.conn) {
		return
	}
	if s, err := format.SumBlocks(path, w.publication+1, before, changed); err == nil {
		_ = s.Write(w.in, path) // without it, the next update sums all blocks
	}
}

// publishFresh puts everything on disk before it publishes the name.
func (w *Writer) publishFresh() error {
	if _, err := w.conn.ExecContext(context.Background(), "COMMIT"); err != nil {
		return err
	}
	if err := sqlite.Share(context.Background(), w.conn); err != nil {
		return err
	}
	w.close()
	w.conn, w.db, w.stmts = nil, nil, nil
	path := filepath.Join(w.dir, w.name)
	s, err := format.SumBlocks(path, w.publication+1, nil, nil)
	if err != nil {
		return err
	}
	if err := errors.Join(s.Write(w.in, path), folder.SyncFile(path)); err != nil {
		return err
	}
	if err := folder.SyncDir(w.dir); err != nil {
		return err
	}
	return w.in.Publish(w.name)
}

// embedAll writes all words and vectors.
func (w *Writer) embedAll() error {
	if err := w.flushAll(); err != nil {
		return err
	}
	return w.embedPending(noProgress)
}

// finish writes everything known only at the end.
func (w *Writer) finish(g *doc.Generation) error {
	if !w.fresh {
		if err := w.compact(); err != nil {
			return err
		}
	}
	if err := w.sealVectors(); err != nil {
		return err
	}
	if err := w.sweepRevisions(); err != nil {
		return err
	}
	tests, err := w.mostlyTests()
	if err != nil {
		return err
	}
	if err := w.findCopies(); err != nil {
		return err
	}
	const statement = `INSERT OR REPLACE INTO meta(key, value) VALUES('publication', ?)`
	if err := w.exec(statement, strconv.FormatInt(w.publication+1, 10)); err != nil {
		return err
	}
	if !w.listed.IsZero() {
		if err := w.exec(`INSERT OR REPLACE INTO meta(key, value) VALUES(?, ?)`, format.ListedKey+w.view.name, strconv.FormatInt(w.listed.UnixNano(), 10)); err != nil {
			return err
		}
	}
	if g.Own, err = w.noteOwn(); err != nil {
		return err
	}
	g.Number = w.last.Number
	if w.changed {
		g.Number++
	}
	g.ScrapedAt = g.ScrapedAt.UTC().Truncate(time.Second)
	if g.Files, err = w.countFiles(); err != nil {
		return err
	}
	snap, err := store.SnapshotOf(context.Background(), w.conn, w.members)
	if err != nil {
		return err
	}
	g.Chunks, g.Commits, g.Beliefs = snap.Chunks, w.read.Commits, 0
	for _, s := range snap.Segments {
		for from, to := range s.Visible() {
			if s.Space == string(doc.Belief) {
				g.Beliefs += to - from
			}
		}
	}
	err = w.exec(`INSERT OR REPLACE INTO view(id, name, root, members, head, branch, scraped_at, files, chunks, commits, beliefs, history, shallow, last_read, mostly_tests, copies)
		VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		w.view.id, w.view.name, w.o.Root, format.EncodeBitmap(w.members), g.Head, g.Branch, g.ScrapedAt.Unix(),
		g.Files, g.Chunks, g.Commits, g.Beliefs, g.History, g.Shallow, w.read.Head, tests,
		format.EncodeBitmap(w.repeated.copies))
	if err != nil {
		return err
	}
	return w.exec(`INSERT OR REPLACE INTO generation(one, number, next_key) VALUES(1, ?, ?)`, g.Number, w.nextKey)
}

// mostlyTests reports whether over four files in five are tests. Then the product is testing, and
// being a test means nothing. It counts only if some file's sort changed since the last generation.
func (w *contents) mostlyTests() (bool, error) {
	maps.DeleteFunc(w.sorts, func(_ sort, n int) bool { return n == 0 })
	if len(w.sorts) == 0 {
		return w.view.tests, nil
	}
	row := w.conn.QueryRowContext(context.Background(), `SELECT COUNT(*), SUM((f.class & ?) != 0 OR (f.class & ?) = ?)
		FROM seen s JOIN file f ON f.key = s.key WHERE s.view = ? AND f.kind = 'code' AND f.class & ? = 0`,
		doc.TestFolder, doc.TestName|doc.TestCode, doc.TestName|doc.TestCode, w.view.id, doc.OtherText|doc.PathOnly)
	var all int
	var tests sql.NullInt64
	err := row.Scan(&all, &tests)
	return int(tests.Int64)*5 > all*4, err
}
