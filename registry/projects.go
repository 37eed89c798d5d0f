package registry

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"syscall"

	"patina/store"
	"patina/store/sqlite"
)

// Projects lists the registered projects in the order of their ids, each with the index beside
// its code, or the first other one. A name that its user has given stands for the folder's.
func Projects(home string) (all []Project, err error) {
	err = withBook(home, func(b *book) {
		all = b.registeredProjects()
		for i, x := range all {
			all[i] = b.lookup(x.Root, x.Store)
			all[i].Name = x.Name
		}
	})
	return all, err
}

// lists keeps the last list of each process: it has one home.
var lists Memo[[]Project]

// Listed lists what Projects does, without a look at the indexes: Secret and Doubt are empty, and
// Lookup knows them. A process reads the list again only after a change.
func Listed(home string) (all []Project, err error) {
	return lists.Of(home, func() []byte { return recordsState(home) }, func() (all []Project, err error) {
		err = withBook(home, func(b *book) { all = b.registeredProjects() })
		return all, err
	})
}

// registeredProjects returns the registered projects without a look at their indexes.
func (b *book) registeredProjects() (all []Project) {
	given := b.givenNames()
	for _, r := range b.allRecords() {
		if len(r.Stores) == 0 {
			continue
		}
		dir := r.Stores[0].Path
		if own := filepath.Join(r.Root, store.FolderName); r.indexAt(own) != nil {
			dir = own
		}
		all = append(all, Project{ID: r.ID, Name: cmp.Or(given[r.ID], r.Name), Root: r.Root, Store: dir})
	}
	return all
}

// givenNames returns the names that users have given to projects, by id.
func (b *book) givenNames() map[string]string {
	given := map[string]string{}
	if b.db == nil || b.err != nil {
		return given
	}
	rows, err := b.db.QueryContext(context.Background(), `SELECT p.id, r.name FROM repository r JOIN project p ON p.key = r.project WHERE r.name <> ''`)
	if err != nil {
		b.err = err
		return given
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id, name string
		if b.err = rows.Scan(&id, &name); b.err != nil {
			return given
		}
		given[id] = name
	}
	b.err = rows.Err()
	return given
}

// Read calls read with a home's mother.db. It does not where there is none yet, or one without
// the newest tables. Nothing is written. The error wraps ErrUnused.
func Read(home string, read func(*sql.DB) error) error {
	return unusableError(home, glanceAt(home, read))
}

// glanceAt calls read with a home's mother.db, if it has the newest tables and is as it was
// written. One of an older version gets them first.
func glanceAt(home string, read func(*sql.DB) error) error {
	if err := checkRegular(home); err != nil {
		return err
	}
	err := glanceNewest(home, read)
	if !errors.Is(err, errUnmade) {
		return err
	}
	err = Change(context.Background(), home, func(*sql.Tx) error { return nil })
	if errors.Is(err, sqlite.ErrDamaged) {
		return err
	}
	if err != nil {
		return errUnmade // it cannot be written now
	}
	return glanceNewest(home, read)
}

func glanceNewest(home string, read func(*sql.DB) error) error {
	return sqlite.Glance(motherFile(home), func(db *sql.DB) error {
		v, err := sqlite.VersionOf(context.Background(), db, version)
		if err == nil && v < version {
			err = errUnmade
		}
		if err == nil {
			err = atOnce(db, func() error { return checkSums(db) })
		}
		if err != nil {
			return err
		}
		return read(db)
	})
}

// atOnce calls read in a transaction on a database's one connection: others may commit meanwhile.
func atOnce(db *sql.DB, read func() error) error {
	if _, err := db.Exec("BEGIN"); err != nil {
		return sqlite.Explain(err)
	}
	err := read()
	_, end := db.Exec("COMMIT")
	return cmp.Or(err, sqlite.Explain(end))
}

// unusableError is the error for a mother.db that cannot be used. One that is not made yet is none.
func unusableError(home string, err error) error {
	if errors.Is(err, ErrUnused) {
		return err
	}
	if err == nil || errors.Is(err, errUnmade) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	return fmt.Errorf("%w: %s: %w", ErrUnused, motherFile(home), err)
}

// Change calls do in a transaction on a home's mother.db, and makes that if needed. The error
// wraps ErrUnused, unless do has made it.
func Change(ctx context.Context, home string, do func(*sql.Tx) error) error {
	refused := func(err error) error { return fmt.Errorf("%w: %s: %w", ErrUnused, motherFile(home), err) }
	if err := checkRegular(home); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return refused(err)
	}
	db, err := sqlite.OpenAuthored(ctx, motherFile(home), migrations)
	if err != nil {
		return refused(err)
	}
	defer func() { _ = db.Close() }()
	giveToOwner(home)
	err = changeMother(ctx, db, do)
	if own, ok := ownOf(err); ok {
		return own
	}
	if err != nil {
		return refused(err)
	}
	return nil
}
