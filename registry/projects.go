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

	"patina/store/folder"
	"patina/store/sqlite"
)

// Projects returns the registered projects sorted by id, each with the index beside its code, or
// else its first other index. A name given by the user replaces that of the folder. The error wraps
// ErrUnused; the list is then from the records.
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

// lists keeps the last list of this process, which has one home.
var lists Memo[[]Project]

// Listed returns the projects like Projects, without looking at the indexes: Secret and Doubt are
// empty, so a caller that needs them must call Lookup. A process reads the list again only after a
// change. The caller must not change the list.
func Listed(home string) (all []Project, err error) {
	return lists.Of(home, func() []byte { return recordsState(home) }, func() (all []Project, err error) {
		err = withBook(home, func(b *book) { all = b.registeredProjects() })
		return all, err
	})
}

// registeredProjects returns the registered projects without looking at their indexes.
func (b *book) registeredProjects() (all []Project) {
	given := b.givenNames()
	for _, r := range b.allRecords() {
		if len(r.Stores) == 0 {
			continue
		}
		dir := r.Stores[0].Path
		if own := filepath.Join(r.Root, folder.DefaultName); r.indexAt(own) != nil {
			dir = own
		}
		all = append(all, Project{ID: r.ID, Name: cmp.Or(given[r.ID], r.Name), Root: r.Root, Store: dir})
	}
	return all
}

// Stores returns every registered index whose folder exists, sorted by project. Doubt is the reason
// why a folder is not the one that was registered, or empty. The error is as that of Projects.
func Stores(home string) (all []Project, err error) {
	err = withBook(home, func(b *book) {
		all = nil
		for _, r := range b.allRecords() {
			for _, k := range r.Stores {
				if inode, _ := lookAtStore(k.Path); inode != 0 {
					all = append(all, b.lookup(r.Root, k.Path))
				}
			}
		}
	})
	return all, err
}

// givenNames returns the names that the user has given to projects, by id.
func (b *book) givenNames() map[string]string {
	given := map[string]string{}
	if b.db == nil || b.err != nil {
		return given
	}
	rows, err := b.db.QueryContext(context.Background(), `SELECT p.id, r.name
		FROM repository r JOIN project p ON p.key = r.project WHERE r.name <> ''`)
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

// Read calls read with a home's mother.db. If the file does not exist or cannot be migrated, it
// returns nil without calling read. Other errors wrap ErrUnused. read must not write.
func Read(home string, read func(*sql.DB) error) error {
	return unusableError(home, glanceAt(home, read))
}

// glanceAt calls read with a home's mother.db, if the file has the newest tables and all sums
// agree. It migrates a file of an older version first.
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

// atOnce calls read in a transaction on a database's only connection, because others may commit
// meanwhile.
func atOnce(db *sql.DB, read func() error) error {
	if _, err := db.Exec("BEGIN"); err != nil {
		return sqlite.Explain(err)
	}
	err := read()
	_, end := db.Exec("COMMIT")
	return cmp.Or(err, sqlite.Explain(end))
}

// unusableError wraps the error of an unusable mother.db in ErrUnused. It returns nil if mother.db
// is not made yet.
func unusableError(home string, err error) error {
	if errors.Is(err, ErrUnused) {
		return err
	}
	if err == nil || errors.Is(err, errUnmade) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	return fmt.Errorf("%w: %s: %w", ErrUnused, motherFile(home), err)
}

// Change calls do in a transaction on a home's mother.db, which it makes if needed. An error of do
// is returned as it is; other errors wrap ErrUnused.
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
	GiveToOwner(home, motherFile(home))
	err = changeMother(ctx, db, do)
	if own, ok := ownOf(err); ok {
		return own
	}
	if err != nil {
		return refused(err)
	}
	return nil
}
