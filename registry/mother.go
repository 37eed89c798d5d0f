package registry

import (
	"cmp"
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"patina/internal/safeio"
	"patina/store/folder"
	"patina/store/sqlite"
)

//go:embed schema/*.sql
var schemas embed.FS

// migrations make mother.db. Their number must be version.
var migrations, _ = fs.Sub(schemas, "schema")

const version = 4

// ErrUnused means that mother.db cannot be used, so projects are only read from and written to the
// records beside it. The error names the file and the cause.
var ErrUnused = errors.New("the registry of patina cannot be used")

// errUnmade means that another process is making mother.db, or that it needs migrations.
var errUnmade = errors.New("not made yet")

func motherFile(home string) string { return filepath.Join(home, "mother.db") }

// checkRegular returns an error if mother.db is missing, or is a link, a pipe or another irregular
// file.
func checkRegular(home string) error {
	info, err := os.Lstat(motherFile(home))
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: motherFile(home), Err: safeio.ErrIrregular}
	}
	return err
}

// CheckVersion returns an error that wraps sqlite.ErrNewer if a newer patina has written a home's
// mother.db. It opens no database (sqlite.CheckHeader).
func CheckVersion(home string) error { return sqlite.CheckHeader(motherFile(home), version) }

// A book holds the projects of a home: the rows in mother.db, and the records that an older patina
// has changed since. Without a readable database it holds only the records.
type book struct {
	home string
	db   querier // nil without a database
	err  error   // of the first query that failed
}

type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// withBook calls read with a home's book, perhaps more than once, so read must start anew at each
// call. Nothing is written, unless mother.db needs migrations. The error wraps ErrUnused and says
// why the book has no database. It is nil if there is no database yet.
func withBook(home string, read func(*book)) error {
	err := glanceAt(home, func(db *sql.DB) error {
		b := &book{home: home, db: db}
		read(b)
		return b.err
	})
	if err == nil {
		return nil
	}
	read(&book{home: home})
	return unusableError(home, err)
}

// Check reads the whole registry of a home. The error wraps ErrUnused. It is nil for a home without
// a registry.
func Check(home string) error { return withBook(home, func(b *book) { b.allRecords() }) }

// Conditions that select projects, with one argument each.
const (
	ofID    = `p.id = ?`
	ofStore = `p.key IN (SELECT project FROM store WHERE path = ?)`

	ofAny = `?`
)

const selectProjects = `SELECT p.id, p.name, p.root, p.copied, s.path, s.inode, s.secret, s.anyone
	FROM project p LEFT JOIN store s ON s.project = p.key WHERE %s ORDER BY p.id, s.path`

// matchingRecords returns the projects in mother.db that meet a condition, sorted by id. A record
// that was changed since replaces its row. It returns nil and sets b.err if a query fails.
func (b *book) matchingRecords(condition string, value any) []record {
	if b.db == nil || b.err != nil {
		return nil
	}
	rows, err := b.db.QueryContext(context.Background(), fmt.Sprintf(selectProjects, condition), value)
	if err != nil {
		b.err = err
		return nil
	}
	defer func() { _ = rows.Close() }()
	var found []record
	for rows.Next() {
		var r record
		var path, secret sql.NullString
		var inode sql.NullInt64
		var anyone sql.NullBool
		err := rows.Scan(&r.ID, &r.Name, &r.Root, &r.copied, &path, &inode, &secret, &anyone)
		if err == nil && !folder.IsProjectID(r.ID) { // it becomes a part of a path
			err = fmt.Errorf("project %q: %w", r.ID, sqlite.ErrDamaged)
		}
		if b.err = cmp.Or(b.err, err); err != nil {
			return nil
		}
		if len(found) == 0 || found[len(found)-1].ID != r.ID {
			found = append(found, r)
		}
		if last := &found[len(found)-1]; path.Valid {
			last.Stores = append(last.Stores, kept{path.String, uint64(inode.Int64), secret.String, anyone.Bool})
		}
	}
	b.err = rows.Err()
	for i, r := range found {
		if changed, ok := changedCopy(b.home, r.ID, r.copied); ok {
			found[i] = changed
		}
	}
	return found
}

// readRecord returns the record of one project. It reports false if there is no such project.
func (b *book) readRecord(id string) (record, bool) {
	if !folder.IsProjectID(id) {
		return record{}, false
	}
	if found := b.matchingRecords(ofID, id); len(found) > 0 {
		return found[0], true
	}
	return changedCopy(b.home, id, "")
}

// allRecords returns the records of all projects.
func (b *book) allRecords() []record {
	found := b.matchingRecords(ofAny, true)
	known := map[string]bool{}
	for _, r := range found {
		known[r.ID] = true
	}
	for _, id := range listRecords(b.home) {
		if known[id] {
			continue
		}
		if r, ok := changedCopy(b.home, id, ""); ok {
			found = append(found, r)
		}
	}
	return found
}

// enterRecord writes a project to mother.db, and with it every record that an older patina has
// written since. It makes mother.db if needed. The record beside it must be written before the
// commit, because the record is the one that counts if the process ends between them.
func enterRecord(home string, r record) error {
	if err := checkRegular(home); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	ctx := context.Background()
	db, err := sqlite.OpenAuthored(ctx, motherFile(home), migrations)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	GiveToOwner(home, motherFile(home))
	return changeMother(ctx, db, func(tx *sql.Tx) error {
		b := &book{home: home, db: tx}
		for _, changed := range b.allRecords() {
			if changed.copied == "" && changed.ID != r.ID {
				changed.copied = recordStamp(home, changed.ID)
				b.err = cmp.Or(b.err, putRecord(tx, changed))
			}
		}
		if b.err != nil {
			return sqlite.Explain(b.err)
		}
		if err := writeCopy(home, r); err != nil {
			return err
		}
		r.copied = recordStamp(home, r.ID)
		return sqlite.Explain(putRecord(tx, r))
	})
}

// GiveToOwner gives a file to the home's owner. Under sudo it would belong to root, and the user's
// own commands could not read it.
func GiveToOwner(home, file string) {
	info, err := os.Stat(home)
	if err != nil || os.Geteuid() != 0 {
		return
	}
	if owner, ok := info.Sys().(*syscall.Stat_t); ok && owner.Uid != 0 {
		_ = os.Lchown(file, int(owner.Uid), int(owner.Gid))
	}
}

// putRecord writes the rows of a project. The project keeps its key.
func putRecord(tx *sql.Tx, r record) error {
	var key int64
	err := tx.QueryRow(`INSERT INTO project(id, name, root, copied) VALUES(?, ?, ?, ?)
		ON CONFLICT(id) DO UPDATE SET name = excluded.name, root = excluded.root, copied = excluded.copied
		RETURNING key`,
		r.ID, r.Name, r.Root, r.copied).Scan(&key)
	if err == nil {
		_, err = tx.Exec(`DELETE FROM store WHERE project = ?`, key)
	}
	for _, k := range r.Stores {
		if err == nil {
			_, err = tx.Exec(`INSERT OR REPLACE INTO store(project, path, inode, secret, anyone) VALUES(?, ?, ?, ?, ?)`,
				key, k.Path, int64(k.Inode), k.Secret, k.Anyone)
		}
	}
	return err
}
