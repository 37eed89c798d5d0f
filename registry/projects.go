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

// Projects lists the registered projects in the order of their ids, each with the index beside its
// code, or the first other one. A name that its user has given stands for the folder's.
func Projects(home string) (all []Project, err error) {
	err = consult(home, func(b *book) {
		all = nil
		for _, r := range b.all() {
			if len(r.Stores) == 0 {
				continue
			}
			dir := r.Stores[0].Path
			if own := filepath.Join(r.Root, store.FolderName); r.at(own) != nil {
				dir = own
			}
			p := b.lookup(r.Root, dir)
			p.Name = r.Name
			all = append(all, p)
		}
	})
	if err != nil {
		return all, err
	}
	given := map[string]string{}
	err = Read(home, func(db *sql.DB) error {
		clear(given)
		rows, err := db.QueryContext(context.Background(), `SELECT p.id, r.name FROM repository r JOIN project p ON p.key = r.project WHERE r.name <> ''`)
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			var id, name string
			if err := rows.Scan(&id, &name); err != nil {
				return err
			}
			given[id] = name
		}
		return rows.Err()
	})
	for i := range all {
		all[i].Name = cmp.Or(given[all[i].ID], all[i].Name)
	}
	return all, err
}

// Read calls read with a home's mother.db. It does not where there is none yet, or one without the
// newest tables. Nothing is written. The error wraps ErrUnused.
func Read(home string, read func(*sql.DB) error) error {
	return unused(home, glance(home, read))
}

// glance calls read with a home's mother.db, if it has the newest tables.
func glance(home string, read func(*sql.DB) error) error {
	if err := regular(home); err != nil {
		return err
	}
	return sqlite.Glance(motherFile(home), func(db *sql.DB) error {
		v, err := sqlite.VersionOf(context.Background(), db, version)
		if err == nil && v < version {
			err = errUnmade
		}
		if err != nil {
			return err
		}
		return read(db)
	})
}

// unused is the error for a mother.db that cannot be used. One that is not made yet is none.
func unused(home string, err error) error {
	if err == nil || errors.Is(err, errUnmade) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	return fmt.Errorf("%w: %s: %w", ErrUnused, motherFile(home), err)
}

// Change calls change in a transaction on a home's mother.db, and makes that if needed. The error
// wraps ErrUnused, unless change has made it.
func Change(ctx context.Context, home string, change func(*sql.Tx) error) error {
	refused := func(err error) error { return fmt.Errorf("%w: %s: %w", ErrUnused, motherFile(home), err) }
	if err := regular(home); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return refused(err)
	}
	db, err := sqlite.OpenAuthored(ctx, motherFile(home), migrations)
	if err != nil {
		return refused(err)
	}
	defer func() { _ = db.Close() }()
	leave(home)
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return refused(sqlite.Explain(err))
	}
	defer func() { _ = tx.Rollback() }() // nothing after a commit
	if err := change(tx); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return refused(sqlite.Explain(err))
	}
	return nil
}
